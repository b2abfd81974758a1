import { createClient, type Note, type Paragraph } from '@tiding/client';

const setting = (name: string): string => process.env[name] ?? '';

export const server = setting('TIDING_SERVER');

/** The client of this server, with all rights of its access token. Use it in server code only. */
export const makeClient = () => createClient({ server, auth: { token: setting('TIDING_TOKEN') } });

/** Opens the note and finds the paragraph that the page shows. */
export async function openParagraph(
  client: ReturnType<typeof makeClient>,
): Promise<{ note: Note; paragraph: Paragraph }> {
  const { id } = await client.notes.find(setting('TIDING_NOTE'));
  const note = await client.open(id);
  const paragraph = note.paragraphs[Number(setting('TIDING_PARAGRAPH')) - 1];
  if (!paragraph) throw new Error('The note has no such paragraph: correct TIDING_PARAGRAPH.');
  return { note, paragraph };
}
