/** Memory server with interpreter settings, for tests of their page. Not part of the product. */
import { type Client, createClient } from '@tiding/client';
import type { InterpreterSetting, KernelList } from '@tiding/client/protocol';
import { memoryServer } from '@tiding/client/testing';

/** A received call; `path` is the part after `/api`. */
export interface SettingsCall {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Controls of the server and the calls it received. */
export interface SettingsServer {
  readonly client: Client;
  readonly calls: readonly SettingsCall[];
  settings: InterpreterSetting[];
  kernels: KernelList;
  /**
   * Answers a call instead of the server: a status and the envelope's contents, or `network` for a
   * network failure.
   */
  instead:
    | ((
        call: SettingsCall,
      ) => { status: number; body?: unknown; message?: string } | 'network' | undefined)
    | undefined;
  close(): void;
}

/** A setting with the fields the page reads. */
export const setting = (
  name: string,
  more: Partial<InterpreterSetting> = {},
): InterpreterSetting => ({
  id: name,
  name,
  group: name,
  properties: {},
  dependencies: [],
  status: 'READY',
  option: { remote: true, perNote: 'shared', perUser: 'shared' },
  interpreterGroup: [{ name, class: `x.${name}`, defaultInterpreter: true }],
  ...more,
});

/**
 * Starts the server. `user` is the signed-in user; anonymous if omitted. `zeppelin` is the version
 * of the Zeppelin that it pretends to be.
 */
export async function settingsServer(
  settings: InterpreterSetting[],
  user?: string,
  zeppelin?: string,
): Promise<SettingsServer> {
  const memory = memoryServer(user === undefined ? {} : { users: { [user]: 'password' } });
  const calls: SettingsCall[] = [];
  const answer = (
    call: SettingsCall,
  ): { status: number; body?: unknown; message?: string } | undefined => {
    const { method, path } = call;
    const id = /^\/interpreter\/setting\/(?:restart\/)?(.+)$/.exec(path)?.[1];
    const found = server.settings.find((each) => each.id === id);
    if (path === '/interpreter/setting' && method === 'GET')
      return { status: 200, body: server.settings };
    if (path === '/interpreter/kernel') return { status: 200, body: server.kernels };
    if (path === '/interpreter/property/types')
      return { status: 200, body: ['string', 'number', 'checkbox', 'colour'] };
    if (path.startsWith('/interpreter/metadata/')) return { status: 200 };
    if (id === undefined) return undefined;
    if (!found) return { status: 404, message: `No such interpreter setting: ${id}` };
    if (method === 'PUT' && !path.includes('/restart/'))
      server.settings = server.settings.map((each) =>
        each === found ? { ...each, ...(call.body as object) } : each,
      );
    return { status: 200, body: server.settings.find((each) => each.id === id) };
  };
  const answering: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace(/^\/api/, '');
    if (path === '/version' && zeppelin !== undefined)
      return Response.json({ status: 'OK', body: { version: zeppelin } });
    if (!path.startsWith('/interpreter')) return memory.fetch(request);
    const text = await request.text();
    const call: SettingsCall = {
      method: request.method,
      path,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    calls.push(call);
    const given = server.instead?.(call) ?? answer(call);
    if (given === 'network') throw new TypeError('Failed to fetch');
    const { status, ...envelope } = given ?? { status: 404, message: `${path} is not here` };
    return new Response(JSON.stringify({ status: status === 200 ? 'OK' : 'ERROR', ...envelope }), {
      status,
      headers: { 'Content-Type': 'application/json' },
    });
  };
  const client = createClient({
    server: memory.server,
    transport: memory.transport,
    fetch: answering,
  });
  const server: SettingsServer = {
    client,
    calls,
    settings,
    kernels: { kernels: [], problems: [], folders: ['/usr/share/jupyter'] },
    instead: undefined,
    close() {
      client.close();
      memory.close();
    },
  };
  if (user === undefined) await client.session.ticket();
  else await client.session.login(user, 'password');
  return server;
}
