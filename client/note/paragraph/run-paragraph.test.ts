import { expect, test } from 'vitest';
import { scriptedClients, settle } from '../../../test/support/scripted.ts';

const scripted = scriptedClients();
const failed = (interpreter: string) => ({
  id: 'p',
  text: `%${interpreter} x`,
  config: {},
  settings: { params: {}, forms: {} },
  status: 'ERROR',
  results: { code: 'ERROR', msg: [{ type: 'TEXT', data: `Interpreter ${interpreter} not found` }] },
});
const bindings = { interpreterBindings: [{ id: 'md', name: 'md', interpreters: [] }] };

test('a run that fails at once after a failed one ends although a Zeppelin is silent', async () => {
  const all = scripted();
  const note = await all.open({ id: 'n', paragraphs: [failed('first')] });
  const paragraph = note.paragraph('p');
  paragraph.edit('%other x');
  const run = paragraph.run();
  await settle();
  // Handled in order: the answer shows that the run was handled before.
  expect(
    all
      .last()
      .frames.map(({ op }) => op)
      .slice(-2),
  ).toEqual(['RUN_PARAGRAPH', 'GET_INTERPRETER_BINDINGS']);
  all.last().say('INTERPRETER_BINDINGS', bindings);
  await settle();
  expect(all.last().frames.at(-1)!.op).toBe('GET_NOTE');
  all.last().say('NOTE', { note: { id: 'n', path: '/n', paragraphs: [failed('other')] } });
  await expect(run).resolves.toMatchObject({
    status: 'ERROR',
    error: 'Interpreter other not found',
  });
});

test('a run that a Zeppelin announces continues', async () => {
  const all = scripted();
  const note = await all.open({ id: 'n', paragraphs: [failed('first')] });
  const run = note.paragraph('p').run();
  await settle();
  all.last().say('PARAGRAPH', { paragraph: { ...failed('first'), status: 'PENDING' } });
  all.last().say('INTERPRETER_BINDINGS', bindings);
  await settle();
  expect(all.last().frames.at(-1)!.op).toBe('GET_INTERPRETER_BINDINGS');
  const done = { ...failed('first'), status: 'FINISHED', dateStarted: 'Nov 21, 2026 7:01:50 AM' };
  all.last().say('PARAGRAPH', { paragraph: { ...done, results: { code: 'SUCCESS', msg: [] } } });
  await expect(run).resolves.toMatchObject({ status: 'FINISHED' });
});

test("somebody else's run does not end one that waits to be sent", async () => {
  const all = scripted();
  const ready = { id: 'p', text: '%md x', status: 'READY', rev: 1 };
  const note = await all.open({ id: 'n', paragraphs: [ready] });
  const paragraph = note.paragraph('p');
  paragraph.edit('%md xy');
  paragraph.commit().catch(() => {});
  const run = paragraph.run();
  await settle();
  expect(all.last().frames.at(-1)!.op).toBe('COMMIT_PARAGRAPH');
  const done = { ...ready, status: 'FINISHED', dateStarted: 'Nov 21, 2026 7:01:50 AM' };
  all.last().say('PARAGRAPH', { paragraph: { ...done, results: { code: 'SUCCESS', msg: [] } } });
  await settle();
  note.close();
  await expect(run).rejects.toMatchObject({ code: 'closed' });
});
