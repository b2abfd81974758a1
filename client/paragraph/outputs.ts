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

/** A complete output. */
export function output(type: string, data = ''): Output {
  return { type, chunks: data === '' ? [] : [data], count: data === '' ? 0 : 1 };
}

/** `previous` with `data` at its end; `previous` itself still reads as before. */
export function append(previous: Output, data: string): Output {
  if (data === '') return previous;
  const chunks = (
    previous.chunks.length === previous.count ? previous.chunks : previous.chunks.slice(0, previous.count)
  ) as string[];
  chunks.push(data);
  return { type: previous.type, chunks, count: previous.count + 1 };
}

/** Outputs of a final result; an equal output keeps its record, so that its view does not start again. */
export function outputsOf(results: Results | undefined, previous: readonly Output[] = []): readonly Output[] {
  const messages = results?.msg ?? [];
  const next = messages.map((message, index) => {
    const old = previous[index];
    return old && old.type === message.type && outputText(old) === message.data ? old : output(message.type, message.data);
  });
  return next.length === previous.length && next.every((entry, index) => entry === previous[index]) ? previous : next;
}
