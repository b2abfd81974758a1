/** The document of the app has the first answers for a signed-in user, and for nobody else. */
import { describe, expect, it } from 'vitest';
import { startEmbedded } from './support/embedded.ts';
import { asPage, login, request } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const documentFor = (headers: Record<string, string>) => request(url, 'GET', '/', { headers });
const answersIn = (html: string): Record<string, unknown> | undefined => {
  const [, json] =
    /<script type="application\/json" id="initial">(.*?)<\/script>/s.exec(html) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
};

const embedded = untilEnd(await startEmbedded());
const { url } = embedded.server;
const admin = await login(url);

describe('the document of the app', () => {
  it('has the answers of the first calls, and is not stored', async () => {
    const { text, headers } = await documentFor({ Cookie: admin.cookie });
    const call = async (path: string) =>
      (await request(url, 'GET', `/api${path}`, { headers: asPage(admin) })).json;
    const bodyOf = async (path: string) => ((await call(path)) as { body: unknown }).body;
    const answers = answersIn(text)!;
    expect(answers['ticket']).toEqual(await bodyOf('/security/ticket'));
    expect(answers['version']).toEqual(await bodyOf('/version'));
    expect(answers['config']).toEqual(await call('/magpie/config'));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('has the list of notes, whatever their names are', async () => {
    const path = 'Odd/<!--<script></script> & "quoted"';
    await request(url, 'POST', '/api/notebook', {
      headers: asPage(admin),
      body: JSON.stringify({ name: path }),
    });
    const { text } = await documentFor({ Cookie: admin.cookie });
    const { notes } = answersIn(text) as { notes: { path: string }[] };
    expect(notes.map((note) => note.path)).toContain(path);
  });

  it.each([
    ['somebody without a session', () => ({})],
    ['a script of another page', () => ({ Cookie: admin.cookie, 'Sec-Fetch-Mode': 'no-cors' })],
    ['a program with a token', () => ({ Cookie: admin.cookie, Authorization: 'Bearer wrong' })],
  ])('has no answers for %s', async (_who, headers) => {
    const { text, status } = await documentFor(headers() as Record<string, string>);
    expect(status).toBe(200);
    expect(text).toContain('<div id="app">');
    expect(answersIn(text)).toBeUndefined();
  });
});
