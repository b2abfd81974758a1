/**
 * The Python client: its generated modules are current, its package builds, its tests pass against
 * a server, and the snippets of its documentation run.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpError } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { SERVER_VERSION } from '../server/base/version.ts';
import type { Docs } from '../server/describe/docs.ts';
import { openApi } from '../server/describe/openapi.ts';
import { startEmbedded } from './support/embedded.ts';
import { snippetsOf } from './support/markdown.ts';
import { root } from './support/sources.ts';

const { folder, pythonModules } = (await import(join(root, 'scripts/python-client.mjs'))) as {
  folder: string;
  pythonModules: (document: unknown) => Record<string, string>;
};
const { protocolDocs } = (await import(join(root, 'scripts/protocol-docs.mjs'))) as {
  protocolDocs: () => Docs;
};

const project = join(root, 'clients/python');
const manifest = readFileSync(join(project, 'pyproject.toml'), 'utf8');
const python = process.env['TIDING_PYTHON'] || 'python3';
/** What an installer prints if it can't reach its registry. */
const OFFLINE =
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Network is unreachable/;

interface Ended {
  readonly code: number | string;
  readonly said: string;
}

function run(program: string, args: readonly string[], env = {}, cwd = root): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, out, err) => resolve({ code: error ? (error.code ?? 1) : 0, said: out + err }),
    );
  });
}
async function succeed(...call: Parameters<typeof run>): Promise<void> {
  const { code, said } = await run(...call);
  if (code !== 0) throw new Error(`${call[0]} ${call[1].join(' ')}: ${said}`);
}

/**
 * Returns the Python of an environment with everything that the client depends on, made on first
 * use; or why there is none.
 */
async function environment(): Promise<{ program: string } | { missing: string }> {
  const version = await run(python, ['-c', 'import sys, venv; print(sys.version, sys.prefix)']);
  const [, minor = '0'] = /^3\.(\d+)/.exec(version.said) ?? [];
  if (version.code !== 0 || Number(minor) < 10)
    return { missing: `${python} is not Python 3.10 or newer with venv` };
  const key = createHash('sha256').update(manifest).update(version.said).digest('hex').slice(0, 16);
  const cache = join(root, 'node_modules/.cache', `python-client-${key}`);
  const program = join(cache, 'bin/python');
  if (existsSync(program)) return { program };
  // Renamed when it is complete; only scripts, which are not used, contain their path.
  const made = `${cache}.${process.pid}`;
  await rm(made, { recursive: true, force: true });
  try {
    await succeed(python, ['-m', 'venv', made]);
    const requirements = [...manifest.matchAll(/"([\w-]+>=[^"]+)"/g)].map(([, text]) => text!);
    const installed = await run(join(made, 'bin/python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'],
      ...requirements,
    ]);
    if (installed.code !== 0 && OFFLINE.test(installed.said))
      return { missing: 'the registry of Python packages could not be reached' };
    expect(installed.code, installed.said).toBe(0);
    await rename(made, cache).catch((error: Error) => {
      if (!existsSync(program)) throw error;
    });
    return { program };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

describe('the modules of the Python client', () => {
  it('are those of the present REST calls; else run `npm run python-client`', () => {
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
    temporary = await mkdtemp(join(tmpdir(), 'tiding-python-client-'));
    const found = await environment();
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
    embedded = await startEmbedded({ logLevel: 'silent' });
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
  afterAll(async () => {
    await embedded?.stop();
    await rm(temporary, { recursive: true, force: true });
  });

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
