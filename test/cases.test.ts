/** Small files of other programs, each with the values that they have there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createClient, type Note, outputText, readNoteFile } from '@tiding/client';
import { tableSource } from '@tiding/client/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { upgraded } from '../client/model/formats/jupyter-older.ts';
import type { Notebook } from '../client/model/formats/jupyter-types.ts';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { casesFolder, casesTitle } from './support/cases.ts';
import { notebookParts } from './support/notebook-parts.ts';
import { pythonEnvironment } from './support/python-environment.ts';
import { startEmpty } from './support/raw.ts';
import { root } from './support/sources.ts';
import { untilEnd } from './support/until-end.ts';

const python = casesFolder ? await pythonEnvironment() : { missing: 'not needed' };
if ('folder' in python) vi.stubEnv('TIDING_PYTHON_ENV', python.folder);
afterAll(() => void vi.unstubAllEnvs());

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
const { token } = await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 });
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token: token! } }));

const bytesOf = (file: string) => readFileSync(join(casesFolder, file));
const filesIn = (folder: string): string[] =>
  casesFolder && existsSync(join(casesFolder, folder))
    ? readdirSync(join(casesFolder, folder)).map((name) => `${folder}/${name}`)
    : [];
/** Lines of a fixture, each a list of texts. */
const linesOf = (name: string): string[][] =>
  readFileSync(join(root, 'test/fixtures/cases', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
const cases = (title: string, tests: () => void) =>
  describe.skipIf(!casesFolder)(casesTitle(title), tests);

let count = 0;
/** Imports a file as a note. */
async function imported(file: string): Promise<Note> {
  const note = await readNoteFile(basename(file), bytesOf(file));
  return client.open(await client.notes.importNote(note, `notes/${(count += 1)}`));
}
const textsOf = (note: Note) => note.paragraphs.map(({ text }) => text);

cases('data files', () => {
  /**
   * A file, with what is chosen instead of a guess; the types of its columns; the table as CSV; a
   * part of what is said about it. They are what pandas and DuckDB read with the right options.
   */
  const tables = linesOf('tables.jsonl');
  let note: Note;
  beforeAll(async () => {
    note = await client.open(await client.notes.create({ path: 'tables' }));
  });

  it('are all listed', () => {
    const listed = new Set(tables.map(([key = '']) => key.split('?')[0]));
    expect([...listed].sort()).toEqual([...filesIn('csv'), ...filesIn('excel')].sort());
  });

  it.each(tables)('%s', async (key, types, csv, said = '') => {
    const [file = '', ...choice] = key!.split(/[?=]/);
    // The text of this file is the name of one, with the accent as a character of its own.
    const isName = file.endsWith('.txt');
    const name = isName ? bytesOf(file).toString() : basename(file);
    const bytes = isName ? Buffer.from('a\n1\n') : bytesOf(file);
    const { path } = await client.files.upload(name, bytes, { noteId: note.id });
    const choices = choice.length > 0 ? Object.fromEntries([choice]) : {};
    const reading = client.files.readTables(path, { choices });
    if (types === 'refused') return expect(reading).rejects.toThrow(said);
    const { tables: found, guesses, remarks, skipped } = await reading;
    const first = { ...found[0]!, path: found[0]!.path.slice(`notes/${note.id}/`.length) };
    const paragraph = await note.insert({ text: `%sql\nselect * ${tableSource(first)}` });
    expect((await paragraph.run()).error).toBeUndefined();
    const answer = await fetch(
      `${embedded.server.url}/api/magpie/result/${note.id}.${paragraph.id}.0?format=csv`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    expect([
      guesses.flatMap(({ name, value }) => (name.startsWith('type.') ? [value] : [])).join(', '),
      (await answer.text()).replaceAll('\r\n', '\n'),
      [...remarks, ...skipped.map((each) => `${each.name} ${each.reason}`)].join('\n'),
    ]).toEqual([types, `${csv}\n`, expect.stringContaining(said)]);
  });
});

cases('notebooks', () => {
  const parsed = (text: string): Notebook =>
    JSON.parse(text.replace(/^\ufeff/, '').replace(/\bNaN\b|\b\d{16,}\b/g, '"$&"')) as Notebook;

  it.each(filesIn('jupyter'))('%s is the same after an import and an export', async (file) => {
    const given = parsed(bytesOf(file).toString());
    if (Number(given.nbformat) > 4)
      return expect(imported(file)).rejects.toThrow("version 5 can't be read");
    const note = await imported(file);
    const back = parsed(await client.notes.export(note.id, { format: 'ipynb' }));
    const wanted = Number(given.nbformat) < 4 ? (upgraded(given as never) as never) : given;
    expect({ ...notebookParts(back), minor: 0 }).toEqual({ ...notebookParts(wanted), minor: 0 });
    note.close();
  });

  it.each([
    ['language-xcpp17', 'x = 1 + 1\nprintln(x)', '%xcpp17\n'],
    ['odd-cellmagics', 'ls', '%sh\n'],
    ['odd-null-source', '', '%python\n'],
  ])('%s has its magic', async (name, source, magic) => {
    const note = await imported(`jupyter/${name}.ipynb`);
    expect(textsOf(note)).toContain(magic + source);
    note.close();
  });

  it.each([
    [
      'outputs-markdown-latex-json',
      [
        /^HTML .*<strong>Total:<\/strong> 42 units/s,
        /^HTML .*<math .*<mi>E<\/mi>/s,
        /^TEXT \{\s*"rate": 0\.25,\s*"ids": \[\s*9007199254740993\s*\]\s*\}/,
        /^HTML .*<msup><mi>x<\/mi><mn>2<\/mn><\/msup>/s,
        /^HTML <img alt="" src="data:image\/webp;base64,UklGR/,
        /^TEXT {4}a\n0 {2}1\n$/,
        /^TEXT <IPython\.core\.display\.Javascript object>/,
        /^TEXT warn: careful\n$/,
        /^TEXT ok\n$/,
      ],
    ],
    ['roundtrip-metadata', [/^TEXT e\n$/, /^HTML <b>h<\/b>$/, /^HTML .*<p>text<\/p>/s]],
    ['odd-widget-output', [/^TEXT IntSlider\(value=3\)\n$/]],
    ['odd-nan-in-json', [/^HTML <tiding-chart>.*"y":\[1,null\]/]],
    ['nbformat-3', [/<h2>Results/, /^TEXT 2\n$/, /^TEXT 4\n$/, /^IMG iVBOR/, /<em>end<\/em>/]],
  ] as const)('%s shows the richest type of each output', async (name, wanted) => {
    const note = await imported(`jupyter/${name}.ipynb`);
    const shown = note.paragraphs.flatMap(({ outputs }) =>
      outputs.map((output) => `${output.type} ${outputText(output)}`),
    );
    expect(shown).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)));
    note.close();
  });

  it('attachments.ipynb has pictures', async () => {
    const note = await imported('jupyter/attachments.ipynb');
    const files = (await client.files.list({ noteId: note.id })).map(({ path }) => basename(path));
    expect(files.sort()).toEqual(
      ['2f6c', 'Screenshot 2024-05-01 at 10.11.12', 'link', 'one', 'ref', 'sized', 'titled']
        .concat('with space', 'щенок')
        .map((name) => `${name}.png`)
        .sort(),
    );
    note.close();
  });
});

cases('scripts and code with dollar signs', () => {
  /** The texts of the paragraphs, and what their runs print. */
  const SCRIPTS: Readonly<Record<string, readonly [texts: string[], printed?: string[]]>> = {
    'percent/cells.py': [
      [
        '%md\n# Title',
        '%python\nalpha = 1',
        '%python\nbeta = 2',
        '%md\ntext',
        '%raw\nraw text',
        '%python\n%matplotlib inline\n!pip install x\nimport os',
        '%python\ntext = """\n# %% not a cell\n"""',
        '%md\nDoc with `code`',
      ],
    ],
    'percent/crlf.py': [
      ['%python\nx = 1', '%python\ny = 2'],
      ['', ''],
    ],
    'percent/latin1.py': [
      ['%python\n# -*- coding: utf-8 -*-', '%python\nname = "Müller, Straße, 5 €"'],
      ['', ''],
    ],
    'percent/quarto.md': [
      [
        '%raw\n---\ntitle: "A report"\nformat: html\n---',
        '%md\n# Intro',
        '%python\n#| echo: false\nprint(1)',
        '%r\nx <- 1',
        '%python\nprint(2)',
        '%md\n- item\n\n  ```python\n  indented = 1\n  ```',
      ],
    ],
    'dollar/deno.ipynb': [['%js\nconst n = 3;\nconsole.log(`n is ${n}`);'], ['n is 3\n']],
    'dollar/job.py': [['%python\nn = 3\nprint(f"${n} due")'], ['$3 due\n']],
    'dollar/price.ipynb': [
      [
        '%python\ntotal = 12.5\nprint(f"Total: ${total}")\nprint(f"{total}$")',
        '%python\ncost = {"a": 3}\nprint(f"${cost[\'a\']} each, ${total:.2f}")',
        '%md\nCosts $\\${c}$ and \\${x}$',
        '%python\nfrom string import Template\nTemplate("Hi ${who}").substitute(who="Bo")',
      ],
      ['Total: $12.5\n12.5$\n', '$3 each, $12.50\n', 'Costs $c{c} and x{x}', "'Hi Bo'\n"],
    ],
    'dollar/q.sql': [["%sql\nselect '\\${a}' as literal;"], ['literal\n${a}\n']],
    'dollar/shell.md': [
      ['%md\nText', '%sh\nX=5; echo "\\${X}"'],
      ['Text', '5\n'],
    ],
  };

  it('are all listed', () => {
    expect(Object.keys(SCRIPTS)).toEqual([...filesIn('percent'), ...filesIn('dollar')]);
  });

  it.each(Object.entries(SCRIPTS))('%s', { timeout: 600_000 }, async (file, [texts, printed]) => {
    const note = await imported(file);
    expect(textsOf(note)).toEqual(texts);
    for (const [at, wanted] of (printed ?? []).entries()) {
      const { outputs, error } = await note.paragraphs[at]!.run();
      const text = outputs
        .map(outputText)
        .join('')
        .replace(/<[^>]*>\n?/g, '');
      expect([error, text]).toEqual([undefined, wanted]);
    }
    note.close();
  });

  it('cells.py has its header, tags and kinds of cells after an export', async () => {
    const note = await imported('percent/cells.py');
    expect(await client.notes.export(note.id, { format: 'py' })).toBe(
      bytesOf('percent/cells.py')
        .toString()
        .replace('{"slideshow": {"slide_type": "slide"}}', 'slideshow={"slide_type": "slide"}')
        .replace('[md]', '[markdown]'),
    );
    note.close();
  });
});

cases('notes of a Zeppelin', () => {
  type Output = { readonly data: string | null };
  type OldParagraph = {
    readonly text?: unknown;
    readonly result?: string | { readonly msg: string };
    readonly results?: { readonly msg: Output[] } | Output[] | null;
  };

  it.each(filesIn('zeppelin'))('%s has its texts and results', async (file) => {
    const given = JSON.parse(bytesOf(file).toString()) as { paragraphs: OldParagraph[] };
    const wanted = given.paragraphs.map(({ text, result, results }) => [
      Array.isArray(text) ? text.join('') : String(text ?? ''),
      ...(Array.isArray(results) ? results : (results?.msg ?? [])).map(({ data }) => data ?? ''),
      ...(result === undefined ? [] : [typeof result === 'string' ? result : result.msg]),
    ]);
    const note = await imported(file);
    expect(note.paragraphs.map(({ text, outputs }) => [text, ...outputs.map(outputText)])).toEqual(
      wanted,
    );
    const text = await client.notes.export(note.id);
    const again = await client.open(await client.notes.importNote(text, `Again/${file}`));
    expect(textsOf(again)).toEqual(textsOf(note));
    if (/z05|z09/.test(file))
      expect(note.paragraphs[0]!.state.server.config?.results).toMatchObject({
        0: { graph: { mode: file.includes('z05') ? 'multiBarChart' : 'table' } },
      });
    note.close();
    again.close();
  });
});

cases('displays of Python', () => {
  /** The title of each cell, and its outputs; `~` begins a pattern. */
  const wanted = linesOf('displays.jsonl');

  it('have the values of pandas, IPython and a terminal', { timeout: 900_000 }, async () => {
    if ('missing' in python) return console.log(`skipped: ${python.missing}`);
    const note = await imported('python/displays.py');
    const titles = note.paragraphs.map(({ state }) => state.server.title);
    expect(titles).toEqual(wanted.map(([title]) => title));
    for (const [at, [title, ...outputs]] of wanted.entries()) {
      const paragraph = note.paragraphs[at]!;
      const { error } = await paragraph.run();
      const isEnded = /process ended/.test(error ?? '');
      // What a process prints just before it dies may be lost with it.
      const shown = () => [
        title,
        ...paragraph.outputs
          .slice(isEnded ? -1 : 0)
          .map((output) => `${output.type} ${outputText(output)}`),
      ];
      const patterns = outputs.map((output) => {
        const [, type, pattern] = /^(\w+) ~(.*)$/s.exec(output) ?? [];
        const text = pattern?.replace(/^\^/, `^${type} `);
        return text === undefined ? output : expect.stringMatching(new RegExp(text));
      });
      // A thread prints after the end of its cell.
      await expect.poll(shown).toEqual([title, ...patterns]);
      if (isEnded) await note.paragraphs[0]!.run();
    }
    note.close();
  });
});
