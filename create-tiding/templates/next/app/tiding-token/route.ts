import { makeClient, openParagraph } from '../tiding';

export const dynamic = 'force-dynamic';

export async function GET(): Promise<Response> {
  // Check here that the visitor may see the paragraph.
  const client = makeClient();
  try {
    const { note, paragraph } = await openParagraph(client);
    const { token } = await client.embedTokens.create({
      noteId: note.id,
      paragraphId: paragraph.id,
      scope: 'run',
      origin: process.env['PAGE_ORIGIN'],
    });
    return new Response(token, { headers: { 'Cache-Control': 'no-store' } });
  } finally {
    client.close();
  }
}
