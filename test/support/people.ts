/**
 * A server without notes, with two users: its administrator, and bob, who has no roles.
 */

import { type Client, createClient, type Note as OpenNote } from '@tiding/client';
import type { Note, Results } from '@tiding/client/protocol';
import { expect } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import type { ServerOptions } from '../../server/index.ts';
import { ADMIN_PASSWORD } from './embedded.ts';
import type { LimitedOptions } from './limited-process.ts';
import { type Answer, callApi, type Login, login, startEmpty } from './raw.ts';

/** Password of all users except the administrator. */
export const PASSWORD = 'a-password-for-tests';

/** A server with two signed-in users. */
export interface People {
  readonly url: string;
  readonly data: string;
  readonly admin: Login;
  readonly bob: Login;
  /** A REST call as one of them; `path` is relative to `/api`. */
  call(who: Login, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Opens a note with a new client of a user; `stop` closes it. */
  open(id: string, name?: 'admin' | 'bob'): Promise<OpenNote>;
  /** {@link runText} on this server. */
  run(who: Login, note: Note, text: string): Promise<string>;
  /** Creates a note of the administrator with these texts and a unique name. */
  create(...texts: string[]): Promise<Note>;
  /**
   * Stops the server, starts another on the same folder, and signs both users in again. `between`
   * runs while none is running.
   */
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function bodyOf<T>(answer: Promise<Answer>, status = 200): Promise<T> {
  const { json, text, status: got } = await answer;
  expect(got, text).toBe(status);
  return (json as { body: T }).body;
}

/** Runs a text as the first paragraph of a note; returns its outputs. */
export async function runText(call: People['call'], who: Login, note: Note, text: string) {
  const { id } = note.paragraphs![0]!;
  await call(who, 'PUT', `/notebook/${note.id}/paragraph/${id}`, { text });
  const { json } = await call(who, 'POST', `/notebook/run/${note.id}/${id}`, {});
  const { msg = [] } = (json as { body: Partial<Results> }).body;
  return msg
    .map(({ data }) => data)
    .join('')
    .trim();
}

/** Starts a server, in this process or as its own. */
type StartServer = (options: LimitedOptions) => Promise<{
  readonly server: { readonly url: string; close(): Promise<void> };
  readonly data: string;
  stop(): Promise<void>;
}>;

/** Starts the server, creates bob and signs both users in. */
export async function twoPeople(
  options: Partial<ServerOptions> = {},
  start: StartServer = startEmpty,
): Promise<People> {
  const all = { logLevel: 'silent', ...options } as const;
  const first = await start(all);
  let { server } = first;
  let { url } = server;
  await new Users(first.data).set('bob', { password: PASSWORD });
  let [admin, bob] = [await login(url), await login(url, 'bob', PASSWORD)];
  const clients: Client[] = [];
  let named = 0;
  const call: People['call'] = (who, ...args) => callApi(url, who, ...args);
  return {
    get url() {
      return url;
    },
    get admin() {
      return admin;
    },
    get bob() {
      return bob;
    },
    data: first.data,
    call,
    async restart(between) {
      await server.close();
      await between?.();
      ({ server } = await start({ ...all, data: first.data }));
      ({ url } = server);
      [admin, bob] = [await login(url), await login(url, 'bob', PASSWORD)];
    },
    async open(id, name = 'admin') {
      const client = createClient({ server: url, timeout: 60_000 });
      clients.push(client);
      await client.session.login(name, name === 'admin' ? ADMIN_PASSWORD : PASSWORD);
      return client.open(id);
    },
    run: (...args) => runText(call, ...args),
    async stop() {
      for (const client of clients) client.close();
      await server.close();
      await first.stop();
    },
    async create(...texts) {
      const id = await bodyOf<string>(
        call(admin, 'POST', '/notebook', {
          name: `notes/${(named += 1)}`,
          paragraphs: texts.map((text) => ({ text })),
        }),
      );
      return bodyOf<Note>(call(admin, 'GET', `/notebook/${id}`));
    },
  };
}
