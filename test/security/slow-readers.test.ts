/**
 * Clients that ask for much and read nothing: they don't end the server, whose process has a limit
 * of memory here, and others are answered meanwhile.
 */
import type { Note } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { startLimited } from '../support/limited-process.ts';
import { bodyOf } from '../support/people.ts';
import {
  type ApiCall,
  callApi,
  type Login,
  login,
  openSocket,
  type RawSocket,
  request,
} from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const SOCKETS = 20;

const call = (...args: ApiCall) => callApi(url, admin, ...args);

const { url } = untilEnd(await startLimited()).server;
const admin = await login(url, 'admin', ADMIN_PASSWORD);
const text = '%js\nconsole.log(`${Math.random()}`.repeat(100_000))';
const output = { type: 'TEXT', data: 'x'.repeat(1_900_000) };
const results = { code: 'SUCCESS', msg: [output] };
const id = await bodyOf<string>(
  call('POST', '/notebook/import', { name: 'large', paragraphs: [{ text, results }] }),
);
const note = await bodyOf<Note>(call('GET', `/notebook/${id}`));

async function visitor(): Promise<Login['identity']> {
  const made = await call('POST', '/magpie/embed-token', { noteId: note.id, scope: 'results' });
  const { token } = made.json as { token: string };
  const headers = { Authorization: `Bearer ${token}` };
  return bodyOf(request(url, 'GET', '/api/security/ticket', { headers }));
}
const open = (identity: Login['identity']) => openSocket(url, { identity });
/** Sockets that ask for the note again and again, and read nothing. */
async function ask(identity: Login['identity']): Promise<RawSocket[]> {
  const asking: RawSocket[] = [];
  for (let at = 0; at < SOCKETS; at += 1) {
    const socket = await open(identity);
    asking.push(socket);
    socket.socket.pause();
    for (let count = 0; count < 40; count += 1)
      socket.send({ op: 'GET_NOTE', data: { id: note.id }, msgId: `${count}` });
  }
  return asking;
}
/** Lets the server handle what it has received, and answer another reader. */
async function expectHealthy(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const other = await open(admin.identity);
  other.send({ op: 'GET_NOTE', data: { id: note.id } });
  expect((await other.next('NOTE')).data['note']).toMatchObject({ id: note.id });
}

it('pages with embed tokens that read nothing do not end the server [S51]', async () => {
  for (let count = 0; count < 3; count += 1) await ask(await visitor());
  await expectHealthy();
});

it('a user who reads nothing does not end the server [S51]', async () => {
  const asking = await ask(admin.identity);
  // The user may have no further socket.
  for (const { socket } of asking) socket.terminate();
  await expectHealthy();
});

it('visitors who read nothing do not end the server when a paragraph runs [S51]', async () => {
  const identity = await visitor();
  for (let at = 0; at < 300; at += 1) {
    const socket = await open(identity);
    socket.send({ op: 'GET_NOTE', data: { id: note.id } });
    await socket.next('NOTE');
    socket.socket.pause();
  }
  for (let count = 0; count < 6; count += 1)
    await bodyOf(call('POST', `/notebook/run/${note.id}/${note.paragraphs![0]!.id}`, {}));
  await expectHealthy();
});
