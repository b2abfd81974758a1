/** A server inside the page, for tests of the views: it speaks the protocol through the client's own transport. */
import { createClient, type Client, type Transport } from 'tiding/client';
import type { Paragraph } from 'tiding/protocol';

/** What a test can make the server do, and what it has received. */
export interface PageServer {
  readonly client: Client;
  /** Frames that arrived, without PING. */
  readonly received: { op: string; data: Record<string, unknown>; msgId: string }[];
  /** Sends a frame to every connection. */
  say(op: string, data: unknown, msgId?: string): void;
  /** Breaks every connection, and refuses new ones until `up`. */
  down(): void;
  up(): void;
  /** Answers commits by itself (default), or leaves them on the wire. */
  acknowledge: boolean;
}

/** A server with one note, `note`, that holds the given paragraphs. */
export function pageServer(paragraphs: Paragraph[]): PageServer {
  const connections = new Set<{ onMessage(text: unknown): void; onClose(code: number, reason: string): void }>();
  let online = true;
  const say: PageServer['say'] = (op, data, msgId) => {
    const text = JSON.stringify({ op, data, ...(msgId ? { msgId } : {}) });
    for (const { onMessage } of connections) onMessage(text);
  };
  const transport: Transport = (_url, events) => {
    if (!online) {
      setTimeout(() => events.onClose(1006, ''), 1);
      return { send() {}, close() {} };
    }
    connections.add(events);
    queueMicrotask(() => connections.has(events) && events.onOpen());
    return {
      send(frame) {
        const { op, data = {}, msgId } = JSON.parse(frame) as { op: string; data?: Record<string, unknown>; msgId: string };
        if (op === 'PING') return;
        server.received.push({ op, data, msgId });
        if (op === 'GET_NOTE') say('NOTE', { note: { id: 'note', name: 'folder/note', paragraphs, config: {}, info: {} } });
        if (op === 'COMMIT_PARAGRAPH' && server.acknowledge) {
          const paragraph = paragraphs.find(({ id }) => id === data['id'])!;
          Object.assign(paragraph, { text: data['paragraph'], config: data['config'], rev: (paragraph.rev ?? 0) + 1 });
          say('PARAGRAPH', { paragraph }, msgId);
        }
      },
      close: () => connections.delete(events),
    };
  };
  const json = (body: unknown) => new Response(JSON.stringify({ status: 'OK', body }), { headers: { 'Content-Type': 'application/json' } });
  const server: PageServer = {
    received: [],
    acknowledge: true,
    say,
    down() {
      online = false;
      for (const events of [...connections]) {
        connections.delete(events);
        events.onClose(1006, '');
      }
    },
    up: () => (online = true),
    client: createClient({
      server: 'http://tiding.test',
      transport,
      backoff: () => 20,
      fetch: async (input) => {
        const { pathname } = new URL(input instanceof Request ? input.url : String(input));
        if (pathname === '/api/version') return json({ version: '0.8.2', tiding: { version: '0.1.0' } });
        if (pathname === '/api/security/ticket') return json({ principal: 'ana', ticket: 't', roles: '[]' });
        return new Response('{}', { status: 404 });
      },
    }),
  };
  return server;
}
