/** From the options of a command to a client that is signed in. */
import {
  createClient,
  isHttpError,
  isTidingError,
  type Client,
  type ClientOptions,
  type NoteEntry,
} from 'tiding/client';
import { isTrashed, normalizePath } from 'tiding/model';
import { wrongUsage, type Values } from './command.ts';
import { distance } from './distance.ts';
import { CommandError, EXIT } from './exit.ts';
import { readPassword, readToken } from './secret.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

/** Options of every command that talks to a server. */
export const connectionOptions = {
  server: {
    type: 'string',
    value: 'URL',
    help: `address of the server; else TIDING_SERVER, else ${DEFAULT_SERVER}`,
  },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'access token in the first line of a file; else TIDING_TOKEN',
  },
  user: {
    type: 'string',
    value: 'NAME',
    help: 'sign in by name; the password is asked for, or read from standard input',
  },
} as const;

/** Text of the help of every command that talks to a server. */
export const SECRETS = `A secret is never an argument, because everybody on a machine can read the arguments of its
processes: a token comes from TIDING_TOKEN or a file, a password from standard input. 'tiding token create NAME' makes a token.`;

/** Uses a client for as long as `act` takes. A session that was opened by password is ended after it. */
export async function withClient<T>(
  values: Values<typeof connectionOptions>,
  act: (client: Client) => Promise<T>,
  more: Partial<ClientOptions> = {},
): Promise<T> {
  const server = values.server ?? (process.env['TIDING_SERVER'] || DEFAULT_SERVER);
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw wrongUsage(`'${server}' is not the address of a server, such as ${DEFAULT_SERVER}`);
  if (values.user !== undefined && values['token-file'] !== undefined)
    throw wrongUsage('--user and --token-file exclude each other');
  const token =
    values.user !== undefined
      ? undefined
      : values['token-file'] !== undefined
        ? await readToken(values['token-file'])
        : process.env['TIDING_TOKEN'] || undefined;
  const client = createClient({
    server,
    ...(token === undefined ? {} : { auth: { token } }),
    ...more,
  });
  try {
    await reach(client, token !== undefined);
    await signIn(client, values.user, token !== undefined);
    return await act(client);
  } finally {
    client.close();
    // The call alone: the session's own logout would clear the journal as well.
    if (values.user !== undefined && client.session.current)
      await client.call('logout', { timeout: 2_000 }).catch(() => {});
  }
}

async function reach(client: Client, hasToken: boolean): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    // A token that is sent along is judged before anything is answered.
    if (hasToken && isHttpError(error) && (error.status === 401 || error.status === 403))
      throw tokenRefused();
    const reason = causeOf(error);
    throw new CommandError(
      EXIT.unreachable,
      `${client.server} cannot be reached${reason ? ` (${reason})` : ''}`,
      "Is the server running? 'tiding' starts one on this machine; --server names another.",
    );
  }
}

/** The innermost reason, in the words of the system: `ECONNREFUSED`. */
function causeOf(error: unknown): string | undefined {
  if (isHttpError(error)) return `it answered ${error.status}, as no server of this family does`;
  if (isTidingError(error, 'protocol')) return 'it does not answer as a server of this family';
  for (
    let each: unknown = error;
    typeof each === 'object' && each !== null;
    each = (each as { cause?: unknown }).cause
  ) {
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code)) return code;
  }
  return undefined;
}

async function signIn(client: Client, user: string | undefined, hasToken: boolean): Promise<void> {
  if (user !== undefined) {
    const password = await readPassword(`Password of ${user}: `);
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
          'Set TIDING_TOKEN, or use --token-file FILE or --user NAME.',
        );
  }
}

const tokenRefused = () =>
  new CommandError(EXIT.denied, 'the token was refused: it is wrong, turned off or out of date');

/** The note that `name` means: its id, or its whole path. Throws with exit code 5 and what may have been meant. */
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
      `several notes are called '${wanted}': say which by its id`,
      listed(same),
    );
  const near = suggest(
    notes.filter(({ path }) => !isTrashed(path)),
    wanted,
  );
  throw new CommandError(
    EXIT.unknown,
    `there is no note '${name}'`,
    near.length > 0 ? `Did you mean\n${listed(near)}` : "'tiding notes' lists what is there.",
  );
}

const listed = (notes: readonly NoteEntry[]) =>
  notes.map(({ id, path }) => `  ${id}  ${path}`).join('\n');
const SUGGESTIONS = 5;

/** Notes whose path or last part is about what was typed, the likeliest first. */
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
