import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createClient } from '@tiding/client';

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} in the file .env.`);
  return value;
};
const tiding = setting('TIDING_SERVER');
const origin = setting('PORTAL_ORIGIN');
const client = createClient({ server: tiding, auth: { token: setting('TIDING_TOKEN') } });
const note = await client.open((await client.notes.find(setting('TIDING_NOTE'))).id);

/** The visitor's name, for the log of the Tiding server. Use your sign-in here. */
const visitorOf = (_request: IncomingMessage): string => 'guest';

/** A token for the whole note, so that all elements of the page share one connection. */
async function createToken(request: IncomingMessage): Promise<string> {
  const { token } = await client.embedTokens.create({
    noteId: note.id,
    scope: 'run',
    subject: visitorOf(request),
    origin,
  });
  return token;
}

/** What the page needs to know: the note, and two of its paragraphs. None of it is secret. */
const settings = () => ({
  server: tiding,
  note: note.id,
  charts: note.paragraphs.slice(1, 3).map(({ id }) => id),
});

const files: Record<string, string> = {
  '/': 'text/html; charset=utf-8',
  '/portal.css': 'text/css',
  '/portal.js': 'text/javascript',
};
const policy = [
  "default-src 'self'",
  `script-src 'self' ${tiding}`,
  `connect-src 'self' ${tiding} ${tiding.replace('http', 'ws')}`,
  `frame-src ${tiding}`,
  "img-src 'self' data:",
].join('; ');

async function answer(request: IncomingMessage): Promise<Response> {
  const { pathname } = new URL(request.url ?? '/', origin);
  const type = files[pathname];
  if (type) {
    const file = pathname === '/' ? 'index.html' : pathname.slice(1);
    const body = await readFile(new URL(`../public/${file}`, import.meta.url), 'utf8');
    return new Response(body, {
      headers: { 'Content-Type': type, 'Content-Security-Policy': policy },
    });
  }
  if (pathname === '/api/settings') return Response.json(settings());
  if (pathname === '/api/token' && request.method === 'POST')
    return new Response(await createToken(request), { headers: { 'Cache-Control': 'no-store' } });
  return new Response('There is no such page.', { status: 404 });
}

const server = createServer(async (request, response) => {
  const { status, headers, body } = await answer(request).then(
    async (answered) => ({
      status: answered.status,
      headers: Object.fromEntries(answered.headers),
      body: await answered.text(),
    }),
    (error: unknown) => {
      console.error(error);
      return { status: 500, headers: {}, body: 'The portal could not answer. Its log says why.' };
    },
  );
  response.writeHead(status, headers).end(body);
});
const { hostname, port } = new URL(origin);
server.listen(Number(port) || 80, hostname, () => console.log(`The portal is at ${origin}`));
