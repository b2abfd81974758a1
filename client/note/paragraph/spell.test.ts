import { afterEach, expect, test } from 'vitest';
import { outputText } from '../../core/outputs.ts';
import { type Client, createClient, type Note } from '../../index.ts';
import { memoryServer } from '../../testing/index.ts';

const clients: Client[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.close()));

/** A note that two users have open. */
async function two(): Promise<{
  mine: Note;
  theirs: Note;
  sent: (op: string) => Record<string, unknown>[];
  push: (op: string, data: unknown) => void;
}> {
  const memory = memoryServer({ notes: [{ id: 'note', path: 'note', paragraphs: ['%echo hi'] }] });
  const { server, transport, fetch } = memory;
  clients.push(
    createClient({ server, transport, fetch }),
    createClient({ server, transport, fetch }),
  );
  const [mine, theirs] = await Promise.all(clients.map((client) => client.open('note')));
  return {
    mine: mine!,
    theirs: theirs!,
    sent: (op) =>
      memory.frames
        .filter((frame) => frame.op === op)
        .map(({ data }) => data as Record<string, unknown>),
    push: (op, data) => memory.push(op, data),
  };
}
const printed = (note: Note) =>
  note.paragraphs[0]!.outputs.map((output) => `${output.type} ${outputText(output)}`);

test('a spell runs in this client, and the other clients get its output [W49]', async () => {
  const { mine, theirs, sent, push } = await two();
  const paragraph = mine.paragraphs[0]!;
  let during = '';
  const result = await paragraph.runSpell((text) => {
    during = paragraph.status;
    return Promise.resolve([{ type: 'TEXT', data: text }]);
  });
  expect([during, result.status, paragraph.status, printed(mine)]).toEqual([
    'RUNNING',
    'FINISHED',
    'FINISHED',
    ['TEXT %echo hi'],
  ]);
  expect(sent('PARAGRAPH_EXECUTED_BY_SPELL')).toMatchObject([
    {
      id: paragraph.id,
      status: 'FINISHED',
      errorMessage: '',
      paragraph: '%echo hi',
      results: { code: 'FINISHED', msg: [{ type: 'TEXT', data: '%echo hi' }] },
    },
  ]);
  // As a server forwards it.
  const { results, status } = sent('PARAGRAPH_EXECUTED_BY_SPELL')[0]!;
  push('RUN_PARAGRAPH_USING_SPELL', {
    paragraph: { id: paragraph.id, text: '%echo hi', results, status },
  });
  await expect.poll(() => printed(theirs)).toEqual(['TEXT %echo hi']);
  expect(sent('RUN_PARAGRAPH')).toEqual([]);
});

test('a failing spell reports the reason and has no output [W49]', async () => {
  const { mine, sent } = await two();
  const paragraph = mine.paragraphs[0]!;
  const result = await paragraph.runSpell(() => Promise.reject(new Error('no such word')));
  expect([result.status, paragraph.outputs]).toEqual(['ERROR', []]);
  expect(result.error).toMatch(/no such word\n +at .*spell\.test/);
  expect(sent('PARAGRAPH_EXECUTED_BY_SPELL')).toMatchObject([
    {
      status: 'ERROR',
      errorMessage: expect.stringContaining('no such word') as string,
      results: { msg: [] },
    },
  ]);
});

test('a run started by another client is not sent again', async () => {
  const { mine, sent } = await two();
  await mine.paragraphs[0]!.runSpell(() => Promise.resolve([{ type: 'TEXT', data: 'again' }]), {
    publish: false,
  });
  expect([printed(mine), sent('PARAGRAPH_EXECUTED_BY_SPELL')]).toEqual([['TEXT again'], []]);
});

test('is stopped by cancel and does not run twice', async () => {
  const { mine, sent } = await two();
  const paragraph = mine.paragraphs[0]!;
  const run = paragraph.runSpell(() => new Promise(() => {}));
  await expect.poll(() => paragraph.status).toBe('RUNNING');
  await expect(paragraph.runSpell(() => Promise.resolve([]))).rejects.toMatchObject({
    code: 'busy',
  });
  await paragraph.cancel();
  expect((await run).status).toBe('ABORT');
  expect(sent('CANCEL_PARAGRAPH')).toEqual([]);
});

test('is stopped with the note', async () => {
  const { mine } = await two();
  const run = mine.paragraphs[0]!.runSpell(() => new Promise(() => {}));
  await expect.poll(() => mine.paragraphs[0]!.status).toBe('RUNNING');
  await mine.stop();
  expect((await run).status).toBe('ABORT');
});
