/** Writes notes as Markdown, without values of password forms. */
import {
  cellText,
  editorMode,
  formSource,
  magicOf,
  normalizeForm,
  notePath,
  type StoredTables,
  type TypedRows,
  textForms,
  textRows,
  textTableOf,
} from '@tiding/client/model';
import type { Form, Note, Paragraph } from '@tiding/client/protocol';
import { envelopeOf } from '@tiding/client/widgets';
import { cut, isTable, markdownTable } from './table.ts';

/** Rows of a table and characters of a text that a note shows of each result. */
export const NOTE_ROWS = 10;
const NOTE_TEXT = 4_000;

/** A fenced block. The fence is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Returns the forms of a paragraph by name, of its last run and of its text. */
export const paragraphForms = (
  paragraph: Pick<Paragraph, 'text' | 'settings' | 'config'>,
): Readonly<Record<string, Form>> => ({
  ...paragraph.settings?.forms,
  ...textForms(formSource(paragraph)).forms,
});

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function formTable(forms: Readonly<Record<string, Form>>, values: Record<string, unknown>): string {
  const rows = Object.entries(forms).map(([name, given]) => {
    const form = normalizeForm(given);
    const value = Object.hasOwn(values, name) ? values[name] : form.defaultValue;
    const choices = form.options?.map((option) => valueText(option.value)).join(', ') ?? '';
    return [
      name,
      form.type,
      form.type === 'Password' ? '(hidden)' : cut(valueText(value ?? '') ?? '', 200),
      cut(choices, 500),
    ];
  });
  return markdownTable(['Form', 'Type', 'Value', 'Choices'], rows);
}

/** Says what an output is, and shows the start of a table or a text. */
function outputMarkdown(
  output: { type: string; data: string; rows?: number | undefined },
  stored: TypedRows | undefined,
  more: string,
): string {
  const { type, data } = output;
  if (isTable(output)) {
    const rows = stored ?? textRows(textTableOf(data), []);
    const total = Math.max(output.rows ?? 0, rows.length);
    const shown = Array.from({ length: Math.min(rows.length, NOTE_ROWS) }, (_, row) =>
      rows.columns.map((_, at) =>
        rows.value(row, at, 1) === null ? 'null' : cut(cellText(rows, row, at), 200),
      ),
    );
    const table = markdownTable(
      rows.columns.map(({ name }) => name),
      shown,
    );
    const rest = total - shown.length;
    return `${table}\n\n${total} rows.${rest > 0 ? ` ${rest} more rows: call ${more}.` : ''}`;
  }
  if (type === 'TEXT') return fenced(cut(data, NOTE_TEXT, `: call ${more}`), 'text');
  const widget = type === 'HTML' ? envelopeOf(data.trim())?.widget : undefined;
  if (widget !== undefined) return `The display widget '${widget}'. Call describe for its content.`;
  return `${type}, ${data.length} characters. Call ${more} for its source.`;
}

export function paragraphMarkdown(
  noteId: string,
  paragraph: Paragraph,
  revision: string,
  withResults: boolean,
  tables: StoredTables = new Map(),
): string {
  const { id, title, text = '', settings, results, status = 'READY', errorMessage } = paragraph;
  const parts = [
    `## ${title?.trim() || 'Paragraph'}`,
    [
      `- Paragraph: \`${id}\``,
      `- Revision: \`${revision}\``,
      `- Status: ${status}${paragraph.dateFinished ? `, ${paragraph.dateFinished}` : ''}`,
    ].join('\n'),
    fenced(text, magicOf(text) === undefined ? '' : editorMode(text, 'text')),
  ];
  const forms = paragraphForms(paragraph);
  if (Object.keys(forms).length > 0) parts.push(formTable(forms, settings?.params ?? {}));
  if (withResults) {
    for (const [index, output] of (results?.msg ?? []).entries()) {
      const more = `read_result with note "${noteId}", paragraph "${id}", output ${index}`;
      parts.push(`### Result ${index}`, outputMarkdown(output, tables.get(`${id}.${index}`), more));
    }
    if (errorMessage && !results?.msg?.length) parts.push(fenced(cut(errorMessage, NOTE_TEXT)));
  }
  return parts.join('\n\n');
}

/** Writes the head of a note as Markdown: its path, its id and its own forms. */
export function noteHead(note: Note): string {
  const forms = Object.assign(
    { ...note.noteForms },
    ...(note.paragraphs ?? []).map((each) => textForms(formSource(each)).noteForms),
  ) as Record<string, Form>;
  return [
    `# ${notePath(note)}`,
    `- Note: \`${note.id}\`\n- Paragraphs: ${note.paragraphs?.length ?? 0}`,
    ...(Object.keys(forms).length > 0 ? [formTable(forms, note.noteParams ?? {})] : []),
  ].join('\n\n');
}
