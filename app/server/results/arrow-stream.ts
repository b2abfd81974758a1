/** Arrow streams in pieces: what begins one, each batch, and what ends it. */
import { Message, RecordBatchStreamWriter, type RecordBatch, type Schema } from 'apache-arrow';

/** What ends a stream: the mark of a message, and none. */
export const END = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
/** In front of each message: a mark, and the length of its description, a multiple of 8. */
export const PREFIX = 8;
const MARK = 0xffffffff;

/** Makes the pieces of one stream; joined, with {@link END} last, they are the stream. */
export interface StreamPieces {
  readonly head: Uint8Array;
  batch(batch: RecordBatch): Uint8Array;
}

/** The pieces of a stream of these columns. Columns with a dictionary are no piece of their own: there must be none. */
export function piecesOf(schema: Schema): StreamPieces {
  /** A stream of its own around a batch, of which all but the batch is what every stream of these columns has. */
  const whole = (batch?: RecordBatch) => {
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, schema);
    if (batch) writer.write(batch);
    return writer.finish().toUint8Array(true);
  };
  const head = whole().subarray(0, -END.length);
  return { head, batch: (batch) => whole(batch).subarray(head.length, -END.length) };
}

/** A message of a stream: what it is, where it ends, and its rows. */
export interface StreamMessage {
  readonly kind: 'schema' | 'batch' | 'end';
  readonly rows: number;
  /** Where the next one begins. */
  readonly end: number;
  /** Of a schema: its columns. */
  readonly schema?: Schema;
}

/**
 * The message at a place of a file of `size` bytes. Throws where there is none, where it is not whole, and where it is one that a
 * stream of ours does not have (a dictionary).
 */
export async function messageAt(
  read: (at: number, length: number) => Promise<Uint8Array>,
  at: number,
  size: number,
): Promise<StreamMessage> {
  const broken = () => new Error('not an Arrow stream');
  if (at + PREFIX > size) throw broken();
  const prefix = await read(at, PREFIX);
  const view = new DataView(prefix.buffer, prefix.byteOffset, PREFIX);
  if (view.getUint32(0, true) !== MARK) throw broken();
  const length = view.getInt32(4, true);
  if (length === 0) return { kind: 'end', rows: 0, end: at + PREFIX };
  if (length < 0 || at + PREFIX + length > size) throw broken();
  const message = Message.decode(await read(at + PREFIX, length));
  const end = at + PREFIX + length + message.bodyLength;
  if (end > size) throw broken();
  if (message.isSchema()) return { kind: 'schema', rows: 0, end, schema: message.header() };
  if (message.isRecordBatch()) return { kind: 'batch', rows: message.header().length, end };
  throw broken();
}
