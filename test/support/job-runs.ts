/** Makes a note with a history of runs, for tests and pictures of the job page. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@tiding/client';

/** Has no time limit of its own: the first SQL of a busy machine takes the longest. */
const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await is())) await wait(100);
};

const PATH = 'Shared datasets/METAR nightly';
/** Uses `%js`, because all users share one shell and a long run would block it. */
const waiting = (ms: number, words: string): string =>
  `%js\nawait new Promise((done) => setTimeout(done, ${ms}));\nconsole.log('${words}');`;
const runs = [
  waiting(300, '12 stations'),
  waiting(800, '14 stations'),
  waiting(400, '14 stations'),
  '%sql\nselect nothing',
  waiting(1_200, '15 stations'),
  waiting(600_000, ''),
];

/**
 * Makes the note once: several successful runs, a failed one, and a last run that was stopped.
 * Returns its id.
 */
export async function makeJobRuns(client: Client): Promise<string> {
  const known = (await client.notes.list()).find(({ path }) => path === PATH);
  if (known) return known.id;
  const note = await client.open(await client.notes.create({ path: PATH }));
  const [paragraph] = note.paragraphs;
  for (const [at, text] of runs.entries()) {
    paragraph!.edit(text);
    await paragraph!.commit();
    void client.jobs.start(note.id, { timeout: 0 }).catch(() => {});
    if (at === runs.length - 1) {
      await until(() => paragraph!.status === 'RUNNING');
      await client.jobs.stop(note.id);
    }
    await until(async () => (await client.jobs.history(note.id)).length > at);
  }
  note.close();
  return note.id;
}
