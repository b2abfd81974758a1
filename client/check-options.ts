import { TidingError } from './core/errors.ts';

const EXAMPLE = "'https://notebooks.example.com'";

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isAuth = (auth: unknown): boolean => {
  const { token } = (auth ?? {}) as { token?: unknown };
  return auth === 'cookie' || typeof token === 'string' || isFunction(token);
};

/** The optional options: whether a value is valid, and what it must be. */
const rules: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  auth: [isAuth, "'cookie' or { token } with a text or a function"],
  journal: [
    (value) => isFunction((value as { put?: unknown } | null)?.put),
    'a journal such as memoryJournal()',
  ],
  scheduler: [isFunction, 'a function'],
  autosave: [isTime, 'a number of milliseconds'],
  timeout: [isTime, 'a number of milliseconds'],
  fetch: [isFunction, 'a function'],
  transport: [isFunction, 'a function'],
  live: [
    (value) => ['auto', 'socket', 'rest'].includes(value as string),
    "'auto', 'socket' or 'rest'",
  ],
  backoff: [isFunction, 'a function'],
  initial: [(value) => typeof value === 'object', 'answers of the server'],
};

function addressProblem(server: unknown): string | undefined {
  if (typeof server !== 'string' || server === '')
    return `The option 'server' is missing: pass the address of a server, such as ${EXAMPLE}.`;
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return `Invalid server address '${server}': it must start with http:// or https://.`;
  return url.username || url.password || url.search || url.hash
    ? `Invalid server address '${server}': it may only have a host, a port and a path.`
    : undefined;
}

/** Throws `protocol` with a sentence for each invalid option. */
export function checkOptions(options: unknown): void {
  const { server, ...others } = (
    typeof options === 'object' && options !== null ? options : {}
  ) as Record<string, unknown>;
  const problems = [addressProblem(server)];
  for (const [name, value] of Object.entries(others)) {
    const [isValid, wanted] = (Object.hasOwn(rules, name) && rules[name]) || [];
    if (!isValid)
      problems.push(
        `Unknown option '${name}'${name === 'token' ? ': pass it as auth: { token }' : ''}.`,
      );
    else if (value !== undefined && !isValid(value))
      problems.push(`The option '${name}' must be ${wanted}.`);
  }
  const message = problems.filter((problem) => problem !== undefined).join(' ');
  if (message !== '') throw new TidingError('protocol', message, { operation: 'createClient' });
}
