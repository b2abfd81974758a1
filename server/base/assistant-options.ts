/** Settings of the assistant, checked before the server starts. */
import { isSafeAddress } from './sso-options.ts';

/**
 * What the assistant may send to its model beside code and errors: `schemas`, the names and types
 * of tables, columns and variables; `results`, also values of variables and of charts.
 */
export const ASSISTANT_SENDS = ['schemas', 'results'] as const;

/** A model that answers questions of users, on a server with OpenAI's protocol. */
export interface AssistantOptions {
  /** Base address, such as `http://localhost:11434/v1`. Plain http is accepted on loopback only. */
  url: string;
  /** Name of the model at that server. */
  model: string;
  /** Secret that the server asks for; `undefined`: none. */
  key?: string | undefined;
  /** What may be sent; `schemas` by default. See {@link ASSISTANT_SENDS}. */
  sends: (typeof ASSISTANT_SENDS)[number];
}

/**
 * Returns the assistant of the given options and the environment; `undefined` without an address.
 * Throws an error with a user-readable message.
 */
export function assistantOptions(
  given: Partial<AssistantOptions> = {},
  env: NodeJS.ProcessEnv = process.env,
): AssistantOptions | undefined {
  const url = (given.url ?? env['TIDING_ASSISTANT_URL'] ?? '').replace(/\/+$/, '');
  if (url === '') return undefined;
  if (!isSafeAddress(url) || new URL(url).username !== '')
    throw new Error(
      'TIDING_ASSISTANT_URL is not an https URL without a login. Plain http is only accepted for ' +
        'a model on this machine, such as http://localhost:11434/v1.',
    );
  const model = given.model ?? env['TIDING_ASSISTANT_MODEL'] ?? '';
  if (model === '')
    throw new Error('The assistant needs the name of a model. Set TIDING_ASSISTANT_MODEL.');
  const sends = given.sends ?? (env['TIDING_ASSISTANT_SENDS'] || 'schemas');
  const known = ASSISTANT_SENDS.find((each) => each === sends);
  if (!known)
    throw new Error(
      `TIDING_ASSISTANT_SENDS can be ${ASSISTANT_SENDS.join(' or ')}, not '${sends}'.`,
    );
  const key = given.key ?? (env['TIDING_ASSISTANT_KEY'] || undefined);
  return { url, model, key, sends: known };
}
