import { renderParagraph } from '@tiding/elements/snapshot';
import { LiveParagraph } from './live-paragraph';
import { makeClient, openParagraph, server } from './tiding';

// Render for each request. Otherwise Next.js renders the page once, during the build.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const client = makeClient();
  try {
    const { note, paragraph } = await openParagraph(client);
    const snapshot = await renderParagraph(note, paragraph.id, { server });
    return (
      <main>
        <h1>Live paragraph</h1>
        <LiveParagraph snapshot={snapshot} />
      </main>
    );
  } finally {
    client.close();
  }
}
