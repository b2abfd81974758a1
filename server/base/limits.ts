/**
 * All upper bounds in one table, used for the server's options, its command line and its
 * documentation.
 */

/** An upper bound. */
interface Limit {
  readonly default: number;
  /** The limited quantity, with its unit. */
  readonly what: string;
}

/** Upper bounds by option name; each is a whole number of at least 1. */
export const SERVER_LIMITS = {
  maxMessageBytes: { default: 10_240_000, what: 'bytes of a live message' },
  maxImportBytes: {
    default: 50 * 2 ** 20,
    what: 'bytes of a note that is imported by REST, and of a piece of an upload',
  },
  maxFileBytes: { default: 2 ** 30, what: 'bytes of a data file that is uploaded' },
  maxBodyBytes: { default: 2 ** 20, what: 'bytes of any other REST body' },
  maxJsonDepth: { default: 64, what: 'levels of JSON in messages and bodies' },
  maxParagraphs: { default: 5_000, what: 'paragraphs of a note' },
  maxTextBytes: { default: 2 ** 20, what: 'bytes of the text of a paragraph' },
  maxOutputBytes: {
    default: 2 * 2 ** 20,
    what: 'bytes of stored output of a paragraph; the rest is cut, with a notice',
  },
  maxResultRows: {
    default: 10_000_000,
    what: 'rows of a full table stored beside the note; the rest is cut, with a notice',
  },
  maxResultBytes: { default: 2 * 2 ** 30, what: 'bytes of such a table' },
  maxResultsBytes: {
    default: 20 * 2 ** 30,
    what: 'bytes of all such tables; a new one that does not fit is cut, with a notice',
  },
  maxNoteBytes: {
    default: 10 * 2 ** 30,
    what: 'bytes of the data files and complete tables of a note; more are refused or cut',
  },
  maxUserBytes: {
    default: 20 * 2 ** 30,
    what: 'bytes of the data files of a user, and of files and tables of the notes they own',
  },
  maxSharedBytes: { default: 20 * 2 ** 30, what: 'bytes of the shared data files' },
  maxDocumentBytes: {
    default: 8 * 2 ** 20,
    what:
      'bytes of HTML pages and images of a paragraph; ' +
      'a page often contains the library that it uses',
  },
  maxNameBytes: { default: 255, what: 'bytes of one part of a path' },
  maxPathDepth: { default: 16, what: "parts of a path, including the note's name" },
  maxSockets: { default: 100, what: 'sockets a user may have open' },
  maxEmbedSockets: {
    default: 5_000,
    what: 'sockets that pages with embed tokens of one user may have open',
  },
  maxVisitorSockets: {
    default: 500,
    what: 'of these sockets from one address',
  },
  maxFrames: {
    default: 200,
    what: 'messages per second of one socket; five times as many in a burst',
  },
  maxQueuedBytes: {
    default: 8 * 2 ** 20,
    what: 'bytes queued for a slow socket before it is closed with 1013; the client reconnects',
  },
  maxUserQueuedBytes: {
    default: 128 * 2 ** 20,
    what: 'bytes queued for all sockets of a user, or of an embed token; then the slowest is ended',
  },
  maxEmbedQueuedBytes: {
    default: 256 * 2 ** 20,
    what: 'bytes queued for all sockets with embed tokens of one user; then the slowest is ended',
  },
  maxServerQueuedBytes: {
    default: 512 * 2 ** 20,
    what: 'bytes queued for all sockets; then the slowest of the user with most of them is ended',
  },
  maxRuns: { default: 4, what: 'paragraphs of one user that run at the same time; more wait' },
  maxInterpreters: {
    default: 40,
    what: 'processes of interpreters on the server; idle ones end to make room',
  },
  maxUserInterpreters: {
    default: 10,
    what: 'processes of interpreters that one user has started; idle ones end to make room',
  },
  maxIdleMs: {
    default: 3_600_000,
    what: 'milliseconds without a run after which the process of an interpreter ends',
  },
  maxEngineMegabytes: {
    default: 9_216,
    what: 'MB of memory of a process of the SQL engine, which ends beyond; one for each database',
  },
  maxRunMs: { default: 3_600_000, what: 'milliseconds a run may take' },
} as const satisfies Record<string, Limit>;

/** Name of a limit in the server's options. */
export type LimitName = keyof typeof SERVER_LIMITS;
/** Values of all limits. */
export type Limits = Record<LimitName, number>;

const names = Object.keys(SERVER_LIMITS) as LimitName[];
/**
 * Converts an option name to its command-line spelling: `maxQueuedBytes` becomes `queued-bytes`.
 */
export const flagOf = (name: LimitName): string =>
  name
    .slice(3)
    .replace(/(?!^)[A-Z]/g, '-$&')
    .toLowerCase();

/**
 * Returns all limits, with defaults for those not given. Throws if one is not a whole number of at
 * least 1.
 */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  for (const name of names) {
    const value = given[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new Error(
        `${name} (${SERVER_LIMITS[name].what}) must be a whole number of at least 1.`,
      );
  }
  return Object.fromEntries(
    names.map((name) => [name, given[name] ?? SERVER_LIMITS[name].default]),
  ) as Limits;
}

/**
 * Parses a command-line limit such as `paragraphs=500`. Throws an error with a user-readable
 * message.
 */
export function readLimit(text: string): Partial<Limits> {
  const [flag = '', value = ''] = text.split('=');
  const name = names.find((each) => flagOf(each) === flag.trim());
  if (!name)
    throw new Error(`There is no limit '${flag}'. Use one of ${names.map(flagOf).join(', ')}.`);
  const number = Number(value);
  if (value.trim() === '' || !Number.isSafeInteger(number) || number < 1)
    throw new Error(`${flag} (${SERVER_LIMITS[name].what}) must be a whole number of at least 1.`);
  return { [name]: number };
}

/** Formats a duration for users: `90 seconds`, `60 minutes`. */
export const timeText = (ms: number): string =>
  ms < 120_000 ? `${ms / 1_000} seconds` : `${Math.round(ms / 60_000)} minutes`;
