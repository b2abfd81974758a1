/**
 * The outputs of a paragraph as the store holds them.
 *
 * Streaming costs nothing per past byte: an append pushes to a chunk list that grows in place and makes a new small
 * record that is read up to its own `count`. Records are immutable to their readers; two records may share one list.
 */
import type { Results } from '../protocol/objects.ts';

/** One output: its text is the first `count` entries of `chunks`, joined. */
export interface Output {
  /** TEXT, HTML, ANGULAR, TABLE, IMG, SVG, NETWORK, NULL, or the magic of a spell. */
  readonly type: string;
  /** Grows in place behind the records that read it; never read past `count`. */
  readonly chunks: readonly string[];
  /** How many of the chunks are this output; `outputText` joins them. */
  readonly count: number;
  /**
   * Of a TABLE that the server keeps in full: how many rows it has, of which the text shows the first ones (`paragraph.rows`
   * reads all). Known when the run is over; absent elsewhere.
   */
  readonly rows?: number | undefined;
}

const texts = new WeakMap<Output, string>();

/** The whole text of an output; joined once a record. */
export function outputText(output: Output): string {
  let text = texts.get(output);
  if (text === undefined) {
    text = output.count === 1 ? output.chunks[0]! : output.chunks.slice(0, output.count).join('');
    texts.set(output, text);
  }
  return text;
}

/** A complete output; `rows` where its table is kept in full. */
export function output(type: string, data = '', rows?: number): Output {
  return {
    type,
    chunks: data === '' ? [] : [data],
    count: data === '' ? 0 : 1,
    ...(rows === undefined ? {} : { rows }),
  };
}

/** `previous` with `data` at its end; `previous` itself still reads as before. */
export function append(previous: Output, data: string): Output {
  if (data === '') return previous;
  const chunks = (
    previous.chunks.length === previous.count
      ? previous.chunks
      : previous.chunks.slice(0, previous.count)
  ) as string[];
  chunks.push(data);
  return { type: previous.type, chunks, count: previous.count + 1 };
}

/** The same text, of a table of so many rows. */
function withRows({ type, chunks, count }: Output, rows: number | undefined): Output {
  return { type, chunks, count, ...(rows === undefined ? {} : { rows }) };
}

/** Outputs of a final result; an equal output keeps its record, so that its view does not start again. */
export function outputsOf(
  results: Results | undefined,
  previous: readonly Output[] = [],
): readonly Output[] {
  const messages = results?.msg ?? [];
  const next = messages.map((message, index) => {
    const old = previous[index];
    if (old && old.type === message.type && outputText(old) === message.data)
      return old.rows === message.rows ? old : withRows(old, message.rows);
    return output(message.type, message.data, message.rows);
  });
  return next.length === previous.length && next.every((entry, index) => entry === previous[index])
    ? previous
    : next;
}
