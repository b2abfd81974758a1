/**
 * The Python client: its generated modules are current, its package builds, its tests pass against
 * a server, and the snippets of its documentation run.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { SERVER_VERSION } from '../server/base/version.ts';
import type { Docs } from '../server/describe/docs.ts';
import { openApi } from '../server/describe/openapi.ts';
import { startEmbedded } from './support/embedded.ts';
import { snippetsOf } from './support/markdown.ts';
import { pythonEnvironment, run, succeed } from './support/python-environment.ts';
import { root } from './support/sources.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const { folder, pythonModules } = (await import(join(root, 'scripts/python-client.mjs'))) as {
  folder: string;
  pythonModules: (document: unknown) => Record<string, string>;
};
const { protocolDocs } = (await import(join(root, 'scripts/protocol-docs.mjs'))) as {
  protocolDocs: () => Docs;
};

const project = join(root, 'clients/python');
const manifest = readFileSync(join(project, 'pyproject.toml'), 'utf8');
describe('the modules of the Python client', () => {
  it('are those of the present REST calls', () => {
    const modules = pythonModules(openApi('http://127.0.0.1:8080', protocolDocs()));
    expect(Object.keys(modules)).toEqual(['rest.py', 'types.py']);
    for (const [name, text] of Object.entries(modules))
      expect(readFileSync(join(root, folder, name), 'utf8')).toBe(text);
  });

  it('have the version of the server', () =>
    expect(/^version = "(.*)"$/m.exec(manifest)![1]).toBe(SERVER_VERSION));
});

describe('the Python client', () => {
  let temporary: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let program: string;
  let env: Record<string, string>;
  let missing: string | undefined;

  beforeAll(async () => {
    temporary = temporaryFolder();
    const found = await pythonEnvironment();
    if ('missing' in found) {
      ({ missing } = found);
      return;
    }
    ({ program } = found);
    const pip = ['-m', 'pip', '--disable-pip-version-check'];
    const wheels = join(temporary, 'wheels');
    const own = ['--quiet', '--no-deps', '--no-build-isolation'];
    await succeed(program, [...pip, 'wheel', ...own, '--wheel-dir', wheels, project]);
    const [wheel = ''] = await readdir(wheels);
    const site = join(temporary, 'site');
    await succeed(program, [
      ...pip,
      ...['install', '--quiet', '--no-deps', '--target', site, join(wheels, wheel)],
    ]);
    embedded = untilEnd(await startEmbedded({ logLevel: 'silent' }));
    await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
    const tokens = new AccessTokenStore(embedded.data);
    env = {
      PYTHONPATH: site,
      PYTHONDONTWRITEBYTECODE: '1',
      TIDING_SERVER: embedded.server.url,
      TIDING_TOKEN: (await tokens.create('admin')).token!,
      TIDING_TOKEN_OF_BOB: (await tokens.create('bob')).token!,
    };
  }, 600_000);

  it('passes its tests', async ({ skip }) => {
    if (missing) return skip(`skipped, because ${missing}`);
    const { code, said } = await run(program, [join(project, 'tests/test_client.py'), '-v'], env);
    expect(code, said).toBe(0);
    expect(Number(/^Ran (\d+) tests/m.exec(said)?.[1])).toBeGreaterThan(15);
  }, 300_000);

  it.runIf(process.env['PYTHON_CHECKS'])('is free of wrong types and lint', async ({ skip }) => {
    if (missing) return skip(`skipped, because ${missing}`);
    for (const check of [['mypy'], ['ruff', 'check'], ['ruff', 'format', '--check']])
      await succeed(program, ['-m', ...check], {}, project);
  });

  it('gives every status the code that it has in the client for JavaScript', () => {
    const source = readFileSync(join(root, folder, 'errors.py'), 'utf8');
    const codes = Object.fromEntries(
      [...source.matchAll(/^ {4}(\d{3}): "([a-z-]+)",$/gm)].map(([, status, code]) => [
        status,
        code,
      ]),
    );
    const expected = Array.from({ length: 200 }, (_, at) => 400 + at)
      .map((status) => new HttpError({ status, method: 'GET', path: '', body: '', message: '' }))
      .filter(({ code }) => code !== 'http');
    expect(codes).toEqual(Object.fromEntries(expected.map(({ status, code }) => [status, code])));
  });

  it('is typed, and contains no other files', async ({ skip }) => {
    if (missing) return skip(`skipped, because ${missing}`);
    const installed = await readdir(join(env['PYTHONPATH']!, 'tiding_client'));
    const sources = await readdir(join(root, folder));
    const isSource = (name: string) => name !== '__pycache__';
    expect(installed.filter(isSource).sort()).toEqual(sources.filter(isSource).sort());
    expect(installed).toContain('py.typed');
  });

  it.for(['clients/python/README.md', 'docs/script/python.md'])(
    'runs each snippet of %s',
    { timeout: 300_000 },
    async (file, { skip }) => {
      if (missing) return skip(`skipped, because ${missing}`);
      const snippets = snippetsOf(file, readFileSync(join(root, file), 'utf8')).filter(
        ({ language }) => language === 'python',
      );
      expect(snippets.length).toBeGreaterThan(0);
      for (const { code, line } of snippets) {
        const text = code.replaceAll('http://127.0.0.1:8080', embedded.server.url);
        const ended = await run(program, ['-c', text], env, temporary);
        expect(ended.code, `${file}:${line}: ${ended.said}`).toBe(0);
      }
    },
  );
});
