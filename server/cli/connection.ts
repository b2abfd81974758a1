/** Creates a signed-in client from a command's options. */
import {
  type Client,
  type ClientOptions,
  createClient,
  isHttpError,
  isTidingError,
  type NoteEntry,
} from '@tiding/client';
import { checkNotePath, isTrashed, normalizePath } from '@tiding/client/model';
import { distance } from '../base/edit-distance.ts';
import {
  type CommandSpec,
  command,
  type Invocation,
  type OptionSpecs,
  type OptionValues,
  wrongUsage,
} from './command.ts';
import { CommandError, EXIT } from './exit.ts';
import { readLogins } from './logins.ts';
import { NO_PASSWORD, readPassword, readToken } from './secret.ts';
import type { CommandIo, Terminal } from './terminal.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

/** Heading of these options in the help. */
const CONNECTION = 'Connection options:';

/** Options of all commands that connect to a server. */
const connectionOptions = {
  server: {
    value: 'url',
    help: `server URL; default: TIDING_SERVER, else that of the last login, else ${DEFAULT_SERVER}`,
    group: CONNECTION,
  },
  tokenFile: {
    value: 'file',
    help: 'file with an access token in its first line; default: TIDING_TOKEN, else the login',
    group: CONNECTION,
  },
  user: {
    value: 'name',
    help: 'sign in as this user; the password is prompted for or read from standard input',
    group: CONNECTION,
  },
} as const satisfies OptionSpecs;

/** Help text of all commands that connect to a server. */
const SECRETS =
  'Secrets cannot be passed as arguments, because everybody on a machine can read the ' +
  'arguments of its processes. A token is read from TIDING_TOKEN or a file, a password ' +
  "from standard input. 'tiding login' stores a token, 'tiding token create <user>' creates one.";

/** Values of the options of a command that connects to a server. */
export type ConnectionValues = OptionValues<typeof connectionOptions>;

/** A command that connects to a server. `connect` runs its act with a signed-in client. */
interface ClientCommandSpec<Options extends OptionSpecs>
  extends Omit<CommandSpec<Options>, 'run' | 'details'> {
  readonly details?: readonly string[];
  run(
    invocation: Invocation<Options & typeof connectionOptions> & {
      /** Resolves with the exit code that the act returns; without one, it is 0. */
      connect(
        act: (client: Client) => Promise<number | undefined | void>,
        more?: Partial<ClientOptions>,
      ): Promise<number>;
    },
  ): Promise<number>;
}

/** Defines a command that connects to a server: it also has the options and the help for that. */
export const clientCommand = <const Options extends OptionSpecs>({
  details = [],
  options,
  run,
  ...spec
}: ClientCommandSpec<Options>): CommandSpec =>
  command({
    ...spec,
    options: { ...options, ...connectionOptions },
    details: [...details, SECRETS],
    run: (invocation) =>
      run({
        ...(invocation as Invocation<Options & typeof connectionOptions>),
        connect: async (act, more) =>
          (await withClient(invocation as Invocation<typeof connectionOptions>, act, more)) ??
          EXIT.done,
      }),
  });

/**
 * Returns the address of the server: `--server`, else TIDING_SERVER, else the server of the last
 * login, without a trailing slash.
 */
export async function serverOf(
  io: CommandIo,
  { server: given }: Pick<ConnectionValues, 'server'>,
): Promise<string> {
  const server =
    given ?? (io.env['TIDING_SERVER'] || ((await readLogins(io)).current ?? DEFAULT_SERVER));
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw wrongUsage(`'${server}' is not a server URL, such as ${DEFAULT_SERVER}`);
  return server.replace(/\/+$/, '');
}

/** Runs `act` with a client. A session opened with a password is ended afterwards. */
export async function withClient<T>(
  { io, values }: { io: CommandIo; values: ConnectionValues },
  act: (client: Client) => Promise<T>,
  more: Partial<ClientOptions> = {},
): Promise<T> {
  const server = await serverOf(io, values);
  if (values.user !== undefined && values.tokenFile !== undefined)
    throw wrongUsage('--user and --token-file cannot be combined');
  const token =
    values.user !== undefined
      ? undefined
      : values.tokenFile !== undefined
        ? await readToken(io, values.tokenFile)
        : io.env['TIDING_TOKEN'] || (await readLogins(io)).servers[server]?.token;
  const client = createClient({
    server,
    ...(token === undefined ? {} : { auth: { token } }),
    ...more,
  });
  try {
    await reach(client, token !== undefined);
    await signIn(client, io, values.user, token !== undefined);
    return await act(client);
  } finally {
    client.close();
    // Only the REST call: the session's own logout would also clear the journal.
    if (values.user !== undefined && client.session.current)
      await client.call('logout', { timeout: 2_000 }).catch(() => {});
  }
}

/** Returns a client that is signed in with an access token. The caller closes it. */
export async function withToken(
  { io, values }: { io: CommandIo; values: ConnectionValues },
  token: string,
  more: Partial<ClientOptions> = {},
): Promise<Client> {
  const client = createClient({ server: await serverOf(io, values), auth: { token }, ...more });
  try {
    await reach(client, true);
    await signIn(client, io, undefined, true);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

async function reach(client: Client, hasToken: boolean): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    // The server checks a token before it handles any call.
    const isRefused = isHttpError(error) && (error.status === 401 || error.status === 403);
    if (hasToken && (isRefused || isTidingError(error, 'signed-out'))) throw tokenRefused();
    const reason = causeOf(error);
    throw new CommandError(
      EXIT.unreachable,
      `${client.server} cannot be reached${reason ? ` (${reason})` : ''}`,
      "Is the server running? 'tiding' starts one on this machine; --server names another.",
    );
  }
}

/** Returns the innermost cause as a system error code, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string | undefined {
  if (isHttpError(error))
    return `it responded with status ${error.status}, so it is not a Tiding server`;
  if (isTidingError(error, 'protocol')) return 'it does not respond like a Tiding server';
  let each = error as NodeJS.ErrnoException | undefined;
  while (each && !/^[A-Z][A-Z_\d]+$/.test(each.code ?? '')) each = each.cause as typeof each;
  return each?.code;
}

async function signIn(
  client: Client,
  io: CommandIo,
  user: string | undefined,
  hasToken: boolean,
): Promise<void> {
  if (user !== undefined) {
    const password = await readPassword(io, `Password of ${user}: `);
    if (password === '') throw new CommandError(EXIT.usage, NO_PASSWORD);
    try {
      await client.session.login(user, password);
    } catch (error) {
      if (isHttpError(error) && (error.status === 401 || error.status === 403))
        throw new CommandError(EXIT.denied, `${user} cannot sign in: ${error.message}`);
      throw error;
    }
    return;
  }
  try {
    await client.session.ticket();
  } catch (error) {
    const refused =
      isTidingError(error, 'signed-out') ||
      (isHttpError(error) && [401, 403, 405].includes(error.status));
    if (!refused) throw error;
    throw hasToken
      ? tokenRefused()
      : new CommandError(
          EXIT.denied,
          'not signed in',
          "Set TIDING_TOKEN, run 'tiding login', or use --token-file <file> or --user <name>.",
        );
  }
}

const tokenRefused = () =>
  new CommandError(EXIT.denied, 'the token was rejected: it is invalid, disabled or expired');

/** Throws if a note can't have a path, for the command `name`. */
export function checkPath(path: string, name: string): void {
  const problem = normalizePath(path) === '' ? 'it is empty' : checkNotePath(path);
  if (problem) throw wrongUsage(`the path '${path}' is not valid: ${problem}`, name);
}

/** Finds a note by its id or full path. Throws with exit code 5 and suggestions. */
export async function findNote(client: Client, name: string): Promise<NoteEntry> {
  const notes = await client.notes.list();
  const byId = notes.find(({ id }) => id === name);
  if (byId) return byId;
  const wanted = normalizePath(name.normalize('NFC').trim());
  const same = notes.filter(({ path }) => path === wanted);
  if (same.length === 1) return same[0]!;
  if (same.length > 1)
    throw new CommandError(
      EXIT.unknown,
      `several notes are called '${wanted}'; use an id`,
      listed(same),
    );
  const near = suggest(
    notes.filter(({ path }) => !isTrashed(path)),
    wanted,
  );
  throw new CommandError(
    EXIT.unknown,
    `there is no note '${name}'`,
    near.length > 0 ? `Did you mean\n${listed(near)}` : "Run 'tiding notes' to list the notes.",
  );
}

/** Finds several notes; if one is missing, none is returned. */
export async function findNotes(client: Client, names: readonly string[]): Promise<NoteEntry[]> {
  const notes = [];
  for (const name of names) notes.push(await findNote(client, name));
  return notes;
}

/** Prints the id of a note, or with `--json` its id and path, and says what happened to it. */
export async function printNote(
  client: Client,
  id: string,
  done: string,
  { json }: { json?: boolean | undefined },
  terminal: Terminal,
): Promise<void> {
  const path = (await client.notes.list()).find((note) => note.id === id)?.path;
  await terminal.line(json ? JSON.stringify({ id, path }) : id);
  if (path !== undefined && !json) terminal.status(`${done} ${path}`);
}

const listed = (notes: readonly NoteEntry[]) =>
  notes.map(({ id, path }) => `  ${id}  ${path}`).join('\n');
const SUGGESTIONS = 5;

/** Returns notes whose path or last segment resembles the input, the best match first. */
function suggest(notes: readonly NoteEntry[], wanted: string): NoteEntry[] {
  const text = wanted.toLowerCase();
  if (text === '') return [];
  const score = ({ path }: NoteEntry) => {
    const whole = path.toLowerCase();
    const last = whole.slice(whole.lastIndexOf('/') + 1);
    if (last === text) return 0;
    if (whole.includes(text)) return 1;
    const far = Math.min(distance(whole, text), distance(last, text));
    return far <= Math.max(1, Math.floor(text.length / 3)) ? 1 + far : Infinity;
  };
  return notes
    .map((note) => ({ note, score: score(note) }))
    .filter(({ score: each }) => each < Infinity)
    .sort((a, b) => a.score - b.score || (a.note.path < b.note.path ? -1 : 1))
    .slice(0, SUGGESTIONS)
    .map(({ note }) => note);
}
