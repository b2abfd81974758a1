/** Lists the variables of a kernel. */
import { jsonObjectOf } from '@tiding/client/model';
import * as z from 'zod/mini';
import type { Variables } from '../contract.ts';
import program from '../programs/variables.py?raw';
import rProgram from '../programs/variables.R?raw';
import type { KernelClient } from './kernel-client.ts';

const mime = 'application/vnd.tiding.variables+json';
/** Maximum number of listed variables. */
const maxVariables = 500;
/** Time after which the kernel is interrupted, in ms. */
const timeLimit = 3_000;

const listing = z.object({
  total: z.number(),
  variables: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      shape: z.optional(z.string()),
      size: z.optional(z.number()),
      preview: z._default(z.string(), ''),
      isTable: z._default(z.boolean(), false),
    }),
  ),
});

const pythonCode = `${program}
_tiding_variables(${JSON.stringify(mime)}, ${maxVariables})
del _tiding_variables`;

const rCode = rProgram.replace('%MIME%', mime).replace('%LIMIT%', String(maxVariables));

const codes: Readonly<Record<string, string>> = { python: pythonCode, r: rCode };

/** Code that displays the variables, by language of the kernel. */
export const variablesCode = (language: string): string | undefined => {
  const name = language.toLowerCase();
  return Object.hasOwn(codes, name) ? codes[name] : undefined;
};

/** Lists the variables of an idle kernel; undefined if it does not answer. */
export async function readVariables(
  kernel: KernelClient,
  code: string,
): Promise<Variables | undefined> {
  let shown: unknown;
  const late = setTimeout(() => kernel.interrupt(), timeLimit);
  try {
    await kernel.execute(
      code,
      {
        onMessage: ({ content }) => (shown ??= jsonObjectOf(content['data'])[mime]),
        onInput: async () => undefined,
      },
      true,
    );
  } finally {
    clearTimeout(late);
  }
  return listing.safeParse(shown).data;
}
