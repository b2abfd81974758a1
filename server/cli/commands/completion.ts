/** `tiding completion`: scripts that complete commands and options in a shell. */
import type { Command } from 'commander';
import { command, wrongUsage } from '../command.ts';
import { EXIT } from '../exit.ts';

/** A word that can follow a command, and what it means. */
interface Word {
  readonly text: string;
  readonly help: string;
}

/** The words that can follow each command: its subcommands and options. */
function wordsByCommand(program: Command): ReadonlyMap<string, readonly Word[]> {
  const found = new Map<string, readonly Word[]>();
  const visit = (path: string, { commands, options }: Command) => {
    found.set(path, [
      ...commands.map((sub) => ({ text: sub.name(), help: sub.summary() })),
      ...options.flatMap(({ long, description, hidden }) =>
        long && !hidden ? [{ text: long, help: description }] : [],
      ),
      { text: '--help', help: 'print the help' },
    ]);
    for (const sub of commands) visit(`${path} ${sub.name()}`.trim(), sub);
  };
  visit('', program);
  return found;
}

type Commands = ReadonlyMap<string, readonly Word[]>;
const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** Every command as the command before it, a space, and its own name. */
const steps = (commands: Commands): string[] =>
  [...commands.keys()]
    .filter((path) => path !== '')
    .map((path) => (path.includes(' ') ? path : ` ${path}`));

/** Sets `command` to the command in the words, in bash and zsh. */
const findCommand = (commands: Commands, words: string) => `  for word in "${words}"; do
    case "$command $word" in
      ${steps(commands).map(single).join('|')})
        command="\${command:+$command }$word" ;;
    esac
  done`;

const bash = (commands: Commands) => `_tiding() {
  local command= word words=
${findCommand(commands, '${COMP_WORDS[@]:1:COMP_CWORD-1}')}
  case "$command" in
${[...commands]
  .map(
    ([path, words]) =>
      `    ${single(path)}) words=${single(words.map(({ text }) => text).join(' '))} ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tiding tiding
`;

const zsh = (commands: Commands) => `#compdef tiding
_tiding() {
  local command= word
  local -a candidates
${findCommand(commands, '${(@)words[2,CURRENT-1]}')}
  case "$command" in
${[...commands]
  .map(
    ([path, words]) =>
      `    (${single(path)}) candidates=(${words
        .map(({ text, help }) => single(`${text}:${help.replaceAll(':', '\\:')}`))
        .join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe tiding candidates || _files
}
if [ "$funcstack[1]" = _tiding ]; then _tiding "$@"; else compdef _tiding tiding; fi
`;

const fish = (commands: Commands) => {
  const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = [...commands].flatMap(([path, words]) =>
    words.map(({ text, help }) => {
      const kind = text.startsWith('--') ? `-l ${text.slice(2)}` : `-a ${text}`;
      const where = `test "$(__tiding_command)" = ${path === '' ? '""' : `"${path}"`}`;
      return `complete -c tiding -n ${quote(where)} ${kind} -d ${quote(help)}`;
    }),
  );
  return `function __tiding_command
  set -l command ''
  for word in (commandline -opc)[2..]
    if contains -- "$command $word" ${steps(commands).map(quote).join(' ')}
      set command (string trim -- "$command $word")
    end
  end
  echo $command
end
${lines.join('\n')}
`;
};

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

export default command({
  summary: 'Print a script that completes commands and options in a shell',
  argument: ['<shell>', `${Object.keys(SHELLS).join(', ')}`],
  options: {},
  details: ['The script is for this version. Print it again after an upgrade.'],
  examples: [
    ['eval "$(tiding completion bash)"', 'for bash, in ~/.bashrc'],
    ['tiding completion zsh > "${fpath[1]}/_tiding"', 'for zsh'],
    ['tiding completion fish > ~/.config/fish/completions/tiding.fish', 'for fish'],
  ],
  async run({ args: [shell = ''], terminal, program }) {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!script)
      throw wrongUsage(
        `'${shell}' is not supported. Use one of ${Object.keys(SHELLS).join(', ')}`,
        'completion',
      );
    await terminal.write(script(wordsByCommand(await program())));
    return EXIT.done;
  },
});
