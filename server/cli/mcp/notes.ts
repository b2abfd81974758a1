/** Finds notes and paragraphs for tools, and arguments that tools share. */
import {
  type Client,
  isTidingError,
  type Note,
  type NoteEntry,
  type Paragraph,
} from '@tiding/client';
import { isTrashed } from '@tiding/client/model';
import { z } from 'zod';
import { headingOf } from '../heading.ts';
import { type ToolContext, ToolError } from './tool.ts';

/** Argument that names a note. */
export const noteArgument = z.string().min(1).describe('Id or full path of the note.');
/** Argument that names a paragraph. */
export const paragraphArgument = z.string().min(1).describe('Id of the paragraph.');

/** Lists the notes that the signed-in user may read, without those in the trash. */
export const listedNotes = async ({
  client,
  signal,
}: Pick<ToolContext, 'client' | 'signal'>): Promise<NoteEntry[]> =>
  (await client.notes.list({ signal })).filter(({ path }) => !isTrashed(path));

/** Finds a note by its id or full path. */
export async function findNote(
  name: string,
  { client, concern, signal }: ToolContext,
): Promise<NoteEntry> {
  const found = await find(client, name, signal);
  concern({ note: found.id });
  return found;
}

async function find(client: Client, name: string, signal: AbortSignal): Promise<NoteEntry> {
  try {
    return await client.notes.find(name, { signal });
  } catch (error) {
    if (!isTidingError(error, 'not-found')) throw error;
    throw new ToolError(
      `There is no note '${name}' that the signed-in user may read. Call list_notes or ` +
        'search_notes to find its id.',
    );
  }
}

/** Opens a note, passes it on, and closes it again. */
export async function withNote<T>(
  name: string,
  context: ToolContext,
  act: (note: Note) => Promise<T>,
): Promise<T> {
  const { id } = await findNote(name, context);
  const note = await context.client.open(id, { signal: context.signal });
  try {
    return await act(note);
  } finally {
    note.close();
  }
}

export function paragraphIn(note: Note, id: string, { concern }: ToolContext): Paragraph {
  const found = note.paragraphs.find((each) => each.id === id);
  if (!found)
    throw unknownParagraph(
      note.path,
      id,
      note.paragraphs.map((each) => ({ id: each.id, title: headingOf(each) })),
    );
  concern({ paragraph: id });
  return found;
}

/** Paragraphs that an error lists. */
const MAX_LISTED = 30;

/** The error for a paragraph that a note lacks. */
export function unknownParagraph(
  path: string,
  id: string,
  paragraphs: readonly { id: string; title?: string | undefined }[],
): ToolError {
  const lines = paragraphs.slice(0, MAX_LISTED).map((each) => `- ${each.id}  ${each.title ?? ''}`);
  return new ToolError(
    `The note '${path}' has no paragraph '${id}'. Its paragraphs are\n${lines.join('\n')}`,
  );
}
