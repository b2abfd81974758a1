/**
 * Faults around a server, and how users are notified. See also `failing-disk.test.ts` (a disk that
 * fails at each operation), `security.test.ts` (a damaged note), `revisions-remote.test.ts` (a git
 * remote that hangs) and `durability.test.ts` (a killed server).
 */
import { readFileSync, realpathSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note, Paragraph } from '@tiding/client/protocol';
import { describe, expect, it, vi } from 'vitest';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { bodyOf } from './support/people.ts';
import { processesIn, startProcess } from './support/process.ts';
import {
  type ApiCall,
  callApi,
  login,
  openSocket,
  type RawSocket,
  request,
  sendLogin,
  startEmpty,
} from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
let { url } = embedded.server;
let admin = await login(url);

const call = (...args: ApiCall) => callApi(url, admin, ...args);
const read = (id: string) => bodyOf<Note>(call('GET', `/notebook/${id}`));
const paragraphOf = async (id: string) => (await read(id)).paragraphs![0]!;

/** Creates a note with one paragraph and runs it; `socket` receives its frames. */
async function run(
  text: string,
  socket?: RawSocket,
): Promise<{ id: string; paragraph: string; socket: RawSocket }> {
  const id = await bodyOf<string>(call('POST', '/notebook', { paragraphs: [{ text }] }));
  const { id: paragraph } = await paragraphOf(id);
  const connection = socket ?? (await openSocket(url, { identity: admin.identity }));
  connection.send({ op: 'GET_NOTE', data: { id } });
  await connection.next('NOTE');
  expect((await call('POST', `/notebook/job/${id}/${paragraph}`, {})).status).toBe(200);
  return { id, paragraph, socket: connection };
}
/** The paragraph when its run has ended. */
async function ended(socket: RawSocket): Promise<Paragraph> {
  for (;;) {
    const paragraph = (await socket.next('PARAGRAPH')).data['paragraph'] as Paragraph;
    if (['FINISHED', 'ERROR', 'ABORT'].includes(paragraph.status!)) return paragraph;
  }
}
const textOf = ({ results }: Paragraph) => (results?.msg ?? []).map(({ data }) => data).join('');

/** Processes working in the data files folder: interpreters and their children. */
const processes = (data: string) => processesIn(realpathSync(join(data, 'files')));

describe('files', () => {
  it('a full disk is reported to the user, changes nothing, and recovers [S69]', async () => {
    const id = await bodyOf<string>(
      call('POST', '/notebook', { paragraphs: [{ text: 'before' }] }),
    );
    const { id: paragraph } = await paragraphOf(id);
    const handle = await open(join(embedded.data, 'users.json'));
    const full = vi
      .spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
      .mockImplementation(() =>
        Promise.reject(
          Object.assign(new Error('ENOSPC: no space left on device, fsync'), {
            code: 'ENOSPC',
            syscall: 'fsync',
          }),
        ),
      );
    await handle.close();
    try {
      const answer = await call('PUT', `/notebook/${id}/paragraph/${paragraph}`, { text: 'after' });
      expect([answer.status, answer.json]).toEqual([
        507,
        {
          status: 'INSUFFICIENT_STORAGE',
          message:
            'Oops! There is something wrong with the notebook file system (ENOSPC). ' +
            "Nothing was changed. The disk with the server's data folder is full. " +
            'Free some space, then try again.',
        },
      ]);
      expect((await paragraphOf(id)).text).toBe('before');
      expect((await request(url, 'GET', '/healthz')).status).toBe(503);
      const signIn = await sendLogin(url);
      expect([signIn.status, signIn.json, signIn.headers['set-cookie']]).toEqual([
        507,
        {
          status: 'INSUFFICIENT_STORAGE',
          message:
            "The disk with the server's data folder is full. Free some space, then try again.",
        },
        undefined,
      ]);
    } finally {
      full.mockRestore();
    }
    expect(await readdir(join(embedded.data, 'notebook', id))).toEqual(['note.json']);
    await expect.poll(async () => (await request(url, 'GET', '/healthz')).status).toBe(200);
    expect(
      (await call('PUT', `/notebook/${id}/paragraph/${paragraph}`, { text: 'after' })).status,
    ).toBe(200);
  });
});

describe('an interpreter', () => {
  it('that dies during a run keeps its output, reports why, and starts anew', async () => {
    const { id, paragraph, socket } = await run(
      '%js\nconsole.log("printed"); await new Promise((resolve) => setTimeout(resolve, ' +
        '200)); process.kill(process.pid, "SIGKILL"); await new Promise(() => {});',
    );
    const dead = await ended(socket);
    expect(dead.status).toBe('ERROR');
    expect(textOf(dead)).toBe(
      'printed\nThe JavaScript process ended (signal SIGKILL) and its variables are lost. ' +
        'The next run starts a new one.',
    );
    await call('PUT', `/notebook/${id}/paragraph/${paragraph}`, { text: '%js\n40 + 2' });
    expect((await call('POST', `/notebook/run/${id}/${paragraph}`, {})).json).toMatchObject({
      body: { code: 'SUCCESS', msg: [{ data: '42\n' }] },
    });
  });

  it.each([
    ['%sh', '%sh\nhead -c 1000000000 /dev/zero | tr "\\0" "x"; echo; echo end'],
    [
      '%js',
      '%js\nconst line = "x".repeat(1e6);\nfor (let at = 0; at < 1000; at += 1) console.log(line);',
    ],
  ])('that prints a gigabyte (%s) is cut at the limit, with little memory', async (_, text) => {
    const before = process.memoryUsage().rss;
    const { id, socket } = await run(text);
    let most = before;
    let over = false;
    const end = ended(socket).finally(() => (over = true));
    while (!over) {
      expect((await request(url, 'GET', '/healthz')).status).toBe(200);
      most = Math.max(most, process.memoryUsage().rss);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const paragraph = await end;
    expect(paragraph.status).toBe('FINISHED');
    expect(paragraph.results!.msg!.at(-1)).toEqual({
      type: 'TEXT',
      data: 'Output is truncated to 2097152 bytes.',
    });
    expect(Buffer.byteLength(textOf(paragraph))).toBeLessThan(2_097_152 + 100);
    // A gigabyte passed through; memory may hold several copies of the limit.
    expect((most - before) / 2 ** 20).toBeLessThan(300);
    await call('DELETE', `/notebook/${id}`);
  });

  it('that prints endlessly is cancelled', async () => {
    const { id, paragraph, socket } = await run('%sh\nyes');
    await socket.next('PARAGRAPH_APPEND_OUTPUT');
    socket.send({ op: 'CANCEL_PARAGRAPH', data: { id: paragraph, noteId: id } });
    expect((await ended(socket)).status).toBe('ABORT');
    await expect
      .poll(() =>
        processes(embedded.data).filter((pid) =>
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('yes'),
        ),
      )
      .toEqual([]);
    await call('DELETE', `/notebook/${id}`);
  });

  const forks =
    '%sh\nsleep 1000 &\n(sleep 1001 & sleep 1002 &)\n' +
    'nohup sleep 1003 >/dev/null 2>&1 &\necho started\nwait';
  const sleepers = (data: string) =>
    processes(data).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep\x00100'),
    );

  it.runIf(process.platform === 'linux')(
    'leaves no processes when the server closes, not even unresponsive ones',
    async () => {
      const other = untilEnd(await startEmpty({ logLevel: 'silent' }));
      [url, admin] = [other.server.url, await login(other.server.url)];
      const first = await run(forks);
      await first.socket.next('PARAGRAPH_APPEND_OUTPUT');
      const second = await run('%js\nconsole.log("busy"); for (;;);');
      await second.socket.next('PARAGRAPH_APPEND_OUTPUT');
      await expect.poll(() => processes(other.data).length).toBeGreaterThan(5);
      await other.server.close();
      await expect.poll(() => processes(other.data)).toEqual([]);
      const stored = JSON.parse(
        await readFile(join(other.data, 'notebook', first.id, 'note.json'), 'utf8'),
      ) as Note;
      expect(stored.paragraphs![0]!.status).toBe('ABORT');
    },
  );

  it.runIf(process.platform === 'linux')(
    'leaves no processes two seconds after the server was killed',
    async () => {
      const data = temporaryFolder();
      const own = await startProcess(['--port', '0', '--data', data], {
        TIDING_ADMIN_PASSWORD: ADMIN_PASSWORD,
      });
      try {
        [url, admin] = [own.url, await login(own.url)];
        // Some children have no environment or have left for their own session.
        const shell = await run(
          '%sh\nsleep 1000 & env -i sleep 1001 & setsid sleep 1002 & sleep 1003',
        );
        const python = await run(
          '%python\nimport subprocess, time\n' +
            'for alone in (False, True): subprocess.Popen(["sleep", ' +
            '"1004"], start_new_session=alone)\ntime.sleep(1000)',
        );
        // The Python environment may be created here.
        await expect.poll(() => sleepers(data), { timeout: 500_000 }).toHaveLength(6);
        await own.kill('SIGKILL');
        await expect.poll(() => processes(data), { interval: 20 }).toEqual([]);
        for (const { socket } of [shell, python]) socket.socket.terminate();
      } finally {
        await own.kill('SIGKILL');
      }
    },
    600_000,
  );
});
