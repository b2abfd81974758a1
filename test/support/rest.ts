/** The server for tests of REST: with users, a listed foreign origin and a folder of pages. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '@tiding/client/protocol';
import { expect } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { PASSWORD } from './people.ts';
import { type Answer, type ApiCall, callApi, type Login, login, startEmpty } from './raw.ts';
import { temporaryFolder } from './until-end.ts';

/** An origin that may embed the app, and one that may not. */
export const LISTED = 'https://portal.example';
export const FOREIGN = 'https://evil.example';
/** Limit for request bodies, in bytes. */
export const MAX_BODY = 300_000;
/** Content types of the body encodings. */
export const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  none: 'application/json',
};
/** The header that carries a token. */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Checks that an answer succeeded and returns its body. */
export const bodyOf = <T>(answer: Answer): T => {
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { body: T }).body;
};

/** The server with its users and helpers. */
export type RestServer = Awaited<ReturnType<typeof startRest>>;

/** Starts the server with the administrator, bob, and carol, who may create access tokens. */
export async function startRest() {
  const folder = temporaryFolder();
  const web = join(folder, 'web');
  await mkdir(web);
  await writeFile(join(web, 'index.html'), '<!doctype html><title>app</title>');
  await writeFile(join(web, 'output-frame.html'), '<!doctype html><title>frame</title>');
  await writeFile(join(web, 'app-12345678.js'), 'export {};');
  await writeFile(join(folder, 'outside.txt'), 'outside');
  const embedded = await startEmpty({
    allowOrigins: [LISTED],
    maxBodyBytes: MAX_BODY,
    maxImportBytes: MAX_BODY,
    web,
    logLevel: 'silent',
  });
  const { url } = embedded.server;
  const users = new Users(embedded.data);
  await users.set('bob', { password: PASSWORD });
  await users.set('carol', { password: PASSWORD, roles: ['magpie.AccessToken'] });
  const admin = await login(url);
  const bob = await login(url, 'bob', PASSWORD);

  /** A call from the server's own page. */
  const call = (who: Login | undefined, ...args: ApiCall) => callApi(url, who, ...args);
  let named = 0;
  const create = async (
    who = admin,
    paragraphs: { text?: string; title?: string }[] = [{ text: '%md\none' }, { text: '%md\ntwo' }],
    name = `rest/${(named += 1)}`,
  ) => {
    const id = bodyOf<string>(await call(who, 'POST', '/notebook', { name, paragraphs }));
    const note = bodyOf<Note>(await call(who, 'GET', `/notebook/${id}`));
    return { id, name, paragraphs: note.paragraphs!.map((paragraph) => paragraph.id) };
  };
  const newToken = async (who = admin) => {
    const answer = await call(who, 'POST', '/magpie/access-token', {});
    expect(answer.status, answer.text).toBe(201);
    return answer.json as { tokenId: string; token: string };
  };
  return {
    embedded,
    url,
    admin,
    bob,
    call,
    create,
    newToken,
    stop: embedded.stop,
  };
}
