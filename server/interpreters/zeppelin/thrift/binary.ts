/**
 * Thrift's binary protocol on a socket, without frames.
 *
 * Apache's package for Node reads a message again from its beginning with each piece that arrives,
 * and has no upper bound for its size. Interpreters send outputs of many megabytes.
 */
import type { Socket } from 'node:net';
import type { ThriftFields, ThriftType } from './types.ts';

/** Kinds of messages. */
export const CALL = 1;
export const REPLY = 2;
export const EXCEPTION = 3;
export const ONEWAY = 4;

const VERSION = 0x8001;
const STOP = 0;
const MAX_DEPTH = 64;
/** Maximum number of bytes of a message. */
const MAX_MESSAGE = 256 * 2 ** 20;
/** Maximum number of entries of a list or map. */
const MAX_ENTRIES = 1_000_000;

const codes = { bool: 2, byte: 3, double: 4, i16: 6, i32: 8, i64: 10, string: 11 } as const;
const STRUCT = 12;
const MAP = 13;
const SET = 14;
const LIST = 15;

/** The other side has closed the connection. */
export class ConnectionEnded extends Error {
  override readonly name: string = 'ConnectionEnded';
}

/** What arrives is not Thrift, or another Thrift than described. */
export class ThriftMismatch extends Error {
  override readonly name: string = 'ThriftMismatch';
}

/** The beginning of a message. */
export interface MessageHead {
  readonly kind: number;
  readonly name: string;
  readonly sequence: number;
}

function codeOf(type: ThriftType): number {
  if (type === 'binary') return codes.string;
  if (typeof type === 'string') return codes[type];
  if ('list' in type) return LIST;
  return 'map' in type ? MAP : STRUCT;
}

/**
 * Reads messages from a socket. What is not read yet waits in the socket, which holds back more.
 */
export class MessageReader {
  readonly #socket: Socket;
  #wake: (() => void) | undefined;
  #left = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    const wake = (): void => {
      this.#wake?.();
      this.#wake = undefined;
    };
    for (const event of ['readable', 'end', 'close', 'error']) socket.on(event, wake);
  }

  /** Reads bytes that are not part of a message. */
  prefix(count: number): Promise<Buffer> {
    this.#left = count;
    return this.#take(count);
  }

  /** Waits for the next message. Rejects with {@link ConnectionEnded} if there is no more. */
  async head(): Promise<MessageHead> {
    this.#left = MAX_MESSAGE;
    const start = await this.#take(4);
    if (start.readUInt16BE(0) !== VERSION)
      throw new ThriftMismatch('The message is not one of the binary protocol of Thrift.');
    const name = (await this.#bytes()).toString();
    return { kind: start.readUInt8(3), name, sequence: await this.#int() };
  }

  /** Reads a struct. Unknown fields, and those of another type, are skipped. */
  async struct(fields: ThriftFields, depth = 0): Promise<Record<string, unknown>> {
    checkDepth(depth);
    const known = new Map(Object.entries(fields).map(([name, [id, type]]) => [id, { name, type }]));
    const values: Record<string, unknown> = {};
    for (let code = await this.#byte(); code !== STOP; code = await this.#byte()) {
      const field = known.get((await this.#take(2)).readInt16BE(0));
      if (field && codeOf(field.type) === code)
        values[field.name] = await this.#value(field.type, depth);
      else await this.#skip(code, depth);
    }
    return values;
  }

  async #value(type: ThriftType, depth: number): Promise<unknown> {
    if (type === 'i32') return this.#int();
    if (type === 'string') return (await this.#bytes()).toString();
    if (type === 'binary') return this.#bytes();
    if ('struct' in type) return this.struct(type.struct, depth + 1);
    if ('list' in type) {
      const code = await this.#byte();
      const count = await this.#count();
      checkCode(count, code, type.list);
      const values: unknown[] = [];
      while (values.length < count) values.push(await this.#value(type.list, depth + 1));
      return values;
    }
    const [keyCode, valueCode] = await this.#take(2);
    const count = await this.#count();
    checkCode(count, keyCode, 'string');
    checkCode(count, valueCode, type.map);
    const entries: [string, unknown][] = [];
    while (entries.length < count)
      entries.push([(await this.#bytes()).toString(), await this.#value(type.map, depth + 1)]);
    return Object.fromEntries(entries);
  }

  async #skip(code: number, depth: number): Promise<void> {
    checkDepth(depth);
    if (code === codes.bool || code === codes.byte) await this.#take(1);
    else if (code === codes.i16) await this.#take(2);
    else if (code === codes.i32) await this.#take(4);
    else if (code === codes.i64 || code === codes.double) await this.#take(8);
    else if (code === codes.string) await this.#bytes();
    else if (code === STRUCT)
      for (let each = await this.#byte(); each !== STOP; each = await this.#byte()) {
        await this.#take(2);
        await this.#skip(each, depth + 1);
      }
    else if (code === MAP || code === SET || code === LIST) {
      const types = await this.#take(code === MAP ? 2 : 1);
      for (let count = await this.#count(); count > 0; count -= 1)
        for (const each of types) await this.#skip(each, depth + 1);
    } else throw new ThriftMismatch(`There is no type ${code} in Thrift.`);
  }

  async #byte(): Promise<number> {
    return (await this.#take(1)).readUInt8(0);
  }

  async #int(): Promise<number> {
    return (await this.#take(4)).readInt32BE(0);
  }

  async #count(): Promise<number> {
    const count = await this.#int();
    if (count < 0 || count > MAX_ENTRIES)
      throw new ThriftMismatch(`A list has ${count} entries. The limit is ${MAX_ENTRIES}.`);
    return count;
  }

  async #bytes(): Promise<Buffer> {
    return this.#take(await this.#int());
  }

  async #take(count: number): Promise<Buffer> {
    this.#left -= count;
    if (count < 0 || this.#left < 0)
      throw new ThriftMismatch(`A message has more than ${MAX_MESSAGE} bytes.`);
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const piece = this.#socket.read(count) as Buffer | null;
      if (piece?.length === count) return piece;
      if (piece || this.#socket.readableEnded || this.#socket.destroyed)
        throw new ConnectionEnded('The connection was closed.');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new ThriftMismatch('A message is nested too deeply.');
}

function checkCode(count: number, code: number | undefined, type: ThriftType): void {
  if (count > 0 && code !== codeOf(type))
    throw new ThriftMismatch(`A list has entries of type ${code} instead of ${codeOf(type)}.`);
}

export function messageOf(
  { kind, name, sequence }: MessageHead,
  fields: ThriftFields,
  values: Readonly<Record<string, unknown>>,
): Buffer {
  const parts: Buffer[] = [];
  putInt(parts, ((VERSION << 16) | kind) >> 0);
  putBytes(parts, Buffer.from(name));
  putInt(parts, sequence);
  putStruct(parts, fields, values);
  return Buffer.concat(parts);
}

function putStruct(
  parts: Buffer[],
  fields: ThriftFields,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const [name, [id, type]] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined) continue;
    parts.push(Buffer.from([codeOf(type), id >> 8, id & 0xff]));
    putValue(parts, type, value);
  }
  parts.push(Buffer.from([STOP]));
}

function putValue(parts: Buffer[], type: ThriftType, value: unknown): void {
  if (type === 'i32') putInt(parts, value as number);
  else if (type === 'string') putBytes(parts, Buffer.from(value as string));
  else if (type === 'binary') putBytes(parts, Buffer.from(value as Uint8Array));
  else if ('struct' in type) putStruct(parts, type.struct, value as Record<string, unknown>);
  else if ('list' in type) {
    const values = value as readonly unknown[];
    parts.push(Buffer.from([codeOf(type.list)]));
    putInt(parts, values.length);
    for (const each of values) putValue(parts, type.list, each);
  } else {
    const entries = Object.entries(value as Record<string, unknown>);
    parts.push(Buffer.from([codes.string, codeOf(type.map)]));
    putInt(parts, entries.length);
    for (const [key, each] of entries) {
      putBytes(parts, Buffer.from(key));
      putValue(parts, type.map, each);
    }
  }
}

function putInt(parts: Buffer[], value: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  parts.push(bytes);
}

function putBytes(parts: Buffer[], bytes: Buffer): void {
  putInt(parts, bytes.length);
  parts.push(bytes);
}
