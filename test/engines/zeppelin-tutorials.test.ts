/**
 * The notes that come with Zeppelin: each is imported, and each of its paragraphs runs or says what
 * it needs. The documentation has the table. `TIDING_TEST_ZEPPELIN_NOTES` is the folder `notebook`
 * of a Zeppelin.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, outputText, type Paragraph } from '@tiding/client';
import { splitMagic } from '@tiding/client/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';

const folder = process.env['TIDING_TEST_ZEPPELIN_NOTES'];
const files = folder
  ? readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.zpln'))
      .sort()
  : [];
const page = readFileSync('docs/zeppelin/tutorial-notes.md', 'utf8');

/** Without its id: `Python Tutorial/1. IPython Basic`. */
const nameOf = (file: string) => file.replace(/_\w+\.zpln$/, '');

/** Returns what a paragraph needs, or undefined if it runs. Throws if it doesn't say it. */
function need(paragraph: Paragraph): string | undefined {
  if (paragraph.status === 'FINISHED') return undefined;
  const text = paragraph.outputs.map(outputText).join('\n').trimEnd();
  const { magic = '' } = splitMagic(paragraph.text);
  const missing = /^Interpreter ([\w.]+) not found\. [A-Z].*\. You can use %.* here\./.exec(text);
  if (missing) return `\`%${missing[1]}\``;
  const meaning = /\nIn the Zeppelin that this note comes from, %sql is (%spark\.sql)\. For/.exec(
    text,
  );
  if (meaning) return `\`${meaning[1]}\``;
  const library = /\nModuleNotFoundError: No module named '(\w+)'\. If it is a package, .*\.$/.exec(
    text,
  );
  if (library) return `\`${library[1]}\``;
  const program = magic === 'sh' && /: (\w+): (?:command )?not found/.exec(text);
  if (program) return `\`${program[1]}\``;
  if (/https?:\/\//.test(paragraph.text)) return 'the network';
  // The error names what an earlier paragraph would have made.
  if (/\nNameError: name '\w+' is not defined$|No such file or directory/.test(text)) return '';
  throw new Error(`${paragraph.text}\n\n${paragraph.status}: ${text}`);
}

describe.skipIf(files.length === 0)('the notes that come with Zeppelin', () => {
  let client: Client;
  let programs: string;
  let stop: () => Promise<void>;
  const before = { PATH: process.env['PATH'], TIDING_PYTHON: process.env['TIDING_PYTHON'] };

  beforeAll(async () => {
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    }).trim();
    // Some paragraphs delete, download and install: they get a shell that can't.
    programs = temporaryFolder();
    for (const [name, path] of [
      ['sh', '/bin/sh'],
      ['bash', '/bin/bash'],
      ['head', '/usr/bin/head'],
      ['rm', '/bin/true'],
    ])
      symlinkSync(path!, join(programs, name!));
    process.env['TIDING_PYTHON'] ??= python;
    process.env['PATH'] = programs;
    const embedded = await startEmbedded();
    stop = embedded.stop;
    client = untilEnd(await adminClient(embedded.server.url));
  }, 60_000);
  afterAll(async () => {
    await stop?.();
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });

  it.each(files)('%s runs or says what it needs', { timeout: 280_000 }, async (file) => {
    const json = JSON.parse(readFileSync(join(folder!, file), 'utf8'));
    const id = await client.notes.importNote(json, nameOf(file));
    const note = await client.open(id);
    const needs: (string | undefined)[] = [];
    for (const paragraph of note.paragraphs) {
      await paragraph.run();
      needs.push(need(paragraph));
    }
    const runs = needs.filter((each) => each === undefined).length;
    const named = [...new Set(needs.filter(Boolean))].join(', ') || 'nothing';
    expect(page).toContain(`| ${nameOf(file)} | ${needs.length} | ${runs} | ${named} |\n`);
    note.close();
  });
});
