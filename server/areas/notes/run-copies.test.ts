import { pino } from 'pino';
import { expect, it } from 'vitest';
import { newNote, newParagraph, RUN_COPY_PREFIX } from '../../notes/note.ts';
import type { ServerContext } from '../context.ts';
import { RunCopySweeper } from './run-copies.ts';

const MINUTE = 60_000;

it('cancels abandoned runs and removes copies that nobody has used for ten minutes', async () => {
  const done: string[] = [];
  const copyOf = (name: string) => {
    const copy = newNote(name, [newParagraph()]);
    Object.assign(copy, { id: `${RUN_COPY_PREFIX}${name}` });
    copy.paragraphs[0]!.status = 'RUNNING';
    Object.assign(copy.config, { runCopyOf: 'n' });
    return copy;
  };
  const notes = new Map(['open', 'left'].map((name) => [name, copyOf(name)]));
  const viewed = new Set(['open']);
  const nameOf = (id: string) => id.slice(RUN_COPY_PREFIX.length);
  const nothing = async () => {};
  const sweeper = new RunCopySweeper({
    log: pino({ level: 'silent' }),
    notes: {
      runCopies: () => [...notes.values()],
      find: (id: string) => notes.get(nameOf(id)),
      async remove(id: string) {
        notes.delete(nameOf(id));
        done.push(`remove ${nameOf(id)}`);
      },
    },
    hub: {
      viewerCount: (id: string) => (viewed.has(nameOf(id)) ? 1 : 0),
      broadcastToNote() {},
      broadcastJobs() {},
    },
    runs: {
      async cancelNote({ id, paragraphs }: ReturnType<typeof copyOf>) {
        done.push(`cancel ${nameOf(id)}`);
        paragraphs[0]!.status = 'ABORT';
      },
    },
    pool: { forget: nothing },
    files: { forgetNote: nothing },
    trust: { remove: nothing },
    permissions: { remove: nothing },
  } as unknown as ServerContext);
  const after = async (minutes: number) => {
    await sweeper.sweep(minutes * MINUTE);
    return done.splice(0);
  };
  expect(await after(0)).toEqual([]);
  expect(await after(0.9)).toEqual([]);
  expect(await after(1)).toEqual(['cancel left']);
  expect(await after(9.9)).toEqual([]);
  expect(await after(10)).toEqual(['cancel left', 'remove left']);
  viewed.clear();
  expect(await after(10.5)).toEqual([]);
  expect(await after(11)).toEqual(['cancel open']);
  expect(await after(20)).toEqual(['cancel open', 'remove open']);
  expect(await after(30)).toEqual([]);
});
