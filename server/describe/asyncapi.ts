/**
 * All live operations of the protocol as AsyncAPI 3, from the server's side: what it receives and
 * what it sends.
 */
import { receivedOperations, sentOperations } from '@tiding/client/protocol';
import { SERVER_VERSION } from '../base/version.ts';
import type { Docs } from './docs.ts';
import { type JsonSchema, Schemas } from './schemas.ts';

const identity = {
  principal: { type: 'string' },
  ticket: { type: 'string', description: 'From GET /api/security/ticket.' },
  roles: { type: 'string', description: 'JSON text of a list.' },
};
const msgId = {
  type: 'string',
  description: 'Chosen by the client; the reply to the sender repeats it.',
};

/** Describes every operation of a server at `url`, which has no trailing slash. */
export function asyncApi(url: string, docs: Docs): JsonSchema {
  const schemas = new Schemas(docs);
  const { host, protocol } = new URL(url);
  const messages: Record<string, JsonSchema> = {};
  const operations: Record<string, JsonSchema> = {};
  const add = (
    side: 'client' | 'server',
    op: string,
    data: JsonSchema | undefined,
    doc: string | undefined,
    more: JsonSchema,
  ) => {
    const key = `${side}.${op}`;
    messages[key] = {
      name: op,
      title: op,
      ...(doc ? { description: doc } : {}),
      contentType: 'application/json',
      payload: {
        type: 'object',
        required: side === 'client' ? ['op', 'ticket', 'principal', 'roles'] : ['op'],
        properties: {
          op: { const: op },
          data: data ?? {},
          msgId,
          ...(side === 'client' ? identity : {}),
        },
      },
    };
    operations[key] = {
      action: side === 'client' ? 'receive' : 'send',
      channel: { $ref: '#/channels/live' },
      messages: [{ $ref: `#/channels/live/messages/${key}` }],
      ...(doc ? { description: doc } : {}),
      ...more,
    };
  };
  for (const [op, { data, right, idempotent, support }] of Object.entries(sentOperations)) {
    add('client', op, schemas.of(data), docs.sent[op], {
      'x-right': right,
      'x-idempotent': idempotent,
      ...(support.since || support.until
        ? {
            'x-upstream': {
              ...(support.since ? { since: support.since } : {}),
              ...(support.until ? { until: support.until } : {}),
            },
          }
        : {}),
    });
  }
  for (const [op, { data }] of Object.entries(receivedOperations))
    add('server', op, schemas.of(data), docs.received[op], {});
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tiding',
      version: SERVER_VERSION,
      description:
        'Operations of the live channel: one JSON object per text frame. ' +
        '`client.…` is sent by clients, `server.…` by the server. ' +
        '`x-right`: what the sender may do with the note; ' +
        '`x-idempotent`: may be sent again after a reconnect.',
    },
    servers: { live: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    defaultContentType: 'application/json',
    channels: {
      live: {
        address: '/ws',
        servers: [{ $ref: '#/servers/live' }],
        messages: Object.fromEntries(
          Object.keys(messages).map((key) => [key, { $ref: `#/components/messages/${key}` }]),
        ),
      },
    },
    operations,
    components: { messages, schemas: schemas.components },
  };
}
