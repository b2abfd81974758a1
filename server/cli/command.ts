/** Definitions of client commands, and their conversion to commander commands. */
import { type Command, Option } from 'commander';
import { CommandError, EXIT } from './exit.ts';
import type { CommandIo, Terminal } from './terminal.ts';

/** An option. `value` names its value in the help; an option without one is a switch. */
interface OptionSpec {
  readonly short?: string;
  readonly multiple?: boolean;
  readonly value?: string;
  readonly help: string;
  /** Heading in the help. Default: `Options:`. */
  readonly group?: string;
}

/** Options by name: `tokenFile` is `--token-file` on the command line. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Values of the parsed options by name. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]?: Options[Name] extends { multiple: true }
    ? string[]
    : Options[Name] extends { value: string }
      ? string
      : boolean;
};

/** Context that every command receives. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly io: CommandIo;
  /** Sets the exit code, which is 0 otherwise. */
  exit(code: number): void;
  /** Returns the program with all commands, including those that are loaded on demand. */
  program(): Promise<Command>;
}

/** A client command. `run` returns the exit code. */
export interface CommandSpec<Options extends OptionSpecs = OptionSpecs> {
  readonly summary: string;
  /**
   * The positional arguments in commander's notation, for example `<note> <file...>`, and their
   * help: a text, or one for each argument.
   */
  readonly argument?: readonly [string, string | readonly string[]];
  readonly options: Options;
  /** Additional paragraphs of the help. */
  readonly details: readonly string[];
  /** Example command lines with their descriptions. */
  readonly examples: readonly (readonly [string, string])[];
  run(invocation: Invocation<Options>): Promise<number>;
}

/** What a command is called with. */
export type Invocation<Options extends OptionSpecs> = CommandContext & {
  values: OptionValues<Options>;
  args: readonly string[];
};

/**
 * Type-checks a command's definition and erases its option names, so that all commands fit one
 * table.
 */
export function command<const Options extends OptionSpecs>(
  spec: CommandSpec<Options>,
): CommandSpec {
  return spec as unknown as CommandSpec;
}

/** Splits the value of an option into a name and a value, for the command `name`. */
export function namedValue(option: string, text: string, name: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUsage(`--${option} '${text}' is not NAME=VALUE`, name);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Returns an error for wrong usage that points to the help of command `name`. */
export function wrongUsage(message: string, name?: string): CommandError {
  return new CommandError(EXIT.usage, message, seeHelp(name));
}

/** Returns a sentence that points to the help of a command, or to the overview. */
export const seeHelp = (name?: string): string => `See 'tiding help${name ? ` ${name}` : ''}'.`;

function optionOf(name: string, { short, value, multiple, help }: OptionSpec): Option {
  const long = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = new Option(
    `${short ? `-${short}, ` : ''}--${long}${value ? ` <${value}>` : ''}`,
    help,
  );
  // `--no-wait` is a separate option, so that a command can reject it together with `--wait`.
  option.negate = false;
  if (multiple) option.argParser((text: string, previous: string[] = []) => [...previous, text]);
  return option;
}

/** Adds the help, argument, options and action of a definition to a commander command. */
export function defineCommand(target: Command, spec: CommandSpec, context: CommandContext): void {
  target.description([`${spec.summary}.`, ...spec.details].join('\n\n'));
  const [names = '', helps = []] = spec.argument ?? [];
  const argumentNames = names.split(' ').filter((name) => name !== '');
  for (const [index, name] of argumentNames.entries())
    target.argument(name, [helps].flat()[index] ?? '');
  const entries = Object.entries(spec.options);
  target.optionsGroup('Options:');
  for (const [name, option] of entries.filter(([, { group }]) => group === undefined))
    target.addOption(optionOf(name, option));
  target.addOption(new Option('-q, --quiet', 'print results and errors only'));
  for (const [name, option] of entries.filter(([, { group }]) => group !== undefined))
    target.addOption(optionOf(name, option).helpGroup(option.group!));
  const examples = spec.examples.map(([line, description]) => `  ${line}\n      ${description}`);
  target.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  target.action(async () => {
    context.terminal.quiet = target.opts<{ quiet?: boolean }>().quiet === true;
    context.exit(await spec.run({ ...context, values: target.opts(), args: target.args }));
  });
}
