import { createClient } from '@tiding/client';
import { renderParagraph } from '@tiding/elements/snapshot';

const server = 'https://notes.example.org';

// Render for each request. Otherwise Next.js renders the page once, during the build.
export const dynamic = 'force-dynamic';

export default async function WeatherPage() {
  const client = createClient({ server, auth: { token: process.env['TIDING_TOKEN'] ?? '' } });
  const note = await client.open('2XAB9NJRE');
  const html = await renderParagraph(note, '20261121-070135_35893072', { server });
  client.close();
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}
