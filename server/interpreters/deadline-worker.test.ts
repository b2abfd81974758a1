import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DeadlineWorker } from './deadline-worker.ts';

const program = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (text) => { if (text !== 'never') parentPort.postMessage(text); });
`;
const start = () =>
  new DeadlineWorker<string, string>(program, { limitMs: 30_000, tooLong: 'It takes too long.' });

it('handles requests of different askers in turns', async () => {
  const worker = start();
  const answers: string[] = [];
  const ask = async (text: string, asker: string) =>
    answers.push(await worker.ask(text, { asker }));
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((text) => ask(text, 'ann')),
    ...['b1', 'b2'].map((text) => ask(text, 'bob')),
    ask('c1', 'cem'),
  ]);
  expect(answers).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(await worker.ask('again')).toBe('again');
});

it('goes on after a request that was aborted, and skips those that wait', async () => {
  const worker = start();
  const leaving = new AbortController();
  const endless = worker.ask('never', { signal: leaving.signal });
  const waiting = worker.ask('never', { signal: leaving.signal });
  const other = worker.ask('after');
  await setTimeout();
  leaving.abort(new Error('left'));
  await expect(endless).rejects.toThrow('left');
  await expect(waiting).rejects.toThrow('left');
  expect(await other).toBe('after');
});
