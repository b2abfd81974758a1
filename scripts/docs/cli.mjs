/** The page of the command line, generated from the program's help. */
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { paths, root } from './layout.mjs';
import { fence, page } from './markdown.mjs';

/** Output of `tiding …`. */
const printed = (...args) =>
  execFileSync(process.execPath, [join(root, paths.program), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100', TIDING_LOG: 'error' },
  }).replaceAll(homedir(), '~');

/** Names of the commands in a help text of commander. */
const commandsIn = (help) =>
  [...(/^Commands:\n([\s\S]*)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');

/**
 * Every command with its help: `{ name, help }`. Groups such as `user` come before their commands.
 */
export function commands() {
  const overview = printed('--help');
  const found = [];
  for (const [, name] of overview.matchAll(/^ {2}([a-z]+) {2,}/gm)) {
    const help = printed(name, '--help');
    found.push({ name, help });
    for (const sub of commandsIn(help))
      found.push({ name: `${name} ${sub}`, help: printed(name, sub, '--help') });
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
