import { createClient } from '@tiding/client';
import type { Connect, Plugin } from 'vite';

/**
 * Answers `/tiding-token` in `npm run dev` and `npm start` with a token for one paragraph, which
 * expires after five minutes. In production, your backend does the same.
 */
export function tidingToken(env: Record<string, string>): Plugin {
  const addEndpoint = ({ middlewares }: { middlewares: Connect.Server }) => {
    const client = createClient({
      server: env['VITE_TIDING_SERVER'] ?? '',
      auth: { token: env['TIDING_TOKEN'] ?? '' },
    });
    middlewares.use('/tiding-token', async (_request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      try {
        // Check here that the visitor may see the paragraph.
        const { token } = await client.embedTokens.create({
          noteId: env['VITE_TIDING_NOTE'] ?? '',
          paragraphId: env['VITE_TIDING_PARAGRAPH'] ?? '',
          scope: 'run',
          origin: env['PAGE_ORIGIN'],
        });
        response.end(token);
      } catch (error) {
        console.error('No token:', error);
        response.writeHead(502).end();
      }
    });
  };
  return {
    name: 'tiding-token',
    configureServer: addEndpoint,
    configurePreviewServer: addEndpoint,
  };
}
