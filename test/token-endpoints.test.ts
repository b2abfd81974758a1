/** The token endpoints of the documentation: those for Node and Python answer with a token. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@tiding/client';
import { expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { startEmbedded } from './support/embedded.ts';
import { snippetsOf } from './support/markdown.ts';
import { pythonEnvironment, succeed } from './support/python-environment.ts';
import { root } from './support/sources.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const file = 'docs/embed/token-endpoints.md';
const embedded = untilEnd(
  await startEmbedded({ logLevel: 'silent', allowOrigins: ['https://portal.example.org'] }),
);
const folder = temporaryFolder();
const { token } = await new AccessTokenStore(embedded.data).create('admin');
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token: token! } }));
const noteId = await client.call('createNote', {
  body: { name: 'token endpoints', paragraphs: [{ text: '%md\n${region=US,US|EU}' }] },
});
const env = { ...process.env, TIDING_TOKEN: token!, PYTHONPATH: folder };

const programs = (language: string) =>
  snippetsOf(file, readFileSync(join(root, file), 'utf8'))
    .filter((each) => each.language === language)
    .map(({ code }) =>
      code.replaceAll('http://127.0.0.1:8080', embedded.server.url).replaceAll('2XAB9NJRE', noteId),
    );

/** Reads the note as a page with this token does. */
async function expectToken(given: string): Promise<void> {
  const page = createClient({ server: embedded.server.url, auth: { token: given } });
  const note = await page.open(noteId);
  const { outputs } = await note.paragraphs[0]!.run({ params: { region: 'US' } });
  // The token fixes the value.
  expect(JSON.stringify(outputs)).toContain('EU');
  page.close();
}

it('in Node', async () => {
  const [code = ''] = programs('js');
  const program = join(folder, 'tokens.mjs');
  const listening = '.listen(0, function () { console.log(this.address().port); })';
  await writeFile(program, code.replace('.listen(3000)', listening));
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/token`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await expectToken(await answer.text());
  } finally {
    child.kill();
  }
});

const asks = [
  ['FastAPI', 'from fastapi.testclient import TestClient\nanswer = TestClient(app).get("/token")'],
  ['Flask', 'answer = app.test_client().get("/token")'],
  [
    'Django',
    `import django, sys
from django.conf import settings
settings.configure(ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"])
django.setup()
from django.test import Client
answer = Client().get("/token")`,
  ],
] as const;
it.for(asks.map(([name, ask], at) => [name, ask, at] as const))(
  'in Python with %s',
  { timeout: 600_000 },
  async ([, ask, at], { skip }) => {
    const found = await pythonEnvironment();
    if ('missing' in found) return skip(`skipped, because ${found.missing}`);
    const [shared = '', ...apps] = programs('python');
    await writeFile(join(folder, 'tiding_token.py'), shared);
    const show = `import json
print(json.dumps([getattr(answer, "text", None) or answer.content.decode(),
  answer.headers["Cache-Control"]]))`;
    const said = await succeed(found.program, ['-c', `${apps[at]}\n${ask}\n${show}`], env);
    const [given, caching] = JSON.parse(/^\[.*/m.exec(said)![0]) as [string, string];
    expect(caching).toContain('no-store');
    await expectToken(given);
  },
);
