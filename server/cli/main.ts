/**
 * Entry point of the `tiding` program. Commander parses the arguments and prints the help. The code
 * of a command is loaded on demand, so that listing notes does not load a server.
 */
import { Command, CommanderError } from 'commander';
import { SERVER_VERSION } from '../base/version.ts';
import { type CommandContext, type CommandSpec, defineCommand, seeHelp } from './command.ts';
import { CommandError, EXIT, toCommandError } from './exit.ts';
import { type CommandIo, Terminal } from './terminal.ts';

/** A client command with its subcommands. */
interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ default: CommandSpec }>;
  readonly commands?: Readonly<Record<string, CommandEntry>>;
}

/** Client commands by the heading under which the help lists them. */
const clientGroups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Sign in to a server:': {
    login: { summary: 'sign in to a server', load: () => import('./commands/login.ts') },
    logout: { summary: 'remove a stored login', load: () => import('./commands/logout.ts') },
    whoami: { summary: 'print the name of the user', load: () => import('./commands/whoami.ts') },
    status: { summary: 'print what a server is doing', load: () => import('./commands/status.ts') },
  },
  'Notes of a server:': {
    notes: {
      summary: 'list notes; create, copy, move and remove them',
      load: () => import('./commands/notes/list.ts'),
      commands: {
        create: { summary: 'create a note', load: () => import('./commands/notes/create.ts') },
        clone: { summary: 'copy a note', load: () => import('./commands/notes/clone.ts') },
        mv: { summary: 'move or rename notes', load: () => import('./commands/notes/mv.ts') },
        rm: { summary: 'move notes to the trash', load: () => import('./commands/notes/rm.ts') },
        restore: {
          summary: 'restore notes from the trash',
          load: () => import('./commands/notes/restore.ts'),
        },
      },
    },
    run: {
      summary: 'run a note or a paragraph and print its output',
      load: () => import('./commands/run.ts'),
    },
    watch: { summary: 'print the events of a note', load: () => import('./commands/watch.ts') },
    history: {
      summary: 'list the last runs of a note',
      load: () => import('./commands/history.ts'),
    },
    export: { summary: 'write a note to a file', load: () => import('./commands/export.ts') },
    import: { summary: 'create notes from files', load: () => import('./commands/import.ts') },
    files: {
      summary: 'upload a data file to a note',
      load: () => import('./commands/files.ts'),
    },
    types: {
      summary: 'write TypeScript for forms and results of notes',
      load: () => import('./commands/types.ts'),
    },
    'embed-token': {
      summary: 'create a token for a page that embeds a note',
      load: () => import('./commands/embed-token.ts'),
    },
    mcp: {
      summary: 'let AI agents use notes through MCP',
      load: () => import('./commands/mcp.ts'),
    },
  },
  'This machine:': {
    doctor: { summary: 'find out what is wrong', load: () => import('./commands/doctor.ts') },
    completion: {
      summary: 'print a script that completes commands in a shell',
      load: () => import('./commands/completion.ts'),
    },
  },
};
const clientCommands: Readonly<Record<string, CommandEntry>> = Object.assign(
  {},
  ...Object.values(clientGroups),
);
/** Server commands: they start a server or work on its data folder. */
const serverCommands: Readonly<Record<string, string>> = {
  serve: 'start the server (the default)',
  user: 'manage users',
  token: 'manage access tokens',
  key: 'manage the keys of embed tokens and secrets',
};
const isCommand = (name: string): boolean =>
  Object.hasOwn(clientCommands, name) || Object.hasOwn(serverCommands, name);

const MORE = `
Without a command, 'tiding' starts the server with the options of 'tiding serve'.
Run 'tiding help <command>' for the options and examples of a command.

Environment:
  TIDING_SERVER  server URL
  TIDING_TOKEN   access token; it takes precedence over 'tiding login'
  NO_COLOR       disables colours and the progress bar

Exit codes:
  0              done
  1              a paragraph failed or was aborted, or another error
  2              wrong usage
  3              the server cannot be reached
  4              not signed in or not allowed
  5              no such note
  6              not finished within the time limit
  130            stopped by Ctrl-C`;

/** Expands short forms: `tiding` is `tiding serve`, `tiding help run` is `tiding run --help`. */
function expand(args: readonly string[]): readonly string[] {
  const [first, second, ...rest] = args;
  if (first === 'help') {
    if (second === undefined || second.startsWith('-')) return ['--help'];
    return isCommand(second) ? [second, ...rest, '--help'] : [second];
  }
  if (first === undefined) return ['serve'];
  if (first.startsWith('-'))
    return /^(?:-h|--help|-V|--version)$/.test(first) ? [first] : ['serve', ...args];
  // Without its options, an unknown command is reported as such.
  return isCommand(first) ? args : [first];
}

/** The secret is already visible to everybody on this machine: explain that and the alternative. */
function rejectSecrets(args: readonly string[]): void {
  if (args.some((arg) => /^--(token|password)(=|$)/.test(arg)))
    throw new CommandError(
      EXIT.usage,
      'secrets cannot be passed as arguments: everybody on this machine could read ' +
        'them in the process list',
      'Set TIDING_TOKEN, or use --token-file <file>, or --user <name> with the ' +
        'password on standard input.',
    );
}

/** Returns the program. A command has only its summary until it is called. */
function programFor(
  args: readonly string[],
  context: CommandContext,
): { program: Command; defineCalled: (called: Command) => Promise<void> } {
  const { terminal, io } = context;
  const widthOf = ({ isTTY, columns }: CommandIo['stdout']) => (isTTY && columns) || 80;
  const program = new Command('tiding')
    .description('Notebook and data-analytics workbench.')
    .usage('[command] [options]')
    .version(SERVER_VERSION)
    .helpCommand(false)
    .addHelpText('after', MORE)
    .showHelpAfterError(seeHelp())
    // An option behind a command belongs to the command.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, 'tiding:')),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const add = (name: string, summary: string) =>
    program.command(name).summary(summary).showHelpAfterError(seeHelp(name));
  const define = async (called: Command, entry: CommandEntry) => {
    defineCommand(called, (await entry.load()).default, context);
    const { commands = {} } = entry;
    if (Object.keys(commands).length === 0) return;
    called.enablePositionalOptions().helpCommand(false);
    for (const [name, { summary }] of Object.entries(commands))
      called
        .command(name)
        .summary(summary)
        .showHelpAfterError(seeHelp(`${called.name()} ${name}`));
    called.hook('preSubcommand', (_, sub) => define(sub, commands[sub.name()]!));
  };
  for (const [heading, commands] of Object.entries(clientGroups)) {
    program.commandsGroup(heading);
    for (const [name, { summary }] of Object.entries(commands)) add(name, summary);
  }
  program.commandsGroup('A server and its data folder:');
  for (const [name, summary] of Object.entries(serverCommands)) add(name, summary);
  const defineCalled = async (called: Command) => {
    const client = clientCommands[called.name()];
    if (client) {
      rejectSecrets(args);
      await define(called, client);
    } else {
      const { defineServerCommand } = await import('./serve.ts');
      defineServerCommand(called, context);
    }
  };
  program.hook('preSubcommand', (_, called) => defineCalled(called));
  return { program, defineCalled };
}

async function completeProgram(context: CommandContext): Promise<Command> {
  const { program, defineCalled } = programFor([], context);
  for (const called of program.commands) {
    await defineCalled(called);
    const { commands = {} } = clientCommands[called.name()] ?? {};
    for (const sub of called.commands) {
      const entry = commands[sub.name()];
      if (entry) defineCommand(sub, (await entry.load()).default, context);
    }
  }
  return program;
}

/**
 * Runs a command line and returns its exit code. Everything it reads of a process comes from `io`;
 * only the server that `serve` starts also reads settings from the environment of its process.
 */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const terminal = new Terminal(io.stdout, io.stderr, io.env);
  let exitCode: number = EXIT.done;
  const exit = (code: number) => {
    exitCode = code;
  };
  try {
    const context: CommandContext = {
      terminal,
      io,
      exit,
      program: () => completeProgram(context),
    };
    await programFor(args, context).program.parseAsync(expand(args), { from: 'user' });
  } catch (error) {
    // Commander has already printed the help, the version or its error.
    if (error instanceof CommanderError) exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    else {
      const { exitCode: code, message, hint } = toCommandError(error);
      exit(code);
      terminal.quiet = false;
      if (message !== '') terminal.status(hint === undefined ? message : `${message}\n${hint}`);
    }
  }
  await terminal.flush();
  return exitCode;
}

/** Runs the command line of this process and ends it. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exit(
    await runCommandLine(argv, {
      stdout: process.stdout,
      stderr: process.stderr,
      // Opened only by the commands that read it.
      get stdin() {
        return process.stdin;
      },
      env: process.env,
      get cwd() {
        return process.cwd();
      },
      signals: process,
    }),
  );
}
