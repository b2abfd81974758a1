/** Memory server with interpreter settings, for tests of their page. Not part of the product. */
import type { Client } from '@tiding/client';
import type { InterpreterSetting, KernelList } from '@tiding/client/protocol';
import { refusal, restClient, type StubAnswer, type StubbedCall } from '../ui/testing/test-rest.ts';

/** Controls of the server and the calls it received. */
export interface SettingsServer {
  readonly client: Client;
  readonly calls: readonly StubbedCall[];
  settings: InterpreterSetting[];
  kernels: KernelList;
  /** Answers a call instead of the server. */
  instead: StubAnswer | undefined;
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
  const answer = ({ method, path, body }: StubbedCall): unknown => {
    const id = /^\/interpreter\/setting\/(?:restart\/)?(.+)$/.exec(path)?.[1];
    const found = server.settings.find((each) => each.id === id);
    if (path === '/interpreter/setting' && method === 'GET') return server.settings;
    if (path === '/interpreter/kernel') return server.kernels;
    if (path === '/interpreter/property/types') return ['string', 'number', 'checkbox', 'colour'];
    if (path.startsWith('/interpreter/metadata/')) return Response.json({ status: 'OK' });
    if (id === undefined) return refusal(404, `${path} is not here`);
    if (!found) return refusal(404, `No such interpreter setting: ${id}`);
    if (method === 'PUT' && !path.includes('/restart/'))
      server.settings = server.settings.map((each) =>
        each === found ? { ...each, ...(body as object) } : each,
      );
    return server.settings.find((each) => each.id === id);
  };
  const { client, calls } = restClient(
    (call) => {
      if (call.path === '/version') return zeppelin && { version: zeppelin };
      if (!call.path.startsWith('/interpreter')) return undefined;
      return server.instead?.(call) ?? answer(call);
    },
    user === undefined ? {} : { users: { [user]: 'password' } },
  );
  const server: SettingsServer = {
    client,
    calls,
    settings,
    kernels: { kernels: [], problems: [], folders: ['/usr/share/jupyter'] },
    instead: undefined,
  };
  if (user === undefined) await client.session.ticket();
  else await client.session.login(user, 'password');
  return server;
}
