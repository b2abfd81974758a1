/** Sample notes for the first start: real data, every paragraph runs. Data: vega-datasets (BSD-3-Clause). */
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Bag } from 'tiding/protocol';
import { FIRST_ADMIN } from '../auth/users.ts';
import type { ServerContext } from '../context.ts';
import { readJson, writeDurably } from '../files.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { flightDelays } from './flight-delays.ts';
import { platform } from './platform.ts';
import { seattleWeather } from './seattle-weather.ts';

/** A sample note: its path and paragraphs. */
export interface Sample {
  path: string;
  paragraphs: { title?: string; text: string; config?: Bag }[];
}

const samples: readonly Sample[] = [flightDelays, seattleWeather, platform];
const data = ['flights-3m.parquet', 'airports.csv', 'seattle-weather.csv'];

/** Adds the samples to a new data folder, once: who removed them does not get them again. */
export async function addSamples(
  { notes, permissions, trust, options, log, runs }: ServerContext,
  files: string,
): Promise<void> {
  const mark = join(options.data, 'samples.json');
  if ((await readJson(mark).catch(() => undefined)) !== undefined) return;
  try {
    // Its entry point is in a folder beside the data.
    const folder = join(
      dirname(createRequire(import.meta.url).resolve('vega-datasets')),
      '../data',
    );
    await Promise.all(data.map((name) => copyFile(join(folder, name), join(files, name))));
  } catch (error) {
    // Without its data a sample would only show errors.
    log.warn(
      { error: (error as Error).message },
      'the sample data is not installed; no sample notes',
    );
    return;
  }
  for (const { path, paragraphs } of samples) {
    const note = newNote(
      path,
      paragraphs.map((init) => newParagraph({ user: FIRST_ADMIN, ...init })),
    );
    await permissions.set(
      note.id,
      { owners: [FIRST_ADMIN], writers: [], runners: [], readers: [] },
      FIRST_ADMIN,
    );
    await trust.begin(note.id, 'made', FIRST_ADMIN, true);
    await notes.add(note);
    // Prose and templates are there to be seen before anything is run.
    for (const { id, text } of note.paragraphs) {
      if (/^%(md|angular)\b/.test(text))
        await (await runs.start(note, id, {}, { principal: FIRST_ADMIN })).end;
    }
  }
  await writeDurably(mark, JSON.stringify({ added: new Date().toISOString() }));
}
