/** Comments on the embedded server: rights, storage, notifications and e-mails. */
import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommentThread, Note, SavedComment } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { startEmbedded } from './support/embedded.ts';
import {
  type Answer,
  type ApiCall,
  callApi,
  type Login,
  login,
  openSocket,
  request,
} from './support/raw.ts';
import { type Letter, startMailServer } from './support/smtp.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let url: string;
const people: Record<string, Login> = {};

async function start(): Promise<void> {
  embedded = untilEnd(
    await startEmbedded({
      data,
      smtpUrl: mail.url,
      mailFrom: 'Notes <notes@acme.org>',
      publicUrl: 'https://notes.acme.org',
      logLevel: 'silent',
    }),
  );
  ({ url } = embedded.server);
  people['admin'] = await login(url);
  for (const name of ['ann@acme.org', 'ben@acme.org', 'eve@acme.org'])
    people[name.split('@')[0]!] = await login(url, name, PASSWORD);
}

const data = temporaryFolder();
await writeFile(join(data, 'samples.json'), '{}');
const mail = untilEnd(await startMailServer());
const users = new Users(data);
for (const name of ['ann@acme.org', 'ben@acme.org', 'eve@acme.org'])
  await users.set(name, { password: PASSWORD });
await start();

const call = (who: string, ...args: ApiCall) => callApi(url, people[who]!, ...args);
const json = async <T>(answer: Promise<Answer>): Promise<T> => {
  const { status, text, json: parsed } = await answer;
  expect(status, text).toBe(200);
  return parsed as T;
};
const list = (noteId: string, who = 'admin') =>
  json<CommentThread[]>(call(who, 'GET', `/magpie/comments/${noteId}`));

let named = 0;
/** A note of ann that ben may read and eve may not. */
async function newNote() {
  const name = `comments/${(named += 1)}`;
  const { body: id } = await json<{ body: string }>(
    call('ann', 'POST', '/notebook', { name, paragraphs: [{ text: '%md\nx' }] }),
  );
  const { body: note } = await json<{ body: Note }>(call('ann', 'GET', `/notebook/${id}`));
  const only = ['ann@acme.org'];
  await json(
    call('ann', 'PUT', `/notebook/${id}/permissions`, {
      owners: only,
      writers: only,
      runners: only,
      readers: ['ben@acme.org'],
    }),
  );
  const paragraphId = note.paragraphs![0]!.id;
  const add = (who: string, text: string) =>
    json<SavedComment>(call(who, 'POST', `/magpie/comments/${id}`, { paragraphId, text }));
  return { id, name, paragraphId, add };
}

describe('rights', () => {
  it('users who may only read a note may comment, and others may not see that', async () => {
    const { id, paragraphId, add } = await newNote();
    const { thread } = await add('ben', 'Why?');
    expect(thread.comments).toMatchObject([{ author: 'ben@acme.org', text: 'Why?' }]);
    const at = `/magpie/comments/${id}/${thread.id}`;
    for (const [method, path, body] of [
      ['GET', `/magpie/comments/${id}`],
      ['POST', `/magpie/comments/${id}`, { paragraphId, text: 'x' }],
      ['POST', at, { text: 'x' }],
      ['PUT', at, { resolved: true }],
      ['PUT', `${at}/${thread.id}`, { text: 'x' }],
      ['DELETE', `${at}/${thread.id}`],
    ] as const)
      expect([path, (await call('eve', method, path, body)).status]).toEqual([path, 403]);
    expect(await list(id, 'ben')).toEqual([thread]);
  });

  it('only authors edit, and owners delete any comment', async () => {
    const { id, add } = await newNote();
    const { thread } = await add('ben', 'Why?');
    const at = `/magpie/comments/${id}/${thread.id}`;
    const edit = (who: string) => call(who, 'PUT', `${at}/${thread.id}`, { text: 'How?' });
    expect([(await edit('ann')).status, (await edit('ben')).status]).toEqual([403, 200]);
    await json(call('ann', 'POST', at, { text: 'So.' }));
    const remove = (who: string) => call(who, 'DELETE', `${at}/${thread.id}`);
    expect((await remove('ben')).json).toMatchObject({
      message: expect.stringContaining('Others have replied to this comment.') as string,
    });
    expect((await remove('ann')).status).toBe(200);
    expect(await list(id, 'ann')).toEqual([]);
  });

  it('embed tokens reach no comments, and their pages are not notified', async () => {
    const { id, add } = await newNote();
    const { token } = (
      await call('ann', 'POST', '/magpie/embed-token', { noteId: id, scope: 'edit' })
    ).json as { token: string };
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await request(url, 'GET', `/api/magpie/comments/${id}`, { headers });
    expect(answer.status).toBe(403);
    const ticket = await request(url, 'GET', '/api/security/ticket', { headers });
    const identity = (ticket.json as { body: Login['identity'] }).body;
    const socket = await openSocket(url, { identity, note: id });
    await add('ben', 'Why?');
    socket.send({ op: 'GET_NOTE', data: { id } });
    for (;;) {
      const { op } = await socket.any();
      expect(op).not.toBe('TIDING_COMMENTS');
      if (op === 'NOTE') break;
    }
  });
});

describe('pages that have the note open', () => {
  it('learn the number of open threads when it changes, and when they open the note', async () => {
    const { id, add } = await newNote();
    const socket = await openSocket(url, { identity: people['ben']!.identity, note: id });
    const { thread } = await add('ann', 'Why?');
    expect((await socket.next('TIDING_COMMENTS')).data).toEqual({ open: 1 });
    const at = `/magpie/comments/${id}/${thread.id}`;
    await json(call('ann', 'POST', at, { text: 'So.' }));
    expect((await socket.next('TIDING_COMMENTS')).data).toEqual({ open: 1 });
    await json(call('ben', 'PUT', at, { resolved: true }));
    expect((await socket.next('TIDING_COMMENTS')).data).toEqual({ open: 0 });
    await json(call('ben', 'PUT', at, { resolved: false }));
    const later = await openSocket(url, { identity: people['ben']!.identity });
    later.send({ op: 'GET_NOTE', data: { id } });
    expect((await later.next('TIDING_COMMENTS')).data).toEqual({ open: 1 });
    for (const each of [socket, later]) each.socket.close();
  });
});

describe('the file of the comments', () => {
  it('survives a restart, a new name and the trash, and ends with the note', async () => {
    const { id, name, add } = await newNote();
    const { thread } = await add('ben', 'Why?');
    await embedded.server.close();
    await start();
    expect(await list(id, 'ben')).toEqual([thread]);
    await json(call('ann', 'PUT', `/notebook/${id}/rename`, { name: `${name} new` }));
    const socket = await openSocket(url, { identity: people['ann']!.identity });
    socket.send({ op: 'MOVE_NOTE_TO_TRASH', data: { id } });
    await socket.next('NOTES_INFO');
    expect(await list(id, 'ben')).toEqual([thread]);
    const folder = join(data, 'notebook', id);
    expect(await readdir(folder)).toContain('comments.json');
    await json(call('ann', 'DELETE', `/notebook/${id}`));
    expect(existsSync(folder)).toBe(false);
  });

  it('is neither cloned nor exported', async () => {
    const { id, add } = await newNote();
    await add('ben', 'Why on earth?');
    const copy = await json<{ body: string }>(call('ann', 'POST', `/notebook/${id}`));
    expect(await list(copy.body, 'ann')).toEqual([]);
    expect((await call('ann', 'GET', `/notebook/export/${id}`)).text).not.toContain('earth');
  });

  it('keeps all comments that are added at once', async () => {
    const { id, add } = await newNote();
    await Promise.all(Array.from({ length: 20 }, (_, at) => add('ben', `${at}`)));
    const texts = (await list(id, 'ben')).map(({ comments }) => comments[0]!.text);
    expect(texts.sort()).toEqual(Array.from({ length: 20 }, (_, at) => `${at}`).sort());
  });

  it('is kept if it is damaged, and the note still opens', async () => {
    const { id, paragraphId, add } = await newNote();
    await add('ben', 'Why?');
    await writeFile(join(data, 'notebook', id, 'comments.json'), '[{');
    for (const [method, body] of [['GET'], ['POST', { paragraphId, text: 'x' }]] as const) {
      const answer = await call('ben', method, `/magpie/comments/${id}`, body);
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('damaged')]);
    }
    await openSocket(url, { identity: people['ben']!.identity, note: id });
  });

  it('stays as it was when the disk fails, and the author is told', async () => {
    const { id, paragraphId, add } = await newNote();
    const { thread } = await add('ben', 'Why?');
    const folder = join(data, 'notebook', id);
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    const failed = await call('ben', 'POST', `/magpie/comments/${id}`, { paragraphId, text: 'x' });
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect([failed.status, failed.text]).toEqual([500, expect.any(String)]);
    expect(await list(id, 'ben')).toEqual([thread]);
    await add('ben', 'And now?');
    expect(await list(id, 'ben')).toHaveLength(2);
  });
});

describe('mentions', () => {
  const header = ({ headers }: Letter, name: string) =>
    headers.find(([each]) => each.toLowerCase() === name)?.[1];

  it('send a mail to those who may read the note, and name the others', async () => {
    const { id, name, paragraphId, add } = await newNote();
    const before = mail.letters.length;
    const text = '@ben@acme.org, @eve@acme.org and @ann@acme.org: why?';
    const { cannotRead, thread } = await add('ann', text);
    expect(cannotRead).toEqual(['eve@acme.org']);
    await expect.poll(() => mail.letters.length).toBe(before + 1);
    const letter = mail.letters.at(-1)!;
    expect(letter.to).toEqual(['ben@acme.org']);
    expect(header(letter, 'subject')).toBe(`ann@acme.org mentioned you in ${name}`);
    expect(letter.text.replaceAll('\r\n', '\n')).toContain(`> ${text}\n`);
    expect(letter.text).toContain(
      `https://notes.acme.org/#/notebook/${id}?paragraph=${encodeURIComponent(paragraphId)}`,
    );
    // An edit sends only new mentions.
    const at = `/magpie/comments/${id}/${thread.id}/${thread.id}`;
    await json(call('ann', 'PUT', at, { text: '@ben@acme.org: how?' }));
    await json(call('ben', 'PUT', `/magpie/comments/${id}/${thread.id}`, { resolved: true }));
    await json(
      call('ben', 'POST', `/magpie/comments/${id}/${thread.id}`, { text: '@ann@acme.org!' }),
    );
    await expect.poll(() => mail.letters.length).toBe(before + 2);
    expect(mail.letters.at(-1)!.to).toEqual(['ann@acme.org']);
  });

  it('of users whose mail server refuses them do not lose the comment', async () => {
    const { id, add } = await newNote();
    const sent = mail.lines.filter((line) => line.startsWith('RCPT')).length;
    mail.recipients = '550 no such user';
    await add('ann', '@ben@acme.org');
    await expect
      .poll(() => mail.lines.filter((line) => line.startsWith('RCPT')).length)
      .toBe(sent + 1);
    mail.recipients = '250 ok';
    expect(await list(id, 'ann')).toHaveLength(1);
  });
});
