/** Tools that create notes and change paragraphs. */
import { checksum, normalizePath } from '@tiding/client/model';
import { z } from 'zod';
import { headingOf } from '../heading.ts';
import { noteArgument, paragraphArgument, paragraphIn, withNote } from './notes.ts';
import { defineTool, type Tool, ToolError } from './tool.ts';

const code = z.string().max(1_000_000);
const CODE = "Code with its interpreter in the first line, for example '%sql\\nselect 1'.";

const createNote = defineTool({
  name: 'create_note',
  title: 'Create a note',
  description:
    'Creates a note with paragraphs, and returns their ids. Refuses a path that exists. Runs ' +
    'nothing.',
  grant: 'edit',
  input: z.object({
    path: z.string().min(1).max(500).describe("Full path, for example 'Reports/Daily sales'."),
    paragraphs: z
      .array(z.object({ title: z.string().max(500).optional(), text: code.describe(CODE) }))
      .max(200)
      .default([]),
  }),
  output: z.object({ id: z.string(), path: z.string(), paragraphs: z.array(z.string()) }),
  async call(args, { client, signal, concern, confirm }) {
    const path = normalizePath(args.path.normalize('NFC').trim());
    if (path === '') throw new ToolError('The path is empty. Name the note.');
    const taken = (await client.notes.list({ signal })).find((note) => note.path === path);
    if (taken)
      throw new ToolError(
        `There is already a note '${path}' (${taken.id}). Choose another path, or change that ` +
          'note with insert_paragraph and edit_paragraph.',
      );
    const texts = args.paragraphs.map(({ text }) => text).join('\n\n');
    await confirm(`Create the note '${path}'?\n\n${texts}`);
    const id = await client.call('createNote', {
      signal,
      body: { name: path, notePath: path, paragraphs: args.paragraphs },
    });
    concern({ note: id });
    const { paragraphs = [] } = await client.notes.get(id, { signal });
    return {
      text: `Created '${path}' (\`${id}\`) with ${paragraphs.length} paragraphs.`,
      data: { id, path, paragraphs: paragraphs.map((each) => each.id) },
    };
  },
});

const edited = z.object({ note: z.string(), paragraph: z.string(), revision: z.string() });

const editParagraph = defineTool({
  name: 'edit_paragraph',
  title: 'Edit a paragraph',
  description:
    'Replaces the code of a paragraph. Needs the revision that read_note returned, and refuses ' +
    'if somebody has changed the code since. Runs nothing.',
  grant: 'edit',
  destructive: true,
  input: z.object({
    note: noteArgument,
    paragraph: paragraphArgument,
    text: code.describe(`The whole new code. ${CODE}`),
    revision: z.string().min(1).describe('Revision of the paragraph that the new code replaces.'),
  }),
  output: edited,
  call: (args, context) =>
    withNote(args.note, context, async (note) => {
      const paragraph = paragraphIn(note, args.paragraph, context);
      const check = () => {
        const revision = checksum(paragraph.text);
        if (revision !== args.revision)
          throw new ToolError(
            'The paragraph was changed since you read it, so nothing was replaced. Its revision ' +
              `is ${revision}. Call read_note and make your change to the new code.`,
            'refused',
          );
      };
      check();
      await context.confirm(
        `Replace the code of '${headingOf(paragraph)}' in '${note.path}'?\n\n` + args.text,
      );
      check();
      // Changes that arrive at the server in between are merged there, as with two editors.
      paragraph.edit(args.text);
      try {
        await paragraph.commit({ signal: context.signal });
      } catch (error) {
        paragraph.discard();
        throw error;
      }
      const revision = checksum(paragraph.text);
      return {
        text: `Replaced the code of \`${paragraph.id}\`. Its revision is ${revision}.`,
        data: { note: note.id, paragraph: paragraph.id, revision },
      };
    }),
});

const insertParagraph = defineTool({
  name: 'insert_paragraph',
  title: 'Insert a paragraph',
  description: 'Inserts a paragraph with code, by default at the end of the note. Runs nothing.',
  grant: 'edit',
  input: z.object({
    note: noteArgument,
    text: code.describe(CODE),
    title: z.string().max(500).optional(),
    after: paragraphArgument.optional().describe('Id of the paragraph above the new one.'),
  }),
  output: edited,
  call: (args, context) =>
    withNote(args.note, context, async (note) => {
      const above = args.after === undefined ? undefined : paragraphIn(note, args.after, context);
      await context.confirm(`Insert a paragraph into '${note.path}'?\n\n${args.text}`);
      const paragraph = await note.insert(
        {
          text: args.text,
          ...(args.title === undefined ? {} : { title: args.title }),
          ...(above === undefined ? {} : { index: above.index + 1 }),
        },
        { signal: context.signal },
      );
      context.concern({ paragraph: paragraph.id });
      const revision = checksum(paragraph.text);
      return {
        text: `Inserted the paragraph \`${paragraph.id}\`. Its revision is ${revision}.`,
        data: { note: note.id, paragraph: paragraph.id, revision },
      };
    }),
});

/** Tools that write. */
export const editTools: readonly Tool[] = [createNote, editParagraph, insertParagraph];
