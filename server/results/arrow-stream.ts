/** Encodes Arrow streams piece by piece (start, batches, end) and decodes their messages. */
import { writeMissingBooleans } from '@tiding/client/model';
import { Message, type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow';
import { VectorAssembler } from 'apache-arrow/visitor/vectorassembler';

writeMissingBooleans(VectorAssembler);

/** End of a stream: the continuation marker and a length of 0. */
export const END = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
/** Length of the prefix of a message: the marker and the length of its metadata, in bytes. */
export const PREFIX = 8;
const MARK = 0xffffffff;

/** Encoder of a stream. `head`, the batches and {@link END}, concatenated, are a valid stream. */
export interface StreamPieces {
  readonly head: Uint8Array;
  batch(batch: RecordBatch): Uint8Array;
}

/**
 * Returns an encoder for streams with these columns. Dictionary-encoded columns are not supported,
 * because dictionaries are separate messages.
 */
export function piecesOf(schema: Schema): StreamPieces {
  /**
   * Encodes a complete stream with one batch. All of it except the batch is the same for every
   * stream of these columns.
   */
  const whole = (batch?: RecordBatch) => {
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, schema);
    if (batch) writer.write(batch);
    return writer.finish().toUint8Array(true);
  };
  const head = whole().subarray(0, -END.length);
  return { head, batch: (batch) => whole(batch).subarray(head.length, -END.length) };
}

/** Location and content of a message in a stream. */
interface StreamMessage {
  readonly kind: 'schema' | 'batch' | 'end';
  readonly rows: number;
  /** Offset of the next message. */
  readonly end: number;
  /** Columns, if this is a schema. */
  readonly schema?: Schema;
}

/**
 * Reads the message at an offset of a file with `size` bytes. Throws if there is no complete
 * message, or if it is of a kind that the server does not write (a dictionary).
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
