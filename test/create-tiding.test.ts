/** `npm create tiding`: writes each template into an empty folder, and refuses everything else. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

const program = join(root, 'create-tiding/bin/create-tiding.mjs');
const { main } = (await import(join(root, 'create-tiding/main.mjs'))) as {
  main: (args: readonly string[], io: object) => Promise<number>;
};
const { version } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as {
  version: string;
};
const templates = readdirSync(join(root, 'create-tiding/templates')).sort();
let count = 0;

const work = temporaryFolder();

const emptyFolder = () => {
  const folder = join(work, String((count += 1)));
  mkdirSync(folder);
  return folder;
};

/** Runs the program of the package, without a terminal. */
async function create(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_config_user_agent: 'npm/11.0.0 node/v20.19.0' },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...said };
}

/** All files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}

describe('npm create tiding', () => {
  it.each(templates)('writes the template %s', async (template) => {
    const folder = emptyFolder();
    const server = 'https://notes.example.net/tiding';
    const { code, out, err } = await create(
      folder,
      'my-app',
      ...['--template', template, '--server', `${server}/`],
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const project = join(folder, 'my-app');
    const files = filesIn(project);
    expect(files).toEqual(
      expect.arrayContaining(['.env', '.env.example', '.gitignore', 'README.md', 'package.json']),
    );
    expect(files.filter((path) => /(?:^|\/)(?:_|node_modules|dist)/.test(path))).toEqual([]);

    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      name: string;
      scripts: Record<string, string>;
      dependencies?: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(manifest.name).toBe('my-app');
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    const own = all.filter(([name]) => name.startsWith('@tiding/'));
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(([, range]) => range))).toEqual(new Set([`^${version}`]));
    expect(all.filter(([, range]) => !/^[~^]\d+\.\d+\.\d+$/.test(range))).toEqual([]);

    const texts = files.map((path) => readFileSync(join(project, path), 'utf8')).join('\n');
    expect(texts).toContain(server);
    expect(texts).not.toContain('http://127.0.0.1:8080');
    expect(texts).not.toContain('tiding-app');
    const env = readFileSync(join(project, '.env'), 'utf8');
    expect(env).toBe(readFileSync(join(project, '.env.example'), 'utf8'));
    expect(env).toMatch(/^TIDING_TOKEN=$/m);
    expect(readFileSync(join(project, '.gitignore'), 'utf8').split('\n')).toContain('.env');
    const readme = readFileSync(join(project, 'README.md'), 'utf8');
    expect(readme.trim().split('\n').length).toBeLessThanOrEqual(30);
    for (const [, script] of readme.matchAll(/`npm run ([\w-]+)`/g))
      expect(manifest.scripts).toHaveProperty(script!);

    const [install, start] = out.trim().split('\n').slice(-2);
    expect(install).toBe('  cd my-app && npm install');
    const name = /^ {2}npm (?:run )?([\w-]+)$/.exec(start!)?.[1];
    expect(manifest.scripts).toHaveProperty(name!);
  });

  it('never gives the access token to a page', () => {
    // Vite and Next.js put only variables with these prefixes into pages.
    const found = ['shared', 'templates'].flatMap((folder) => {
      const path = join(root, 'create-tiding', folder);
      return filesIn(path).filter((file) =>
        /(?:VITE|NEXT_PUBLIC)_\w*TOKEN|envPrefix/.test(readFileSync(join(path, file), 'utf8')),
      );
    });
    expect(found).toEqual([]);
  });

  it('writes into the current folder, which may have a repository', async () => {
    const folder = join(emptyFolder(), 'here');
    mkdirSync(join(folder, '.git'), { recursive: true });
    const { code, out } = await create(folder, '.', '--template', 'vanilla');
    expect(code).toBe(0);
    expect(out).toContain('\n  npm install\n  npm run dev\n');
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"name": "here"');
  });

  it('asks nothing with --yes', async () => {
    const folder = emptyFolder();
    expect((await create(folder, '--yes')).code).toBe(0);
    expect(filesIn(join(folder, 'tiding-app'))).toContain('index.html');
  });

  it('refuses a folder that is not empty, and changes nothing', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/notes.txt'), 'mine');
    const { code, out, err } = await create(folder, 'full', '--template', 'vanilla');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `create-tiding: ${join(folder, 'full')} isn't empty: ` +
        'choose a new folder, or empty this one first.\n',
    );
    expect(filesIn(folder)).toEqual(['full/notes.txt', 'notes.txt']);
  });

  it.each([
    [['My-App', '-t', 'vue'], "'My-App' can't be the name of a project"],
    [['a b', '-t', 'vue'], "'a b' can't be the name of a project"],
    [['.hidden', '-t', 'vue'], "'.hidden' can't be the name of a project"],
    [['node_modules', '-t', 'vue'], "'node_modules' can't be the name of a project"],
    [['x'.repeat(215), '-t', 'vue'], "can't be the name of a project"],
    [['app', '-t', 'angular'], "There is no template 'angular'. Choose one of these: vanilla,"],
    [['app', '-t', 'toString'], "There is no template 'toString'."],
    [['app', '-t', 'vue', '-s', 'notes'], "'notes' is not the address of a server"],
    [['app', '-t', 'vue', '-s', 'file:///etc'], "'file:///etc' is not the address of a server"],
    [['app', 'more', '-t', 'vue'], 'There are 2 folders: name one.'],
    [['app', '--colour'], "Unknown option '--colour'"],
    [['app'], 'Name the folder and the template, or use --yes'],
    [['--template', 'vue'], 'Name the folder and the template, or use --yes'],
  ])('refuses %j', async (args, message) => {
    const folder = emptyFolder();
    const { code, out, err } = await create(folder, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lists the templates in its help', async () => {
    const { code, out } = await create(emptyFolder(), '--help');
    expect(code).toBe(0);
    const listed = out.slice(out.indexOf('Templates:')).matchAll(/^ {2}(\w+) /gm);
    expect([...listed].map(([, name]) => name!).sort()).toEqual(templates);
  });
});

describe('questions on a terminal', () => {
  const ask = (cwd: string, args: readonly string[], input: string) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const said = { out: '', err: '' };
    const stdout = new PassThrough().on('data', (chunk: Buffer) => {
      said.out += chunk;
      // Answers come one by one, as a person types them.
      if (/: $/.test(String(chunk))) {
        const [line, ...rest] = input.split('\n');
        input = rest.join('\n');
        if (line === undefined || line === '(end)') stdin.end();
        else stdin.write(`${line}\n`);
      }
    });
    const stderr = new PassThrough().on('data', (chunk: Buffer) => (said.err += chunk));
    const io = { stdin, stdout, stderr, cwd: () => cwd, env: {} };
    return main(args, io).then((code) => ({ code, said }));
  };

  it('ask for what is missing until the answer is right', async () => {
    const folder = emptyFolder();
    const { code, said } = await ask(folder, [], 'My App\nmy-app\nangular\nreport');
    expect(code).toBe(0);
    expect(said.err).toContain("'My App' can't be the name of a project");
    expect(said.err).toContain("There is no template 'angular'");
    expect(filesIn(join(folder, 'my-app'))).toContain('src/report.ts');
  });

  it('take the defaults for empty answers', async () => {
    const folder = emptyFolder();
    expect((await ask(folder, [], '\n\n')).code).toBe(0);
    expect(filesIn(join(folder, 'tiding-app'))).toContain('index.html');
  });

  it('ask only for what is missing, and create nothing at the end of input', async () => {
    const folder = emptyFolder();
    const { code, said } = await ask(folder, ['my-app'], '(end)');
    expect(code).toBe(2);
    expect(said.out).not.toContain('Name of the project');
    expect(said.err).toContain('Nothing was created.');
    expect(readdirSync(folder)).toEqual([]);
  });
});
