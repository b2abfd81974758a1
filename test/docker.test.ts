/**
 * Follows the Dockerfile without Docker: everything it copies exists, and its command serves from
 * those files alone.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { login, request } from './support/raw.ts';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

interface Copy {
  readonly from: string | undefined;
  readonly sources: string[];
  readonly target: string;
}
interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly copies: Copy[];
  readonly lines: string[];
}

const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));
const stages: Stage[] = [];
for (const line of lines) {
  const head = /^FROM (\S+)(?: AS (\S+))?$/.exec(line);
  if (head) stages.push({ base: head[1]!, name: head[2], copies: [], lines: [] });
  stages.at(-1)!.lines.push(line);
  const copy = /^COPY (?:--from=(\S+) )?(.+)$/.exec(line);
  if (copy) {
    const names = copy[2]!.split(' ');
    stages
      .at(-1)!
      .copies.push({ from: copy[1], sources: names.slice(0, -1), target: names.at(-1)! });
  }
}
const [first, last] = [stages[0]!, stages.at(-1)!];
const list = (word: string) =>
  JSON.parse(/\[.*\]$/.exec(last.lines.find((line) => line.startsWith(word))!)![0]) as string[];

describe('the Dockerfile', () => {
  it('copies existing files, and the ignore file admits nothing else', () => {
    const wanted = first.copies.flatMap(({ sources }) => sources);
    expect(wanted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(ignore[0]).toBe('*');
    expect(
      ignore
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
        .sort(),
    ).toEqual(
      wanted.filter((path) => !wanted.some((other) => path.startsWith(`${other}/`))).sort(),
    );
    // The inputs of the build: its list of source folders, and its entry files.
    const build = readFileSync(join(root, 'scripts/build.mjs'), 'utf8');
    const folders = /\[([^\]]+)\]\.flatMap\(\s*\(folder\) =>/
      .exec(build)![1]!
      .split(',')
      .map((name) => name.trim().replaceAll("'", ''));
    expect(folders.length).toBeGreaterThan(2);
    for (const path of [
      ...folders,
      'scripts',
      'rollup.config.mjs',
      'package.json',
      'package-lock.json',
    ])
      expect(wanted).toContain(path);
  });

  it('copies from the first stage only what that stage makes', () => {
    expect(stages).toHaveLength(2);
    expect(last.copies.every(({ from }) => from === first.name)).toBe(true);
    expect(
      last.copies.flatMap(({ sources }) => sources).every((path) => path.startsWith('/build/')),
    ).toBe(true);
  });

  it('runs as an unprivileged user, keeps data in a volume, and contains no secret', () => {
    const user = last.lines.indexOf('USER node');
    expect(user).toBeGreaterThan(last.lines.findLastIndex((line) => line.startsWith('RUN')));
    expect(last.lines).toContain('VOLUME /data');
    expect(
      lines.filter((line) => /^(ENV|ARG)/.test(line) && /PASSWORD|SECRET|TOKEN|SMTP/i.test(line)),
    ).toEqual([]);
    // A supported version that doesn't change by itself.
    for (const { base } of stages) expect(base).toMatch(/^node:24\.\d+\.\d+-slim$/);
  });
});

const built = existsSync(join(root, 'dist/.stamp'));
describe.skipIf(!built)('the command', () => {
  let folder: string;
  let child: ChildProcess;
  let url = '';
  beforeAll(async () => {
    folder = temporaryFolder();
    for (const { sources, target } of last.copies) {
      for (const source of sources) {
        const [here, there] = [join(root, source.replace('/build/', '')), join(folder, target)];
        mkdirSync(dirname(there), { recursive: true });
        // Copying them would take hundreds of megabytes.
        if (source.endsWith('/node_modules')) symlinkSync(here, there);
        else cpSync(here, there, { recursive: true });
      }
    }
    const [program, ...args] = list('CMD');
    const port = args.indexOf('--port') + 1;
    expect(port).toBeGreaterThan(0);
    child = spawn(program === 'node' ? process.execPath : program!, args.with(port, '0'), {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        NODE_ENV: 'production',
        TIDING_DATA: join(folder, 'data'),
        TIDING_ADMIN_PASSWORD: ADMIN_PASSWORD,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout!.on('data', (chunk: Buffer) => {
        said += chunk;
        const found = /http:\/\/\S+/.exec(said);
        if (found) resolve(found[0].replace(/\/$/, '').replace('localhost', '127.0.0.1'));
      });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
  });
  afterAll(async () => {
    if (child && child.exitCode === null) {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await over).toBe(0);
    }
  });

  it('serves pages and signs in', async () => {
    expect((await request(url, 'GET', '/')).text).toContain('<html');
    expect((await login(url)).identity.principal).toBe('admin');
    expect(statSync(join(folder, 'data/users.json')).isFile()).toBe(true);
  });

  it('passes the health check, which fails for a server that does not answer', async () => {
    const check = (port: string) =>
      new Promise<number>((resolve) => {
        const [program, ...args] = list('HEALTHCHECK');
        execFile(
          program === 'node' ? process.execPath : program!,
          args.map((arg) => arg.replace('8080', port)),
          (error) => resolve(error ? Number(error.code) : 0),
        );
      });
    expect(await check(new URL(url).port)).toBe(0);
    expect(await check('1')).toBe(1);
  });
});
