/** `clusters.json` of the data folder: the Spark standalone masters that an administrator lists. */
import { join, isAbsolute } from 'node:path';
import * as z from 'zod/mini';
import { Refusal } from '../errors.ts';
import { readJson } from '../files.ts';
import type { Logger } from '../log.ts';

/** Name of the server's own engine. */
export const LOCAL = 'local';

const named = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string()),
};
const whole = z.int().check(z.minimum(1), z.maximum(1_024));
const foreign = z.object({
  ...named,
  /** Address of the master's page, for example `http://spark.example.org:8080`. */
  master: z.url({ protocol: /^https?$/ }),
});
const owned = z.object({
  ...named,
  /** Folder of a Spark on this machine, with `bin/spark-class`: the server starts and stops a master and its workers there. */
  sparkHome: z.string().check(z.refine((path) => isAbsolute(path), 'is a whole path')),
  /** Workers; default 1. */
  workers: z.optional(z.int().check(z.minimum(1), z.maximum(16))),
  /** Cores of each worker; default 1. */
  cores: z.optional(whole),
  /** Memory of each worker for executors, for example `2g`; default `1g`. */
  memory: z.optional(
    z.string().check(z.regex(/^[1-9]\d{0,6}[mg]$/i, 'is an amount of memory, for example 2g')),
  ),
});
/** A master that somebody else runs. */
export type ForeignDefinition = z.infer<typeof foreign>;
/** A master and workers that the server runs. */
export type OwnDefinition = z.infer<typeof owned>;
/** An entry of the file. */
export type Definition = ForeignDefinition | OwnDefinition;

/** Whether the server runs it. */
export const isOwn = (definition: Definition): definition is OwnDefinition =>
  'sparkHome' in definition;
/** Its id on the wire. */
export const idOf = ({ name }: Definition): string => `spark-${name}`;

/** What is listed now. Refuses (500) with a sentence where the file cannot be used. */
export async function readDefinitions(folder: string, log: Logger): Promise<Definition[]> {
  let content: unknown;
  try {
    content = await readJson(join(folder, 'clusters.json'));
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the clusters cannot be read');
    throw new Refusal(
      500,
      'The file clusters.json of this server cannot be read: it is not JSON. An administrator can correct it.',
    );
  }
  if (content === undefined) return [];
  const entries = Array.isArray(content)
    ? content
    : (content as { clusters?: unknown } | null)?.clusters;
  if (!Array.isArray(entries)) throw unusable('it is not a list');
  const all: Definition[] = [];
  for (const [index, entry] of entries.entries()) {
    const kind =
      typeof entry === 'object' && entry !== null && 'sparkHome' in entry ? owned : foreign;
    const parsed = z.safeParse<z.core.$ZodType<Definition>>(kind, entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw unusable(
        [index, ...(issue?.path ?? [])].join('.') + ` ${issue?.message ?? ''}`.trimEnd(),
      );
    }
    if (kind === owned && 'master' in entry)
      throw unusable(`${index} has both master and sparkHome`);
    if (parsed.data.name === LOCAL || all.some(({ name }) => name === parsed.data.name))
      throw unusable(`the name ${parsed.data.name} is there twice`);
    all.push(parsed.data);
  }
  return all;
}

const unusable = (why: string) =>
  new Refusal(
    500,
    `The file clusters.json of this server cannot be used: ${why}. An administrator can correct it.`,
  );
