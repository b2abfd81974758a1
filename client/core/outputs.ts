/**
 * Outputs of a paragraph, as stored in the client state.
 *
 * The cost of streaming does not depend on the length of the output: an append pushes to a list of
 * chunks that grows in place, and creates a small new record with a larger `count`. Records are
 * immutable for readers; several may share one list.
 */
import type { ColumnType } from '../model/tables/column-type.ts';
import type { Results } from '../protocol/objects.ts';

/**
 * One output of a paragraph. Its text is the first `count` entries of `chunks`; read it with {@link
 * outputText}.
 */
export interface Output {
  /**
   * TEXT, HTML, ANGULAR, TABLE, IMG, SVG, NETWORK, TERMINAL, INPUT, NULL, or the magic of a spell.
   */
  readonly type: string;
  /** Chunks of the text. The list may grow; never read beyond `count`. */
  readonly chunks: readonly string[];
  /** Number of chunks that belong to this output. */
  readonly count: number;
  /**
   * Total number of rows of a TABLE that the server stores completely; the text contains only the
   * first ones, and `paragraph.rows` reads all. Set when the run has ended; otherwise absent.
   */
  readonly rows?: number | undefined;
  /**
   * Number of rows of a TABLE that are stored so far, while the run stores all of them. The text
   * contains the first ones.
   */
  readonly storedRows?: number | undefined;
  /**
   * Type of each column, if the server knows them. Otherwise absent, and types are guessed from
   * the text.
   */
  readonly columnTypes?: readonly ColumnType[] | undefined;
}

type TableMetadata = Pick<Output, 'rows' | 'columnTypes' | 'storedRows'>;

const pickMetadata = ({ rows, columnTypes, storedRows }: TableMetadata): TableMetadata => ({
  ...(storedRows === undefined ? {} : { storedRows }),
  ...(rows === undefined ? {} : { rows }),
  ...(columnTypes === undefined ? {} : { columnTypes }),
});

const textCache = new WeakMap<Output, string>();

/** Returns the complete text of an output. The result is cached per record. */
export function outputText(output: Output): string {
  let text = textCache.get(output);
  if (text === undefined) {
    text = output.count === 1 ? output.chunks[0]! : output.chunks.slice(0, output.count).join('');
    textCache.set(output, text);
  }
  return text;
}

/** Creates a complete output. `metadata` describes its table beyond what the text contains. */
export function createOutput(type: string, data = '', metadata: TableMetadata = {}): Output {
  return {
    type,
    chunks: data === '' ? [] : [data],
    count: data === '' ? 0 : 1,
    ...pickMetadata(metadata),
  };
}

/**
 * Returns an output with `data` appended, or with another number of stored rows. Readers of
 * `previous` see no change.
 */
export function appendToOutput(previous: Output, data: string, storedRows?: number): Output {
  if (data === '') {
    if (storedRows === undefined) return previous;
    return withMetadata(previous, { ...previous, storedRows });
  }
  const chunks = (
    previous.chunks.length === previous.count
      ? previous.chunks
      : previous.chunks.slice(0, previous.count)
  ) as string[];
  chunks.push(data);
  return { type: previous.type, chunks, count: previous.count + 1 };
}

/** Returns an output with the same text and new table metadata. */
function withMetadata({ type, chunks, count }: Output, metadata: TableMetadata): Output {
  return { type, chunks, count, ...pickMetadata(metadata) };
}

const hasSameMetadata = (a: TableMetadata, b: TableMetadata): boolean =>
  a.rows === b.rows &&
  a.storedRows === b.storedRows &&
  a.columnTypes?.join() === b.columnTypes?.join();

/**
 * Returns the outputs of a final result. An unchanged output keeps its record, so that its view is
 * not rebuilt.
 */
export function outputsOf(
  results: Results | undefined,
  previous: readonly Output[] = [],
): readonly Output[] {
  const messages = results?.msg ?? [];
  const next = messages.map((message, index) => {
    const old = previous[index];
    if (old && old.type === message.type && outputText(old) === message.data)
      return hasSameMetadata(old, message) ? old : withMetadata(old, message);
    return createOutput(message.type, message.data, message);
  });
  return next.length === previous.length && next.every((entry, index) => entry === previous[index])
    ? previous
    : next;
}
