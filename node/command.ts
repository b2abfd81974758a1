/** What a command is: its options as data, from which parsing and help are made. */
import { parseArgs } from 'node:util';
import type { Terminal } from './terminal.ts';
import { CommandError, EXIT } from './exit.ts';

/** An option. `value` names its value in the help; a boolean has none. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly value?: string;
  readonly help: string;
}

/** Options by name, without the dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What was given on the command line. */
export type Values<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]?: Options[Name] extends { type: 'boolean' }
    ? boolean
    : Options[Name] extends { multiple: true }
      ? string[]
      : string;
};

/** A command of people who script. `run` answers the exit code. */
export interface Command<Options extends OptionSpecs = OptionSpecs> {
  readonly name: string;
  readonly summary: string;
  /** What follows the name, for example `NOTE [options]`. */
  readonly usage: string;
  /** Least and most number of words besides options. */
  readonly words: readonly [number, number];
  readonly options: Options;
  /** Further paragraphs of the help. */
  readonly details?: string;
  /** A command line and what it is for. */
  readonly examples: readonly (readonly [string, string])[];
  run(given: {
    values: Values<Options>;
    words: readonly string[];
    terminal: Terminal;
  }): Promise<number>;
}

/** Checks a command's description and forgets the names of its options, so that commands of all kinds fit one table. */
export function command<const Options extends OptionSpecs>(spec: Command<Options>): Command {
  return spec as unknown as Command;
}

/** Says what is wrong with how a command was called. */
export function wrongUsage(message: string, name?: string): CommandError {
  return new CommandError(EXIT.usage, message, `See 'tiding help${name ? ` ${name}` : ''}'.`);
}

/** Reads the arguments of a command. Throws with exit code 2 on what it does not know. */
export function parse(
  spec: Command,
  args: readonly string[],
): { values: Values<OptionSpecs>; words: readonly string[] } {
  // Whoever types one has shown it to everybody on the machine already: say so, and how else.
  if (args.some((arg) => /^--(token|password)(=|$)/.test(arg))) {
    throw new CommandError(
      EXIT.usage,
      'a secret is never an argument: everybody on this machine could read it in the list of processes',
      'Set TIDING_TOKEN, or use --token-file FILE, or --user NAME with the password on standard input.',
    );
  }
  let parsed: { values: unknown; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...args],
      options: spec.options,
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // The first sentence says it; the others explain the runtime's function.
    throw wrongUsage((error as Error).message.split(/\. |\n/)[0]!.replace(/\.$/, ''), spec.name);
  }
  const [least, most] = spec.words;
  const { positionals: words } = parsed;
  if (words.length < least)
    throw wrongUsage(
      `${spec.usage.split(' ')[words.length]?.replace(/\W+$/, '') ?? 'an argument'} is missing`,
      spec.name,
    );
  if (words.length > most) throw wrongUsage(`'${words[most]}' is too much`, spec.name);
  return { values: parsed.values as Values<OptionSpecs>, words };
}

/** The help of a command, as `tiding help NAME` prints it. */
export function helpOf({ name, summary, usage, options, details, examples }: Command): string {
  const flags = Object.entries(options).map(
    ([long, { short, value, help }]) =>
      [`${short ? `-${short}, ` : ''}--${long}${value ? ` ${value}` : ''}`, help] as const,
  );
  const width = Math.max(...flags.map(([flag]) => flag.length)) + 2;
  return [
    `${summary}.`,
    '',
    `Usage: tiding ${name} ${usage}`,
    '',
    ...(details ? [details, ''] : []),
    'Options:',
    ...flags.map(([flag, help]) => `  ${flag.padEnd(width)}${help}`),
    '',
    'Examples:',
    ...examples.flatMap(([line, meaning]) => [`  ${line}`, `      ${meaning}`]),
    '',
  ].join('\n');
}
