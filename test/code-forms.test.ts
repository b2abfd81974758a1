/** Forms that `%python` and `%js` code creates: `z.input`, `z.select` and the like. */

import { createClient, type Note, outputText } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
const { token } = await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 });
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token: token! } }));

/** Runs a new version of the first paragraph and returns its output. */
async function run(note: Note, text: string, params?: Record<string, unknown>): Promise<string> {
  const [paragraph] = note.paragraphs;
  paragraph!.edit(text);
  const { outputs, error } = await paragraph!.run(params ? { params } : {});
  return error ?? outputs.map(outputText).join('').trim();
}
const open = async (path: string): Promise<Note> =>
  client.open(await client.notes.create({ path: `code forms/${path}` }));
const formsOf = (note: Note) => note.paragraphs[0]!.state.server.settings?.forms;

const days = [['mon', 'Monday'], 'tue'];
/** Equivalent code in both languages. */
const languages = {
  python: {
    text: (...calls: string[]) => `%python\nimport json\nprint(json.dumps([${calls.join(', ')}]))`,
    input: 'z.input("name", "Ada")',
    list: 'z.select("day", [("mon", "Monday"), "tue"], "tue")',
    boxes: 'z.checkbox("days", [("mon", "Monday"), "tue"], ["mon"])',
    noteInput: 'z.noteInput("year", 2020)',
    nameless: 'z.input("")',
  },
  js: {
    text: (...calls: string[]) =>
      `%js\nconsole.log(JSON.stringify([${calls.map((call) => `await ${call}`).join(', ')}]))`,
    input: 'z.input("name", "Ada")',
    list: `z.select("day", ${JSON.stringify(days)}, "tue")`,
    boxes: `z.checkbox("days", ${JSON.stringify(days)}, ["mon"])`,
    noteInput: 'z.noteInput("year", 2020)',
    nameless: 'z.input("")',
  },
};

describe.each(Object.entries(languages))('forms that %s code creates', (name, language) => {
  const { text, input, list, boxes, noteInput, nameless } = language;
  const parsed = async (...given: Parameters<typeof run>): Promise<unknown> => {
    const output = await run(...given);
    expect(output).toMatch(/^\[.*\]$/);
    return JSON.parse(output) as unknown;
  };

  it('have their default first, then the chosen value, and go with the code', async () => {
    const note = await open(`${name}/own`);
    const code = text(input, list, boxes);
    expect(await parsed(note, code)).toEqual(['Ada', 'tue', ['mon']]);
    const options = [
      { value: 'mon', displayName: 'Monday' },
      { value: 'tue', displayName: 'tue' },
    ];
    const forms = {
      name: { name: 'name', type: 'TextBox', defaultValue: 'Ada', hidden: false },
      day: { name: 'day', type: 'Select', defaultValue: 'tue', options, hidden: false },
      days: { name: 'days', type: 'CheckBox', defaultValue: ['mon'], options, hidden: false },
    };
    await expect.poll(() => formsOf(note)).toEqual(forms);
    expect(await parsed(note, code, { name: 'Eva', day: 'mon', days: ['tue'] })).toEqual([
      'Eva',
      'mon',
      ['tue'],
    ]);
    expect(await parsed(note, code)).toEqual(['Eva', 'mon', ['tue']]);
    expect(formsOf(note)).toEqual(forms);
    expect(await parsed(note, text(list))).toEqual(['mon']);
    await expect.poll(() => Object.keys(formsOf(note) ?? {})).toEqual(['day']);
    // The environment of Python may be created here.
  }, 600_000);

  it('stay while the code runs again', async () => {
    const note = await open(`${name}/again`);
    await parsed(note, text(input));
    const kept: unknown[] = [];
    const [paragraph] = note.paragraphs;
    client.on('PARAGRAPH', ({ data }) => {
      if (data.paragraph.id === paragraph!.id) kept.push(data.paragraph.settings?.forms);
    });
    await parsed(note, text(input));
    expect(kept.length).toBeGreaterThanOrEqual(2);
    for (const forms of kept) expect(forms).toHaveProperty('name');
  });

  it('of the whole note share their value', async () => {
    const note = await open(`${name}/note`);
    expect(await parsed(note, text(noteInput))).toEqual([2020]);
    await expect.poll(() => Object.keys(note.state.forms)).toEqual(['year']);
    await note.setParams({ year: '1999' });
    expect(await parsed(note, text(noteInput))).toEqual(['1999']);
  });

  it('need a name', async () => {
    const note = await open(`${name}/nameless`);
    expect(await run(note, text(nameless))).toContain('z.input: name');
    expect(formsOf(note) ?? {}).toEqual({});
  });
});

it('explain that a form in the text is code', async () => {
  const note = await open('explained');
  expect(await run(note, '%js\nconst year = ${year=2012};')).toContain(
    "${year=…} is code here, not a form. Call z.input('year', default), or write (form=simple)",
  );
});

describe('the text ${…}', () => {
  it.each([
    ['%python\ntotal = 12.5\nprint(f"Total: ${total}")', 'Total: $12.5', []],
    ['%js\nconst n = 3;\nconsole.log(`n is ${n}, ${n + 1}`);', 'n is 3, 4', []],
    ['%js(form=simple)\nconsole.log("n is ${n=4}");', 'n is 4', ['n']],
    ["%sql\nselect '${n=5}' || '\\${n}' as n", 'n\n5${n}', ['n']],
    ['%sh\nX=6; echo "\\${X} ${n=7}"', '6 7', ['n']],
    ['%sh\nX=6; echo "\\${X}"', '6', []],
    ['%sh(form=native)\nX=6; echo "${X}"', '6', []],
    ['%md\ncosts \\${n} and ${n=8}', 'costs ${n} and 8', ['n']],
    ['%angular\n<b>${n=9}</b>', '<b>${n=9}</b>', []],
  ])('%j gives %j', async (text, output, names) => {
    const note = await open('text');
    expect((await run(note, text)).replace(/<\/?(?:p|div)\b[^>]*>/g, '').trim()).toBe(output);
    expect(Object.keys(formsOf(note) ?? {})).toEqual(names);
    await client.notes.remove(note.id);
  });
});

it('take values of an embed token first, and only options from its pages', async () => {
  const { text, input, list } = languages.js;
  const note = await open('embedded');
  await run(note, text(input, list));
  const at = (params: Record<string, unknown>) =>
    client.call('createEmbedToken', { body: { noteId: note.id, scope: 'run', params } });
  const { token } = await at({ name: 'Locked' });
  const page = createClient({ server: embedded.server.url, auth: { token: token! } });
  const paragraph = (await page.open(note.id)).paragraphs[0]!;
  const chosen = await paragraph.run({ params: { name: 'Mine', day: 'mon' } });
  expect(chosen.outputs.map(outputText).join('').trim()).toBe('["Locked","mon"]');
  await expect(Promise.resolve(paragraph.run({ params: { day: 'other' } }))).rejects.toThrow(
    "This page may not choose this value for 'day'.",
  );
  page.close();
});
