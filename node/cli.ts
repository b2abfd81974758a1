/**
 * The program `tiding`: which command it is, and nothing else. Each is loaded when it is asked for, so that listing notes
 * does not load a server.
 */
import { EXIT, endOf, CommandError } from './exit.ts';
import { helpOf, parse, wrongUsage, type Command } from './command.ts';
import { distance } from './distance.ts';
import { Terminal } from './terminal.ts';
import { SERVER_VERSION } from '../app/server/version.ts';

/** Commands of people who script. */
const commands: Readonly<
  Record<string, { summary: string; load: () => Promise<{ default: Command }> }>
> = {
  notes: { summary: 'list the notes you may read', load: () => import('./commands/notes.ts') },
  run: {
    summary: 'run a note or a paragraph and print its output',
    load: () => import('./commands/run.ts'),
  },
  export: { summary: 'write a note to a file', load: () => import('./commands/export.ts') },
  import: { summary: 'make notes of files', load: () => import('./commands/import.ts') },
  watch: { summary: 'print what happens in a note', load: () => import('./commands/watch.ts') },
};
/** Commands of who keeps a server: they work on its folder, beside it or in its place. */
const own: Readonly<Record<string, string>> = {
  serve: 'serve the workbench (what happens without a command)',
  user: 'manage who may sign in',
  token: 'manage access tokens',
  key: 'manage the keys that sign embed tokens',
};

function overview(): string {
  const rows = (table: readonly (readonly [string, string])[]) =>
    table.map(([name, text]) => `  ${name.padEnd(9)}${text}`);
  return [
    'Notebook and data-analytics workbench.',
    '',
    'Usage: tiding [options]             serve the workbench',
    '       tiding COMMAND [options]',
    '',
    'For who scripts (each talks to a server):',
    ...rows(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    '',
    'For who keeps a server:',
    ...rows(Object.entries(own)),
    '',
    "'tiding help COMMAND' has the options and examples of a command; 'tiding --version' the version.",
    '',
    'Environment: TIDING_SERVER address of the server, TIDING_TOKEN access token, NO_COLOR neither colours nor a progress bar.',
    'Exit codes:  0 done, 1 a paragraph failed or was aborted, 2 wrong usage, 3 the server cannot be reached,',
    '             4 not signed in or not allowed, 5 no such note, 130 stopped by Ctrl-C.',
    '',
  ].join('\n');
}

function unknown(name: string): CommandError {
  const all = [...Object.keys(commands), ...Object.keys(own)];
  const near = all
    .filter((each) => distance(each, name) <= 2)
    .sort((a, b) => distance(a, name) - distance(b, name))[0];
  return wrongUsage(`there is no command '${name}'${near ? `; did you mean '${near}'?` : ''}`);
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number | undefined> {
  const [name = '', ...args] = argv;
  const isHelp = (text: string | undefined) => text === '--help' || text === '-h';
  if (name === '--version' || name === '-V') {
    await terminal.line(SERVER_VERSION);
    return EXIT.done;
  }
  if (isHelp(name) || (name === 'help' && (args.length === 0 || isHelp(args[0])))) {
    await terminal.write(overview());
    return EXIT.done;
  }
  const wanted = name === 'help' ? args[0]! : name;
  if (Object.hasOwn(commands, wanted)) {
    const { default: spec } = await commands[wanted]!.load();
    const before = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (name === 'help' || before.some(isHelp)) {
      await terminal.write(helpOf(spec));
      return EXIT.done;
    }
    return spec.run({ ...parse(spec, args), terminal });
  }
  if (wanted !== '' && !wanted.startsWith('-') && !Object.hasOwn(own, wanted))
    throw unknown(wanted);
  const { main } = await import('../app/server/cli.ts');
  await main(name === 'help' ? [...args, '--help'] : argv);
  // A server goes on.
  return undefined;
}

/** Runs the command line; ends the process, unless it serves. */
export async function main(argv: readonly string[]): Promise<void> {
  const terminal = new Terminal(process.stdout, process.stderr, process.env);
  let exitCode: number | undefined;
  try {
    exitCode = await dispatch(argv, terminal);
  } catch (error) {
    const end = endOf(error);
    exitCode = end.exitCode;
    if (end.message !== '')
      terminal.say(end.hint === undefined ? end.message : `${end.message}\n${end.hint}`);
  }
  if (exitCode === undefined) return;
  await terminal.flush();
  process.exit(exitCode);
}
