import { describe, expect, test, vi } from 'vitest';
import { scriptedClients, settle } from '../../../test/support/scripted.ts';
import type { RunEvent } from './run.ts';

const scripted = scriptedClients();

const STARTED = '2026-11-21T10:00:00+0000';
const paragraph = (more: object = {}) => ({ id: 'p', text: '%sh\nx', status: 'READY', ...more });
const running = (more: object = {}) =>
  paragraph({ status: 'RUNNING', dateStarted: STARTED, ...more });
const finished = (...data: string[]) =>
  paragraph({
    status: 'FINISHED',
    dateStarted: STARTED,
    results: { code: 'SUCCESS', msg: data.map((text) => ({ type: 'TEXT', data: text })) },
  });
const read = (each: object) => ({ note: { id: 'n', path: '/n', paragraphs: [each] } });

/** A run in progress, with the events that its loop has received so far. */
async function runningLoop() {
  const all = scripted();
  const note = await all.open({ id: 'n', paragraphs: [paragraph()] });
  const events: RunEvent[] = [];
  const run = note.paragraph('p').run();
  void (async () => {
    for await (const event of run) events.push(event);
  })();
  await vi.waitUntil(
    async () => (await settle(), all.last().ops.includes('RUN_PARAGRAPH')),
    60_000,
  );
  all.last().say('PARAGRAPH', { paragraph: running() });
  all.last().say('PARAGRAPH_UPDATE_OUTPUT', { paragraphId: 'p', index: 0, type: 'TEXT', data: '' });
  all.last().say('PARAGRAPH_APPEND_OUTPUT', { paragraphId: 'p', index: 0, data: '1\n' });
  await settle();
  /** The text of output 0 according to the loop. */
  const told = () =>
    events.reduce(
      (text, event) =>
        event.type === 'output' && event.index === 0
          ? event.data
          : event.type === 'append' && event.index === 0
            ? text + event.data
            : text,
      '',
    );
  const again = async () => {
    all.last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    all.last().open();
    await settle();
  };
  return { ...all, note, run, events, told, again };
}

describe('the events of a run over a broken connection', () => {
  test('continue where they were, if the server sends the output so far', async () => {
    const { last, run, told, again, events } = await runningLoop();
    await again();
    last().say(
      'NOTE',
      read(
        running({ results: { code: 'INCOMPLETE', msg: [{ type: 'TEXT', data: '1\n2\n3\n' }] } }),
      ),
    );
    last().say('PARAGRAPH_APPEND_OUTPUT', { paragraphId: 'p', index: 0, data: '4\n' });
    await settle();
    expect(told()).toBe('1\n2\n3\n4\n');
    last().say('PARAGRAPH', { paragraph: finished('1\n2\n3\n4\n') });
    expect((await run).status).toBe('FINISHED');
    await settle();
    expect(told()).toBe('1\n2\n3\n4\n');
    expect(
      events
        .filter(({ type }) => type === 'append')
        .map((event) => (event as { data: string }).data)
        .join(''),
    ).toBe('1\n2\n3\n4\n');
  });

  test('have no gap or repetition on other servers: missed output comes at the end', async () => {
    const { last, run, told, again } = await runningLoop();
    await again();
    last().say('NOTE', read(running()));
    last().say('PARAGRAPH_APPEND_OUTPUT', { paragraphId: 'p', index: 0, data: '3\n' });
    await settle();
    expect(told()).toBe('1\n');
    last().say('PARAGRAPH', { paragraph: finished('1\n2\n3\n') });
    await run;
    await settle();
    expect(told()).toBe('1\n2\n3\n');
  });

  test('end with the remaining output if the run ended while disconnected', async () => {
    const { last, run, told, again, events } = await runningLoop();
    await again();
    last().say('NOTE', read(finished('1\n2\n', 'other')));
    expect((await run).status).toBe('FINISHED');
    await settle();
    expect(told()).toBe('1\n2\n');
    expect(events.slice(-4).map(({ type }) => type)).toEqual([
      'append',
      'output',
      'status',
      'result',
    ]);
  });

  test('include output found only in the results, and drop it if it arrives late', async () => {
    const { last, run, told } = await runningLoop();
    last().say('PARAGRAPH', { paragraph: finished('1\n2\n') });
    last().say('PARAGRAPH_APPEND_OUTPUT', { paragraphId: 'p', index: 0, data: '2\n' });
    await run;
    await settle();
    expect(told()).toBe('1\n2\n');
  });

  test('request the run once, whatever happens to the connection', async () => {
    const { ends, last, again, run } = await runningLoop();
    await again();
    last().say('NOTE', read(finished('1\n')));
    await run;
    expect(ends.flatMap(({ ops }) => ops).filter((op) => op === 'RUN_PARAGRAPH')).toHaveLength(1);
  });
});
