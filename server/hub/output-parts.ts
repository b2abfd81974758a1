/**
 * Outputs of paragraphs as JSON text in bytes. All messages that contain an output share its bytes,
 * which are freed when no message needs them.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Outputs of at least this many characters are encoded on their own. */
const LONG = 4_096;
/** Time for encoding outputs before other work has its turn, in ms. */
const TURN_MS = 10;

/** Stands for a long output in the JSON text of a value. Random, so that no text contains it. */
const MARK = randomUUID();

/** An output of a paragraph, or a message that contains one. */
interface Output {
  readonly data?: unknown;
}

const known = new WeakMap<Output, { text: string; bytes: WeakRef<Buffer> }>();

/** Returns the JSON text of a long output; `undefined` for all other values. */
function outputPart(output: Output): Buffer | undefined {
  const { data: text } = output;
  if (typeof text !== 'string' || text.length < LONG) return undefined;
  const before = known.get(output);
  // An output that grows has another text.
  const shared = before?.text === text ? before.bytes.deref() : undefined;
  if (shared) return shared;
  const json = JSON.stringify(text);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  known.set(output, { text, bytes: new WeakRef(bytes) });
  return bytes;
}

/** What contains outputs. */
interface WithOutputs {
  readonly paragraphs?:
    | readonly { readonly results?: { readonly msg?: readonly Output[] | undefined } | undefined }[]
    | undefined;
}

/**
 * Encodes the outputs of a note, with pauses in which other messages are handled. The result keeps
 * the bytes until a message or file with these outputs is encoded.
 */
export async function encodeOutputs({ paragraphs = [] }: WithOutputs): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let began = performance.now();
  for (const { results } of paragraphs)
    for (const output of results?.msg ?? []) {
      const part = outputPart(output);
      if (part) parts.push(part);
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
  return parts;
}

/** Encodes the outputs of a note, and keeps their bytes during `work`, which encodes the note. */
export async function withOutputs<T>(note: WithOutputs, work: () => T | Promise<T>): Promise<T> {
  const outputs = await encodeOutputs(note);
  const result = await work();
  outputs.length = 0;
  return result;
}

/**
 * Encodes what `form` returns as JSON with an indentation of two, in pieces. `form` is called when
 * the outputs of the note are encoded, so that the result is the note at that moment.
 */
export const fileParts = (note: WithOutputs, form: () => unknown): Promise<Buffer[]> =>
  withOutputs(note, () => jsonParts(form(), 2));

/** Encodes a value as JSON. Long outputs are the same buffers in every result. */
export function jsonParts(value: unknown, indent?: number): Buffer[] {
  const outputs: Buffer[] = [];
  const text = JSON.stringify(markOutputs(value, outputs), null, indent);
  if (outputs.length === 0) return [bytesOf(text)];
  const [first, ...rest] = text.split(`"${MARK}"`);
  return [bytesOf(first!), ...rest.flatMap((next, at) => [outputs[at]!, bytesOf(next)])];
}

/** Unlike `Buffer.from`, never keeps a pool of other buffers alive. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Copies a value with a mark for each long output, and collects the outputs in `found`. */
function markOutputs(value: unknown, found: Buffer[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, before] of Object.entries(value)) {
    const part = key === 'data' ? outputPart(value as { data: unknown }) : undefined;
    if (part) found.push(part);
    const after = part ? MARK : markOutputs(before, found);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = after;
  }
  return copy ?? value;
}
