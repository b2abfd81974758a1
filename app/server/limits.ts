/** How much of everything there may be: one table for the options of the server, its command line and its documentation. */

/** An upper bound. */
interface Limit {
  readonly default: number;
  /** In words, with the unit. */
  readonly what: string;
}

/** Upper bounds by the name of their option; each is a whole number from 1. */
export const LIMITS = {
  maxMessageBytes: { default: 10_240_000, what: 'bytes of a live message' },
  maxImportBytes: {
    default: 10_240_000,
    what: 'bytes of a note that is imported by REST; by default as many as a live message has',
  },
  maxBodyBytes: { default: 2 ** 20, what: 'bytes of any other REST body' },
  maxJsonDepth: { default: 64, what: 'levels of JSON in messages and bodies' },
  maxParagraphs: { default: 5_000, what: 'paragraphs of a note' },
  maxTextBytes: { default: 2 ** 20, what: 'bytes of the text of a paragraph' },
  maxOutputBytes: {
    default: 2 * 2 ** 20,
    what: 'bytes of stored output a paragraph; the rest is cut, with a notice',
  },
  maxResultRows: {
    default: 10_000_000,
    what: 'rows of a table that is kept in full beside the note; the rest is cut, with a notice',
  },
  maxResultBytes: { default: 2 * 2 ** 30, what: 'bytes of such a table' },
  maxDocumentBytes: {
    default: 8 * 2 ** 20,
    what: 'bytes of pages and pictures that a program shows as a whole, a paragraph; a page often carries its library along',
  },
  maxNameBytes: { default: 255, what: 'bytes of one part of a path' },
  maxPathDepth: { default: 16, what: "parts of a path, the note's own name among them" },
  maxSockets: { default: 20, what: 'sockets a user may have open' },
  maxFrames: {
    default: 200,
    what: 'messages a second of one socket over a while; five times as many at once',
  },
  maxQueuedBytes: {
    default: 8 * 2 ** 20,
    what: 'bytes that wait for a slow socket before it is closed (1013) and comes back',
  },
  maxRuns: { default: 4, what: 'paragraphs of one user that run at once; the next ones wait' },
  maxInterpreters: {
    default: 8,
    what: 'interpreters with processes of their own that are up at once',
  },
  maxRunMs: { default: 3_600_000, what: 'milliseconds a run may take' },
} as const satisfies Record<string, Limit>;

/** Name of a limit as an option of the server. */
export type LimitName = keyof typeof LIMITS;
/** All limits. */
export type Limits = Record<LimitName, number>;

const names = Object.keys(LIMITS) as LimitName[];
/** As the command line has it: `maxQueuedBytes` is `queued-bytes`. */
export const flagOf = (name: LimitName): string =>
  name
    .slice(3)
    .replace(/(?!^)[A-Z]/g, '-$&')
    .toLowerCase();

/** The limits that hold. Throws a sentence where one is no whole number from 1. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  for (const name of names) {
    const value = given[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new Error(`${name} is a whole number from 1: ${LIMITS[name].what}.`);
  }
  const limits = Object.fromEntries(
    names.map((name) => [name, given[name] ?? LIMITS[name].default]),
  ) as Limits;
  return { ...limits, maxImportBytes: given.maxImportBytes ?? limits.maxMessageBytes };
}

/** Reads `paragraphs=500`. Throws a sentence for people. */
export function readLimit(text: string): Partial<Limits> {
  const [flag = '', value = ''] = text.split('=');
  const name = names.find((each) => flagOf(each) === flag.trim());
  if (!name)
    throw new Error(`there is no limit '${flag}'; there are ${names.map(flagOf).join(', ')}`);
  const number = Number(value);
  if (value.trim() === '' || !Number.isSafeInteger(number) || number < 1)
    throw new Error(`${flag} is a whole number from 1: ${LIMITS[name].what}`);
  return { [name]: number };
}
