/**
 * Sample notes for the first start. They use real data, and every paragraph runs. data/README.md
 * lists the origin of the data.
 */

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerContext } from '../areas/context.ts';
import { newNoteLists } from '../areas/notes/notes.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { readJsonFile, writeDurably } from '../storage/files.ts';
import { findInPackage } from '../storage/package-folder.ts';
import { commandLanguage } from './command-language.ts';
import { flightDelays } from './flight-delays.ts';
import type { Sample } from './sample.ts';
import { seattleWeather } from './seattle-weather.ts';

const samples: readonly Sample[] = [flightDelays, seattleWeather, commandLanguage];
const data = ['flights-3m.parquet', 'airports.csv', 'seattle-weather.csv'];

/**
 * Adds the samples to a new data folder, once. Users who delete them do not get them again. The
 * npm package has no `flights-3m.parquet`, and so no sample that reads it.
 */
export async function addSamples(
  { notes, permissions, trust, options, log, runs }: ServerContext,
  files: string,
): Promise<void> {
  const mark = join(options.data, 'samples.json');
  if ((await readJsonFile(mark).catch(() => undefined)) !== undefined) return;
  const folder = findInPackage('samples/data') ?? 'samples/data';
  const missing: string[] = [];
  for (const name of data)
    await copyFile(join(folder, name), join(files, name)).catch(() => missing.push(name));
  // Without its data a sample would only show errors.
  const complete = samples.filter(
    ({ paragraphs }) => !missing.some((name) => paragraphs.some(({ text }) => text.includes(name))),
  );
  if (complete.length < samples.length)
    log.info({ missing }, 'samples without their data were not created');
  for (const { path, paragraphs } of complete) {
    const note = newNote(
      path,
      paragraphs.map((init) => newParagraph({ user: FIRST_ADMIN, ...init })),
    );
    await permissions.set(
      note.id,
      // Everybody may read and run them.
      { ...newNoteLists(FIRST_ADMIN, path, options), runners: [], readers: [] },
      FIRST_ADMIN,
    );
    await trust.begin(note.id, 'made', FIRST_ADMIN, true);
    await notes.add(note);
    // Text and templates are visible before the user runs anything.
    for (const { id, text } of note.paragraphs) {
      if (/^%(md|angular)\b/.test(text))
        await (await runs.start(note, id, {}, { principal: FIRST_ADMIN })).end;
    }
  }
  await writeDurably(mark, JSON.stringify({ added: new Date().toISOString() }));
}
