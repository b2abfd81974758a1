import { createClient } from '@tiding/client';

const client = createClient({
  server: process.env['TIDING_SERVER'] ?? 'https://notes.example.org',
  auth: { token: process.env['TIDING_TOKEN'] ?? '' },
});

export async function GET(): Promise<Response> {
  // Check here that the visitor may see the report.
  const { token } = await client.embedTokens.create({
    noteId: '2XAB9NJRE',
    paragraphId: '20261121-070135_35893072',
    scope: 'run',
    origin: 'https://portal.example.org',
  });
  return new Response(token, { headers: { 'Cache-Control': 'no-store' } });
}
