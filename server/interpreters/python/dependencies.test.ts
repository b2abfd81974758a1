import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PackageRepository } from '../contract.ts';
import { runCode, shownText, type TestHost, testHost } from '../test-support.ts';
import { python } from './python.ts';

/** Creates a wheel with one module that defines `VERSION`. */
function wheel(folder: string, name: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  const info = `${name}-${version}.dist-info`;
  const entries = {
    [`${name}.py`]: `VERSION = "${version}"\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${info}/WHEEL`]:
      'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: `${name}.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  };
  const script =
    'import sys, json, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as z:\n' +
    '  for name, text in json.loads(sys.argv[2]).items(): z.writestr(name, text)';
  execFileSync('python3', [
    '-c',
    script,
    join(folder, `${name}-${version}-py3-none-any.whl`),
    JSON.stringify(entries),
  ]);
}

/** Runs code on an instance of its own. Returns what it shows, or why it failed. */
async function shownBy(host: TestHost, code: string): Promise<string> {
  const instance = python.create(host);
  try {
    const recorded = await runCode(instance, code);
    return recorded.end.code === 'ERROR' ? recorded.end.message : shownText(recorded);
  } finally {
    await instance.close();
  }
}

describe('python dependencies', () => {
  let host: TestHost;
  let repositories: PackageRepository[];
  const install = (dependencies: string[], signal = new AbortController().signal) =>
    python.install!({
      folder: host.settingFolder,
      dependencies,
      repositories,
      properties: {},
      signal,
    });
  const printed = (dependencies: string[], code: string): Promise<string> =>
    shownBy({ ...host, dependencies }, code);

  beforeEach(() => {
    // Prevents downloads from other sources.
    vi.stubEnv('PIP_NO_INDEX', '1');
    host = testHost();
    const wheels = join(host.root, 'wheels of ours');
    for (const version of ['1.0', '2.0', '2.1']) wheel(wheels, 'tiding_probe', version);
    repositories = [{ url: pathToFileURL(wheels).href }];
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('are installed for one setting, on top of the base environment', async () => {
    await install(['tiding_probe==2.*', 'pandas']);
    expect(
      await printed(
        ['tiding_probe==2.*', 'pandas'],
        'import tiding_probe, pandas; print(tiding_probe.VERSION)',
      ),
    ).toBe('2.1\n');
    expect(await printed([], 'import tiding_probe')).toContain(
      "\nModuleNotFoundError: No module named 'tiding_probe'. If it is a package, an " +
        'administrator can add it to the dependencies of the setting test on the page ' +
        'Interpreters.',
    );
    await install(['tiding_probe<2']);
    expect(
      await printed(['tiding_probe<2'], 'import tiding_probe; print(tiding_probe.VERSION)'),
    ).toBe('1.0\n');
    expect(await printed(['tiding_probe==2.*', 'pandas'], '1')).toContain(
      'are not installed. Restart the interpreter.',
    );
  });

  it('that cannot be installed are reported and leave no files', async () => {
    await expect(install(['tiding_probe==9'])).rejects.toThrow(
      /^No matching distribution found for tiding_probe==9$/,
    );
    await expect(install(['x:y:1'])).rejects.toThrow(/x:y:1/);
    expect(existsSync(join(host.settingFolder, 'venv'))).toBe(false);
  });

  it.each(['--index-url=http://127.0.0.1:1/', '-r/etc/passwd', 'a\nb'])(
    'reject %j as a requirement',
    async (text) => {
      await expect(install([text])).rejects.toThrow(/is not a valid requirement/);
    },
  );

  it('stop installing when aborted', async () => {
    const abort = new AbortController();
    abort.abort(new Error('changed'));
    await expect(install(['tiding_probe'], abort.signal)).rejects.toThrow('changed');
    expect(existsSync(join(host.settingFolder, 'venv'))).toBe(false);
  });
});

describe('python properties', () => {
  const run = (
    properties: Record<string, string>,
    code: string,
    credential?: TestHost['credential'],
  ) => shownBy(testHost({ properties, ...(credential ? { credential } : {}) }), code);

  it('set environment variables', async () => {
    expect(
      await run(
        { 'python.environment': '# mine\nPLACE=here = there\n\nOTHER=' },
        'import os; print(os.environ["PLACE"], repr(os.environ["OTHER"]))',
      ),
    ).toBe("here = there ''\n");
  });

  it('select a Python program and report why it cannot be used', async () => {
    expect(await run({ 'python.path': '/nonexistent/python' }, '1')).toBe(
      'There is no Python at /nonexistent/python (python.path).',
    );
    const place = testHost();
    const bare = join(place.root, 'bare');
    writeFileSync(bare, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(await run({ 'python.path': bare }, '1')).toContain(
      `The Python at ${bare} (python.path) lacks ipykernel`,
    );
  });

  it('z.credential gets logins from the server', async () => {
    const credential = (entity: string) => {
      if (entity !== 'jdbc.pg') throw new Error(`No such credential: ${entity}`);
      return { username: 'reader', password: 'pa"ss\n' };
    };
    expect(await run({}, 'print(z.credential("jdbc.pg"))', credential)).toBe(
      "{'username': 'reader', 'password': 'pa\"ss\\n'}\n",
    );
    expect(await run({}, 'z.credential("other")', credential)).toContain(
      'RuntimeError: No such credential: other',
    );
  });
});
