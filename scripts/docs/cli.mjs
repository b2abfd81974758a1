/** The page of the command line, generated from the program's help. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { paths, root } from './layout.mjs';
import { fence, page } from './markdown.mjs';

/** Output of `tiding …`, run in this process: twenty processes take seconds. */
async function printed(...args) {
  const { runCommandLine } = await import(pathToFileURL(join(root, paths.commandLine)).href);
  const said = { out: '', err: '' };
  const sink = (name) =>
    new Writable({
      decodeStrings: false,
      write(text, _, done) {
        said[name] += text;
        done();
      },
    });
  const code = await runCommandLine(args, {
    stdout: sink('out'),
    stderr: sink('err'),
    stdin: new PassThrough().end(),
    env: { ...process.env, NO_COLOR: '1' },
    cwd: process.cwd(),
    signals: process,
  });
  if (code !== 0) throw new Error(`tiding ${args.join(' ')} ended with ${code}: ${said.err}`);
  return said.out.replaceAll(homedir(), '~');
}

/** Names of the commands in a help text of commander. */
const commandsIn = (help) =>
  [...(/^Commands:\n((?: {2}.*\n?)*)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');

/**
 * Every command with its help: `{ name, help }`. Groups such as `user` come before their commands.
 */
export async function commands() {
  const overview = await printed('--help');
  const found = [];
  for (const [, name] of overview.matchAll(/^ {2}([a-z-]+) {2,}/gm)) {
    const help = await printed(name, '--help');
    found.push({ name, help });
    for (const sub of commandsIn(help))
      found.push({ name: `${name} ${sub}`, help: await printed(name, sub, '--help') });
  }
  return { overview, commands: found };
}

/** The page, by its path. */
export function cliPages({ overview, commands: all }) {
  return new Map([
    [
      'reference/cli.md',
      page(
        {
          title: 'Command line',
          order: 100,
          description: 'Every command of the program tiding, with its options and examples.',
        },
        [
          [
            'This is the help that the program prints.',
            '`tiding help <command>` prints the same in a shell.',
            'Run it with `npx tiding`, or install it with `npm install --global tiding`.',
          ].join(' '),
          fence('text', overview),
          ...all.flatMap(({ name, help }) => [`## tiding ${name}`, fence('text', help)]),
        ],
      ),
    ],
  ]);
}
