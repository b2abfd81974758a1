/** Tools that read notes and results. */
import { outputText } from '@tiding/client';
import { checksum, magicOf } from '@tiding/client/model';
import { z } from 'zod';
import { describeTool } from './describe.ts';
import { NOTE_ROWS, noteHead, paragraphMarkdown } from './markdown.ts';
import {
  findNote,
  listedNotes,
  noteArgument,
  paragraphArgument,
  paragraphIn,
  unknownParagraph,
  withNote,
} from './notes.ts';
import { isTable, markdownPage, readPage, tablePage } from './table.ts';
import { defineTool, type Tool, ToolError } from './tool.ts';

const listedNote = z.object({ id: z.string(), path: z.string() });

/** Sorts notes by path, and by id where paths are equal. */
const order = (a: { path: string; id: string }, b: { path: string; id: string }) =>
  a.path === b.path ? (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) : a.path < b.path ? -1 : 1;

const cursorOf = (note: z.infer<typeof listedNote>) =>
  Buffer.from(JSON.stringify([note.path, note.id])).toString('base64url');

/** Returns one page of the sorted notes after a cursor. */
export function pageOf<Note extends z.infer<typeof listedNote>>(
  notes: readonly Note[],
  limit: number,
  cursor: string | undefined,
): { notes: Note[]; next: string | undefined } {
  let after: z.infer<typeof listedNote> | undefined;
  if (cursor !== undefined) {
    try {
      const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const [path, id] = z.tuple([z.string(), z.string()]).parse(read);
      after = { path, id };
    } catch {
      throw new ToolError(
        'The cursor is invalid. Use the cursor of the previous answer, or none for the first page.',
      );
    }
  }
  const rest = [...notes].sort(order).filter((note) => !after || order(note, after) > 0);
  const page = rest.slice(0, limit);
  return { notes: page, next: rest.length > limit ? cursorOf(page.at(-1)!) : undefined };
}

const listNotes = defineTool({
  name: 'list_notes',
  title: 'List notes',
  description:
    'Lists the notes that the signed-in user may read, sorted by path. Folders are separated by ' +
    'a slash. Notes in the trash are left out.',
  grant: 'read',
  input: z.object({
    prefix: z.string().optional().describe("Start of the path, for example 'Reports/'."),
    limit: z.int().min(1).max(500).default(100).describe('Maximum number of notes.'),
    cursor: z.string().optional().describe('next_cursor of the previous answer.'),
  }),
  output: z.object({
    notes: z.array(listedNote),
    next_cursor: z.string().optional().describe('Cursor of the next notes. Absent at the end.'),
  }),
  async call({ prefix = '', limit, cursor }, context) {
    const start = prefix.replace(/^\//, '');
    const all = (await listedNotes(context)).filter(({ path }) => path.startsWith(start));
    const { notes, next } = pageOf(all, limit, cursor);
    const lines = notes.map(({ id, path }) => `- ${path} (\`${id}\`)`);
    if (lines.length === 0) lines.push('No notes.');
    if (next !== undefined)
      lines.push('', `There are more notes: call list_notes with cursor "${next}".`);
    return { text: lines.join('\n'), data: { notes, next_cursor: next } };
  },
});

const plain = (text: string | undefined) => (text ?? '').replace(/<\/?B>/g, '');

const searchNotes = defineTool({
  name: 'search_notes',
  title: 'Search notes',
  description:
    'Searches names and texts of the notes that the signed-in user may read. Returns at most 20 ' +
    'hits, the best first. To find more, use other words or list_notes.',
  grant: 'read',
  input: z.object({ query: z.string().min(1).max(1000).describe('Words to search for.') }),
  output: z.object({
    hits: z.array(
      z.object({
        note: z.string(),
        paragraph: z.string().optional(),
        path: z.string(),
        snippet: z.string(),
      }),
    ),
  }),
  async call({ query }, { client, signal }) {
    const found = await client.notes.search(query, { signal });
    const hits = found.map(({ id, name, snippet, text }) => {
      const [note = '', , paragraph] = id.split('/');
      return {
        note,
        paragraph,
        path: plain(name),
        snippet: plain(snippet ?? text).slice(0, 500),
      };
    });
    const lines = hits.map(
      ({ note, paragraph, path, snippet }) =>
        `- ${path} (\`${note}\`${paragraph ? `, paragraph \`${paragraph}\`` : ''}): ` +
        snippet.replace(/\s+/g, ' '),
    );
    return { text: lines.join('\n') || 'No hits.', data: { hits } };
  },
});

const readNote = defineTool({
  name: 'read_note',
  title: 'Read a note',
  description:
    'Returns a note as Markdown: the code of each paragraph with its language, the values of its ' +
    'forms, its revision, and the start of its results. Needs no run.',
  grant: 'read',
  input: z.object({
    note: noteArgument,
    paragraph: paragraphArgument.optional().describe('Id of the only paragraph to read.'),
    results: z.boolean().default(true).describe('Whether to include results.'),
    offset: z.int().min(0).default(0).describe('Number of paragraphs to skip.'),
    max_characters: z
      .int()
      .min(1_000)
      .max(200_000)
      .default(40_000)
      .describe('Length at which the answer stops; at least one paragraph is returned.'),
  }),
  output: z.object({
    id: z.string(),
    path: z.string(),
    markdown: z.string(),
    paragraphs: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        interpreter: z.string().optional(),
        status: z.string(),
        revision: z.string(),
      }),
    ),
    next_offset: z
      .number()
      .optional()
      .describe('offset of the next paragraphs, if there are more.'),
  }),
  async call(args, context) {
    const { id, path } = await findNote(args.note, context);
    const note = await context.client.notes.get(id, { signal: context.signal });
    const all = note.paragraphs ?? [];
    const chosen =
      args.paragraph === undefined
        ? all.slice(args.offset)
        : all.filter((each) => each.id === args.paragraph);
    if (args.paragraph !== undefined) {
      if (chosen.length === 0) throw unknownParagraph(path, args.paragraph, all);
      context.concern({ paragraph: args.paragraph });
    }
    const parts = [noteHead(note)];
    const paragraphs = [];
    let size = parts[0]!.length;
    for (const paragraph of chosen) {
      const tables = args.results
        ? await context.client.results.tables(
            { id, paragraphs: [paragraph] },
            { rows: NOTE_ROWS, signal: context.signal },
          )
        : undefined;
      const { text = '', title = '', status = 'READY' } = paragraph;
      const revision = checksum(text);
      let markdown = paragraphMarkdown(id, paragraph, revision, args.results, tables);
      if (paragraphs.length > 0 && size + markdown.length > args.max_characters) break;
      if (markdown.length > args.max_characters)
        markdown =
          `${markdown.slice(0, args.max_characters)}\n\nThe paragraph is cut: it has ` +
          `${markdown.length} characters. Call read_note with paragraph "${paragraph.id}" and ` +
          'a larger max_characters.';
      size += markdown.length;
      parts.push(markdown);
      paragraphs.push({ id: paragraph.id, title, interpreter: magicOf(text), status, revision });
    }
    const left = chosen.length - paragraphs.length;
    const next = args.offset + paragraphs.length;
    if (left > 0) parts.push(`${left} more paragraphs: call read_note with offset ${next}.`);
    const markdown = parts.join('\n\n');
    const next_offset = left > 0 ? next : undefined;
    return { text: markdown, data: { id, path, markdown, paragraphs, next_offset } };
  },
});

const readResult = defineTool({
  name: 'read_result',
  title: 'Read a result',
  description:
    'Returns one stored result of a paragraph: rows of a table with the types of its columns, or ' +
    'the characters of a text. offset and limit count rows or characters. Needs no run.',
  grant: 'read',
  input: z.object({
    note: noteArgument,
    paragraph: paragraphArgument,
    output: z.int().min(0).optional().describe('Number of the result. Default: the last table.'),
    offset: z.int().min(0).default(0).describe('First row or character, starting at 0.'),
    limit: z
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .describe('Maximum number of rows (default 50, at most 1000) or characters (default 10000).'),
  }),
  output: z.object({
    output: z.number(),
    type: z.string().describe('TABLE, TEXT, HTML and others.'),
    table: z.object(tablePage).optional(),
    text: z.string().optional(),
    total_characters: z.number().optional(),
    next_offset: z.number().optional().describe('offset of the next rows or characters.'),
  }),
  call: (args, context) =>
    withNote(args.note, context, async (note) => {
      const paragraph = paragraphIn(note, args.paragraph, context);
      const { outputs } = paragraph;
      if (outputs.length === 0)
        throw new ToolError(
          `The paragraph ${paragraph.id} has no results (${paragraph.status}). Run it first.`,
        );
      const last = outputs.findLastIndex(isTable);
      const index = args.output ?? (last < 0 ? outputs.length - 1 : last);
      const output = outputs[index];
      if (!output)
        throw new ToolError(
          `There is no result ${index}: the paragraph has ${outputs.length}, numbered from 0.`,
        );
      const { offset } = args;
      const call = (next: number) =>
        `call read_result with note "${note.id}", paragraph "${paragraph.id}", ` +
        `output ${index}, offset ${next}`;
      if (isTable(output)) {
        const limit = Math.min(args.limit ?? 50, 1_000);
        const table = await readPage(paragraph, index, { offset, limit, signal: context.signal });
        const { next_offset } = table;
        const types = table.columns.map(({ name, type }) => `${name}: ${type}`).join(', ');
        return {
          text: `Columns: ${types}\n\n${markdownPage(table, call(next_offset ?? 0))}`,
          data: { output: index, type: output.type, table, next_offset },
        };
      }
      const whole = outputText(output);
      const text = whole.slice(offset, offset + (args.limit ?? 10_000));
      const next = offset + text.length;
      const left = Math.max(0, whole.length - next);
      return {
        text: left > 0 ? `${text}\n\n${left} more characters: ${call(next)}.` : text,
        data: {
          output: index,
          type: output.type,
          text,
          total_characters: whole.length,
          next_offset: left > 0 ? next : undefined,
        },
      };
    }),
});

/** Tools that read. */
export const readTools: readonly Tool[] = [
  listNotes,
  searchNotes,
  readNote,
  readResult,
  describeTool,
];
