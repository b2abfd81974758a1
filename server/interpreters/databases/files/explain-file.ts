/** Explains errors of database files. */
import type { DatabaseProblem, ProblemContext } from '../driver.ts';
import { FileEnded, FileInUse } from './file-connection.ts';
import { READ_ONLY } from './file-messages.ts';
import { FilePathProblem } from './file-path.ts';

/** Messages of the engines about a file, what they mean, and what to do next. */
const known: readonly (readonly [pattern: RegExp, meaning: string, advice: string])[] = [
  [
    /conflicting lock|could not set lock|database is locked/i,
    'is open in another program, which excludes others',
    'Close it there, and try again.',
  ],
  [
    /encrypted database|file is encrypted/i,
    'is encrypted',
    'Copy its tables to a file that is not; connections have no key.',
  ],
  [
    /not a valid DuckDB database|file is not a database|not an? .*database file/i,
    'is not a database of this kind',
    'Correct the path, or choose the kind of database that wrote the file.',
  ],
  [
    /database disk image is malformed|corrupt|serialization|storage version/i,
    'is damaged, or a newer version wrote it',
    'Open it with the program that wrote it, and export its tables.',
  ],
  [
    /permission denied|unable to open database file|cannot open file/i,
    "can't be read by the account of the server",
    'Give the account the right to read the file and its folder, and without readOnly to write.',
  ],
];

/** Explains an error while a file is opened, or that of a statement. */
export function explainFile(error: unknown, context: ProblemContext): DatabaseProblem {
  const { setting, target } = context;
  const { message } = error as Error;
  if (error instanceof FilePathProblem) return { message, advice: error.advice };
  if (error instanceof FileInUse)
    return {
      message: `${target.database} is being read through another connection.`,
      advice: 'Use that connection, or restart it on the page Interpreters, and try again.',
    };
  if (error instanceof FileEnded)
    return {
      message: `The process that had ${target.database} open has ended (${message}).`,
      advice:
        'Run the paragraph again, which opens it again. Select less if it needed too much memory.',
      cause: 'lost',
    };
  if (message === READ_ONLY || /read-only mode/.test(message))
    return {
      message: 'The statement would change the file or open another one.',
      advice: `The connection ${setting} only reads. Use SELECT.`,
    };
  const { position, text } = parts(message);
  const found = known.find(([pattern]) => pattern.test(text));
  if (found && position === undefined)
    return { message: `${target.database} ${found[1]}.`, advice: found[2] };
  return { message: text, position };
}

/** The text of an error, and where it is. DuckDB sends both as JSON. */
function parts(message: string): { text: string; position?: number | undefined } {
  if (!message.startsWith('{')) {
    const json = message.indexOf(': {"');
    // Some errors have a prefix before the JSON, such as `Failed to extract statements`.
    if (json < 0) return { text: message };
    return parts(message.slice(json + 2));
  }
  try {
    const value = JSON.parse(message) as Record<string, string>;
    const text = `${value['exception_type']} Error: ${value['exception_message']}`;
    return value['position'] === undefined
      ? { text }
      : { text, position: Number(value['position']) };
  } catch {
    return { text: message };
  }
}
