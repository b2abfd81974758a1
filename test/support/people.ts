/**
 * An embedded server without notes, with two users: its administrator, and bob, who has no roles.
 */

import { type Client, createClient, type Note as OpenNote } from '@tiding/client';
import type { Note } from '@tiding/client/protocol';
import { expect } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import type { ServerOptions } from '../../server/index.ts';
import { ADMIN_PASSWORD, startEmbedded } from './embedded.ts';
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

/** Starts the server, creates bob and signs both users in. */
export async function twoPeople(options: Partial<ServerOptions> = {}): Promise<People> {
  const embedded = await startEmpty({ logLevel: 'silent', ...options });
  let { server } = embedded;
  let { url } = server;
  await new Users(embedded.data).set('bob', { password: PASSWORD });
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
    data: embedded.data,
    call,
    async restart(between) {
      await server.close();
      await between?.();
      ({ server } = await startEmbedded({ logLevel: 'silent', ...options, data: embedded.data }));
      ({ url } = server);
      [admin, bob] = [await login(url), await login(url, 'bob', PASSWORD)];
    },
    async open(id, name = 'admin') {
      const client = createClient({ server: url });
      clients.push(client);
      await client.session.login(name, name === 'admin' ? ADMIN_PASSWORD : PASSWORD);
      return client.open(id);
    },
    async stop() {
      for (const client of clients) client.close();
      await server.close();
      await embedded.stop();
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
