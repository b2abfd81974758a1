/** Encodes and decodes messages of the Jupyter protocol (5.3). */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { jsonObjectOf, markNumbers } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';

/**
 * A decoded message. Its envelope is checked; `content` and `metadata` are untrusted data from the
 * kernel.
 */
export interface JupyterMessage {
  readonly type: string;
  readonly id: string;
  /** `msg_id` of the request that this message belongs to, or empty. */
  readonly parentId: string;
  readonly header: JsonObject;
  readonly content: JsonObject;
  readonly metadata: JsonObject;
  /** Binary data that belongs to the content. */
  readonly buffers: readonly Buffer[];
  /** The JSON in a bundle of outputs, with marks that keep the digits of its numbers. */
  readonly json?: unknown;
}

/** Parts of a message that only widgets use. */
export interface MessageExtras {
  readonly metadata?: JsonObject;
  readonly buffers?: readonly Buffer[];
}

const delimiter = Buffer.from('<IDS|MSG>');

export const messageHeader = (type: string, session: string) => ({
  msg_id: randomUUID() as string,
  session,
  username: 'tiding',
  date: new Date().toISOString(),
  msg_type: type,
  version: '5.3',
});

/**
 * Returns the message with these parts, each of which is untrusted.
 *
 * @param text the text of the content, or of the message
 */
export function messageOf(
  parts: JsonObject,
  buffers: readonly Buffer[] = [],
  text = '',
): JupyterMessage {
  const header = jsonObjectOf(parts['header']);
  return {
    type: textOf(header['msg_type']),
    id: textOf(header['msg_id']),
    parentId: textOf(jsonObjectOf(parts['parent_header'])['msg_id']),
    header,
    content: jsonObjectOf(parts['content']),
    metadata: jsonObjectOf(parts['metadata']),
    buffers,
    json: text.includes('"application/json"') ? jsonOutput(text) : undefined,
  };
}

function jsonOutput(text: string): unknown {
  const message = jsonObjectOf(JSON.parse(markNumbers(text)));
  return jsonObjectOf(jsonObjectOf(message['content'] ?? message)['data'])['application/json'];
}

/** Signs, encodes and decodes the messages of one session. */
export class JupyterCodec {
  readonly #key: string;
  readonly #session = randomUUID();

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns the frames and id of a message. `parent` is the header of the message it answers. */
  encode(
    type: string,
    content: JsonObject,
    parent: JsonObject = {},
    { metadata = {}, buffers = [] }: MessageExtras = {},
  ): { id: string; frames: Buffer[] } {
    const header = messageHeader(type, this.#session);
    const id = header.msg_id;
    const parts = [header, parent, metadata, content].map((part) =>
      Buffer.from(JSON.stringify(part)),
    );
    return { id, frames: [delimiter, Buffer.from(this.#sign(parts)), ...parts, ...buffers] };
  }

  /** Returns the message in these frames; undefined if it is malformed or wrongly signed. */
  decode(frames: readonly Buffer[]): JupyterMessage | undefined {
    const start = frames.findIndex((frame) => frame.equals(delimiter));
    const signature = frames[start + 1];
    const parts = frames.slice(start + 2, start + 6);
    if (start < 0 || !signature || parts.length < 4) return undefined;
    const wanted = Buffer.from(this.#sign(parts));
    if (wanted.length !== signature.length || !timingSafeEqual(wanted, signature)) return undefined;
    try {
      const texts = parts.map((part) => part.toString('utf8'));
      const [header, parent, metadata, content] = texts.map((part): unknown => JSON.parse(part));
      const buffers = frames.slice(start + 6);
      return messageOf({ header, parent_header: parent, metadata, content }, buffers, texts[3]);
    } catch {
      return undefined;
    }
  }

  #sign(parts: readonly Buffer[]): string {
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  }
}

/** Returns the id by which later messages update a display; empty: none. */
export const displayIdOf = (content: JsonObject): string =>
  textOf(jsonObjectOf(content['transient'])['display_id']);

/** Returns `value` if it is a string, else an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
