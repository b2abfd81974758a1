/** Typed text survives lost connections and a killed server. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, memoryJournal } from '@tiding/client';
import type { Note } from '@tiding/client/protocol';
import { afterAll, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from './support/process.ts';
import { login, openSocket } from './support/raw.ts';
import { generator, seedOfRun } from './support/seed.ts';
import { faultyTransport } from './support/transport.ts';
import { temporaryFolder, whenDone } from './support/until-end.ts';

const EDITS = 1_000;
const PASSWORD = 'only-for-tests';

let server: ServerProcess;

const data = temporaryFolder();
server = await startProcess(['--port', '0', '--data', data], { TIDING_ADMIN_PASSWORD: PASSWORD });

afterAll(() => server.kill('SIGKILL'));

it(`${EDITS} edits survive random disconnections and kill -9 [S68]`, async () => {
  const seed = seedOfRun(20261122);
  const next = generator(seed);
  const network = faultyTransport();
  const journal = memoryJournal();
  const port = new URL(server.url).port;
  const options = {
    server: server.url,
    journal,
    transport: network.transport,
    backoff: () => 20,
    autosave: 0,
  };
  let client = createClient(options);
  await client.session.login('admin', PASSWORD);
  const id = await client.notes.create({ path: 'durable' });
  let note = await client.open(id);
  for (let n = 1; n < 5; n += 1) await note.insert();
  const ids = note.state.order.slice();
  /** Text typed by the user, per paragraph. */
  const typed = new Map(ids.map((paragraph) => [paragraph, '']));
  let cuts = 0;
  let kills = 0;

  for (let edit = 0; edit < EDITS; edit += 1) {
    const paragraph = ids[Math.floor(next() * ids.length)]!;
    const text = `${typed.get(paragraph)}${edit} `;
    typed.set(paragraph, text);
    note.paragraph(paragraph).edit(text);
    const dice = next();
    if (dice < 0.5)
      void note
        .paragraph(paragraph)
        .commit()
        .catch(() => {});
    else if (dice < 0.6) await new Promise((resolve) => setTimeout(resolve, next() * 10));
    if (next() < 0.05) {
      cuts += 1;
      network.online = next() < 0.5;
      network.cut();
      setTimeout(() => (network.online = true), next() * 60);
    }
    if (edit === 600) {
      // The server is killed in the middle, and restarted on the same port.
      kills += 1;
      await server.kill('SIGKILL');
      server = await startProcess(['--port', port, '--data', data]);
    }
    if (edit === 800) {
      // The page crashes: only its journal remains.
      const unsaved = new Map(ids.map((each) => [each, note.paragraph(each).text]));
      client.close();
      client = createClient(options);
      await client.session.login('admin', PASSWORD);
      note = await client.open(id);
      for (const [each, before] of unsaved)
        expect(note.paragraph(each).text, `seed ${seed}`).toBe(before);
    }
  }
  await note.channel.ready({ timeout: 60_000 });
  await note.commit({ timeout: 60_000 });
  expect(note.dirty).toBe(false);
  // Acknowledged text is on the disk: the server gets no chance to write more.
  await server.kill('SIGKILL');
  kills += 1;
  const stored = JSON.parse(await readFile(join(data, 'notebook', id, 'note.json'), 'utf8')) as {
    paragraphs: { id: string; text: string }[];
  };
  for (const [paragraph, text] of typed) {
    expect(stored.paragraphs.find((entry) => entry.id === paragraph)?.text, `seed ${seed}`).toBe(
      text,
    );
  }
  expect(cuts).toBeGreaterThan(10);
  expect(kills).toBe(2);
  client.close();
});

it('a text is on the disk before other clients receive it [S68]', async () => {
  const folder = temporaryFolder();
  const own = await startProcess(['--port', '0', '--data', folder], {
    TIDING_ADMIN_PASSWORD: PASSWORD,
  });
  whenDone(() => own.kill('SIGKILL'));
  const who = await login(own.url, 'admin', PASSWORD);
  const sockets = [
    await openSocket(own.url, { headers: { Cookie: who.cookie }, identity: who.identity }),
    await openSocket(own.url, { headers: { Cookie: who.cookie }, identity: who.identity }),
  ] as const;
  const [writer, reader] = sockets;
  writer.send({ op: 'NEW_NOTE', data: { name: 'read' } });
  const { note } = (await writer.next('NEW_NOTE')).data as { note: Note };
  writer.send({ op: 'GET_NOTE', data: { id: note.id } });
  await writer.next('NOTE');
  const { id } = note.paragraphs![0]!;
  const file = join(folder, 'notebook', note.id, 'note.json');
  let seen = 0;
  // Writing a large text takes a while.
  const filler = 'x'.repeat(100_000);
  for (let n = 0; n < 40; n += 1) {
    const text = `${n} ${filler}`;
    writer.send({
      op: 'COMMIT_PARAGRAPH',
      data: { id, noteId: note.id, paragraph: text, title: '', config: {}, params: {} },
    });
    reader.send({ op: 'GET_NOTE', data: { id: note.id } });
    const read = ((await reader.next('NOTE')).data as { note: Note }).note.paragraphs![0]!.text!;
    const onDisk = (JSON.parse(readFileSync(file, 'utf8')) as Note).paragraphs![0]!.text!;
    if (read === text) seen += 1;
    expect(Number(onDisk.split(' ')[0]), `read ${read.split(' ')[0]}`).toBeGreaterThanOrEqual(
      Number(read.split(' ')[0]),
    );
    await writer.next('PARAGRAPH');
  }
  // Otherwise the test would have checked nothing.
  expect(seen).toBeGreaterThan(0);
  for (const { socket } of sockets) socket.close();
});
