/** TypeScript for the forms and the result of a note. */
import type { ArrowTable, Note } from '@tiding/client';
import { formSource, normalizeForm, textForms } from '@tiding/client/model';

/** What a program can fill in and what it gets. */
export interface DescribedNote {
  readonly path: string;
  /** Types of form values by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Types of the columns of the last table by name; `undefined` if no paragraph has a table. */
  readonly row: Readonly<Record<string, string>> | undefined;
}

type Form = ReturnType<typeof normalizeForm>;

const literal = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);

function typeOfForm(form: Form): string {
  const options = (form.options ?? []).map(({ value }) => literal(value));
  const choice = options.length > 0 ? [...new Set(options)].join(' | ') : 'string';
  switch (form.type) {
    case 'Select':
      return choice;
    case 'CheckBox':
      return `readonly (${choice})[]`;
    default:
      return typeof form.defaultValue === 'number' ? 'number' : 'string';
  }
}

/** The type of a column's values as `rows()` returns them. */
function typeOfColumn(type: ArrowTable['schema']['fields'][number]['type']): string {
  const name = String(type);
  if (/^U?[Ii]nt64/.test(name)) return 'bigint';
  if (/^(U?[Ii]nt\d|Float|Date|Timestamp)/.test(name)) return 'number';
  if (name === 'Utf8' || name === 'LargeUtf8') return 'string';
  if (name === 'Bool') return 'boolean';
  return 'unknown';
}

/** Describes an open note. The result is that of the last run. */
export async function describeNote(note: Note): Promise<DescribedNote> {
  const forms: Record<string, Form> = {};
  for (const paragraph of note.paragraphs) {
    const text = textForms(formSource({ ...paragraph.state.server, text: paragraph.text }));
    const stored = paragraph.state.server.settings?.forms ?? {};
    for (const [name, form] of Object.entries({ ...stored, ...text.noteForms, ...text.forms }))
      forms[name] ??= normalizeForm(form);
  }
  for (const [name, form] of Object.entries(note.state.forms)) forms[name] ??= normalizeForm(form);
  const last = note.paragraphs.findLast(({ state }) =>
    state.outputs.some(({ type }) => type === 'TABLE'),
  );
  const table = await last?.result.table();
  return {
    path: note.path,
    params: Object.fromEntries(
      Object.entries(forms).map(([name, form]) => [name, typeOfForm(form)]),
    ),
    row:
      table &&
      Object.fromEntries(
        table.schema.fields.map(({ name, type, nullable }) => [
          name,
          `${typeOfColumn(type)}${nullable ? ' | null' : ''}`,
        ]),
      ),
  };
}

const members = (types: Readonly<Record<string, string>>): string[] =>
  Object.entries(types).map(([name, type]) => `        ${JSON.stringify(name)}: ${type};`);
const object = (name: string, types: Readonly<Record<string, string>>): string[] =>
  Object.keys(types).length === 0
    ? [`      ${name}: Record<never, never>;`]
    : [`      ${name}: {`, ...members(types), '      };'];

/** Writes a module that tells `client.run` the types of notes. */
export function noteTypesModule(notes: readonly DescribedNote[]): string {
  const entries = notes.flatMap(({ path, params, row }) => [
    `    ${JSON.stringify(path)}: {`,
    ...object('params', params),
    ...(row ? object('row', row) : ['      row: Record<string, unknown>;']),
    '    };',
  ]);
  return [
    '// Written by `tiding types`. Run it again when the notes have changed.',
    "import '@tiding/client';",
    '',
    "declare module '@tiding/client' {",
    '  interface NoteTypes {',
    ...entries,
    '  }',
    '}',
    '',
  ].join('\n');
}
