/**
 * Outputs of paragraphs as JSON text in bytes. All messages that contain an output share its bytes,
 * which are freed when no message needs them.
 */
import { setImmediate } from 'node:timers/promises';

/** Outputs of at least this many characters are encoded on their own. */
const LONG = 4_096;
/** Time for encoding outputs before other work has its turn, in ms. */
const TURN_MS = 10;

/** An output of a paragraph, or a message that contains one. */
interface Output {
  readonly data?: unknown;
}

const known = new WeakMap<Output, { text: string; bytes: WeakRef<Buffer> }>();

/** Returns the JSON text of a long output; `undefined` for all other values. */
export function outputPart(output: Output): Buffer | undefined {
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

/**
 * Encodes the outputs of paragraphs, with pauses in which other messages are handled. The result
 * keeps the bytes until a message with these outputs is encoded.
 */
export async function encodeOutputs(
  paragraphs: readonly { readonly results?: { readonly msg?: readonly Output[] | undefined } }[],
): Promise<Buffer[]> {
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
