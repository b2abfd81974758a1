/**
 * Sample notes for the first start: files in `data`, without results, as the app exports them. They
 * use real data, and every paragraph runs. data/README.md lists the origin of the data.
 */

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@tiding/client/protocol';
import type { ServerContext } from '../areas/context.ts';
import { newNoteLists } from '../areas/notes/notes.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { readJsonFile, writeDurably } from '../storage/files.ts';
import { findInPackage } from '../storage/package-folder.ts';

/** A note as its file has it. */
interface Sample {
  readonly name: string;
  readonly paragraphs: readonly { title?: string; text: string; config?: JsonObject }[];
}

/** In the order in which they are added. */
const files = ['flight-delays.zpln', 'seattle-weather.zpln', 'command-language.zpln'];
const data = ['flights-3m.parquet', 'airports.csv', 'seattle-weather.csv'];

/**
 * Adds the samples to a new data folder, once. Users who delete them do not get them again. The
 * npm package has no `flights-3m.parquet`, and so no sample that reads it.
 */
export async function addSamples(
  { notes, permissions, trust, options, log, runs }: ServerContext,
  target: string,
): Promise<void> {
  const mark = join(options.data, 'samples.json');
  if ((await readJsonFile(mark).catch(() => undefined)) !== undefined) return;
  const folder = findInPackage('samples/data') ?? 'samples/data';
  const missing: string[] = [];
  for (const name of data)
    await copyFile(join(folder, name), join(target, name)).catch(() => missing.push(name));
  const read = await Promise.all(files.map((file) => readJsonFile(join(folder, file))));
  const samples = read.filter((each) => each !== undefined) as Sample[];
  // Without its data a sample would only show errors.
  const complete = samples.filter(
    ({ paragraphs }) => !missing.some((name) => paragraphs.some(({ text }) => text.includes(name))),
  );
  if (complete.length < samples.length)
    log.info({ missing }, 'samples without their data were not created');
  for (const { name: path, paragraphs } of complete) {
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
