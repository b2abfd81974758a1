/** Checks for fenced snippets, by language. Each returns problems as `file:line: sentence`. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import type { Snippet } from './markdown.ts';
import { root } from './sources.ts';

const require = createRequire(import.meta.url);

/** Position of a problem; `line` counts from 0 within the snippet. */
export const snippetPlace = ({ file, line: first }: Snippet, line: number): string =>
  `${file}:${first + line}`;
const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split('\n').length - 1;

export function checkJavaScript(snippets: readonly Snippet[]): string[] {
  return snippets.flatMap((snippet) => {
    const { diagnostics = [] } = ts.transpileModule(snippet.code, {
      reportDiagnostics: true,
      fileName: 'snippet.jsx',
      compilerOptions: {
        allowJs: true,
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ESNext,
      },
    });
    return diagnostics.map(
      ({ messageText, start = 0 }) =>
        `${snippetPlace(snippet, lineOf(snippet.code, start))}: ` +
        ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
  });
}

interface Declaration {
  readonly tagName?: string;
  readonly attributes?: readonly { name: string }[];
}
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const COMMON =
  /^(?:id|class|style|slot|hidden|dir|lang|title|part|tabindex|role|aria-[\w-]+|data-[\w-]+)$/;

/**
 * Checks HTML: tags are closed, the project's tags and attributes exist, and embedded scripts and
 * data are valid.
 */
export function checkHtml(
  snippets: readonly Snippet[],
  declarations: readonly Declaration[],
): string[] {
  const common = declarations.find(({ tagName }) => !tagName)?.attributes ?? [];
  const known = new Map(
    declarations.flatMap(({ tagName, attributes = [] }) =>
      tagName
        ? [[tagName, new Set([...attributes, ...common].map(({ name }) => name))] as const]
        : [],
    ),
  );
  return snippets.flatMap((snippet) => {
    const problems: string[] = [];
    const open: string[] = [];
    const text = snippet.code.replace(/<!--[\s\S]*?-->/g, (comment) =>
      comment.replace(/[^\n]/g, ' '),
    );
    const attribute = /\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/.source;
    const tags = new RegExp(`<(/?)([a-z][\\w-]*)((?:${attribute})*)\\s*(/?)>|<(?=[a-z/])`, 'gi');
    for (let match = tags.exec(text); match; match = tags.exec(text)) {
      const [, closing, name, attributes = '', selfClosing] = match;
      const say = (sentence: string): void =>
        void problems.push(`${snippetPlace(snippet, lineOf(text, match!.index))}: ${sentence}`);
      if (name === undefined) {
        say('a tag that cannot be read');
        continue;
      }
      const tag = name.toLowerCase();
      if (closing) {
        if (open.pop() !== tag) say(`</${tag}> closes nothing`);
        continue;
      }
      if (tag.startsWith('tiding-') && !known.has(tag)) say(`there is no element <${tag}>`);
      for (const [, attribute = ''] of attributes.matchAll(
        /([^\s=>"'/]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/g,
      )) {
        if (known.has(tag) && !known.get(tag)!.has(attribute) && !COMMON.test(attribute))
          say(`<${tag}> has no attribute ${attribute}`);
      }
      if (tag === 'script' || tag === 'style') {
        const end = text.toLowerCase().indexOf(`</${tag}>`, tags.lastIndex);
        if (end < 0) {
          say(`<${tag}> is not closed`);
          break;
        }
        const inside = {
          ...snippet,
          line: snippet.line + lineOf(text, tags.lastIndex),
          code: text.slice(tags.lastIndex, end),
        };
        if (/type="application\/json"/.test(attributes)) problems.push(...checkJson([inside]));
        else if (tag === 'script') problems.push(...checkJavaScript([inside]));
        tags.lastIndex = end + tag.length + 3;
        continue;
      }
      if (!selfClosing && !VOID.has(tag)) open.push(tag);
      else if (selfClosing && tag.includes('-')) say(`<${tag}/> does not close itself in HTML`);
    }
    return open.length > 0
      ? [
          ...problems,
          `${snippetPlace(snippet, 0)}: not closed: ${open.map((tag) => `<${tag}>`).join(', ')}`,
        ]
      : problems;
  });
}

/** Checks framework templates, whose attributes have their own syntax: the elements must exist. */
export function checkTemplates(
  snippets: readonly Snippet[],
  declarations: readonly Declaration[],
): string[] {
  const known = new Set(declarations.map(({ tagName }) => tagName));
  return snippets.flatMap((snippet) =>
    [...snippet.code.matchAll(/<(tiding-[\w-]+)/g)]
      .filter(([, tag]) => !known.has(tag))
      .map(
        ({ 1: tag, index }) =>
          `${snippetPlace(snippet, lineOf(snippet.code, index))}: there is no element <${tag}>`,
      ),
  );
}

export function checkJson(snippets: readonly Snippet[]): string[] {
  return snippets.flatMap((snippet) => {
    try {
      JSON.parse(snippet.code);
      return [];
    } catch (error) {
      return [`${snippetPlace(snippet, 0)}: ${(error as Error).message}`];
    }
  });
}

/** Checks YAML, with the parser that TypeDoc depends on. */
export function checkYaml(snippets: readonly Snippet[]): string[] {
  const { parseAllDocuments } = createRequire(require.resolve('typedoc/package.json'))('yaml') as {
    parseAllDocuments: (text: string) => { errors: readonly Error[] }[];
  };
  return snippets.flatMap((snippet) =>
    parseAllDocuments(snippet.code).flatMap(({ errors }) =>
      errors.map(({ message }) => `${snippetPlace(snippet, 0)}: ${message.split('\n')[0]}`),
    ),
  );
}

/** Code of a paragraph without its magic line, with dynamic forms replaced by a number. */
const withoutMagic = (code: string): string =>
  code.replace(/^%[\w.]+(?:\([^)]*\))?[^\n]*/gm, '').replace(/[$#]\{[^}]*\}/g, '1');

/** Checks SQL with DuckDB's parser. */
export async function checkSql(snippets: readonly Snippet[]): Promise<string[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const problems: string[] = [];
  for (const snippet of snippets) {
    try {
      await connection.extractStatements(withoutMagic(snippet.code));
    } catch (error) {
      problems.push(
        `${snippetPlace(snippet, 0)}: ${(error as Error).message.replace(/\s+/g, ' ')}`,
      );
    }
  }
  connection.closeSync();
  instance.closeSync();
  return problems;
}

/** Checks Python with its own parser; `undefined` if Python is not installed. */
export function checkPython(snippets: readonly Snippet[]): string[] | undefined {
  const script = [
    'import ast, json, sys',
    'out = []',
    'for code in json.load(sys.stdin):',
    '  try:',
    '    compile(code, "snippet", "exec", ast.PyCF_ONLY_AST | ' +
      'ast.PyCF_ALLOW_TOP_LEVEL_AWAIT); out.append(None)',
    '  except SyntaxError as e:',
    '    out.append([e.lineno, e.msg])',
    'print(json.dumps(out))',
  ].join('\n');
  const { stdout, status, error } = spawnSync(
    process.env['TIDING_PYTHON'] ?? 'python3',
    ['-c', script],
    { input: JSON.stringify(snippets.map(({ code }) => withoutMagic(code))), encoding: 'utf8' },
  );
  if (error) return undefined;
  if (status !== 0) return ['Python could not read the snippets'];
  return (JSON.parse(stdout) as ([number, string] | null)[]).flatMap((found, index) =>
    found ? [`${snippetPlace(snippets[index]!, found[0] - 1)}: ${found[1]}`] : [],
  );
}

export async function checkMagpie(snippets: readonly Snippet[]): Promise<string[]> {
  const { parseScript: parse } = await import('../../server/magpie/language/parser.ts');
  return snippets.flatMap((snippet) => {
    try {
      parse(withoutMagic(snippet.code));
      return [];
    } catch (error) {
      return [`${snippetPlace(snippet, 0)}: ${(error as Error).message.replace(/\s+/g, ' ')}`];
    }
  });
}

/** Commands of the program `tiding`, with their help. */
export interface Program {
  readonly commands: readonly { name: string; help: string }[];
}

/** Splits a shell line into words, one list per command. */
function shellCommands(line: string): string[][] {
  const words: string[][] = [[]];
  const token =
    /\s*(?:(#.*)|(&&|\|\||[|;&])|((?:[^\s"'\\|;&]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\))+))/gy;
  for (let match = token.exec(line); match; match = token.exec(line)) {
    if (match[1] !== undefined) break;
    if (match[2] !== undefined) words.push([]);
    else words.at(-1)!.push(match[3]!.replace(/^(["'])(.*)\1$/, '$2'));
  }
  return words.filter(({ length }) => length > 0);
}

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** Explains why a call of the program `tiding` is invalid. */
function wrongCall(args: readonly string[], { commands }: Program): string | undefined {
  const names = new Set(commands.map(({ name }) => name));
  const first = args.find((word) => !word.startsWith('-'));
  const isCommand = args[0] !== undefined && !args[0].startsWith('-');
  if (isCommand && args[0] === 'help')
    return args[1] === undefined || names.has(args.slice(1, 3).join(' ')) || names.has(args[1])
      ? undefined
      : `there is no command '${args[1]}'`;
  if (isCommand && !names.has(first!)) return `there is no command '${first}'`;
  const groups = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (
    isCommand &&
    groups.length > 0 &&
    args[1] !== undefined &&
    !args[1].startsWith('-') &&
    !names.has(`${first} ${args[1]}`)
  )
    return `there is no command '${first} ${args[1]}'`;
  const name = isCommand
    ? names.has(`${first} ${args[1]}`)
      ? `${first} ${args[1]}`
      : first!
    : 'serve';
  const { help } = commands.find((each) => each.name === name)!;
  const options = new Set([
    '--help',
    '-h',
    ...(isCommand ? [] : ['--version', '-V']),
    ...[...help.matchAll(/(?<=^|[\s,])(--?[a-z][\w-]*)/gim)].map(([option]) => option),
  ]);
  const end = args.indexOf('--');
  const unknown = (end < 0 ? args : args.slice(0, end))
    .filter((word) => /^--?[a-z]/i.test(word))
    .map((word) => word.split('=')[0]!)
    .find((option) => !options.has(option));
  return unknown === undefined ? undefined : `'tiding ${name}' has no option ${unknown}`;
}

/**
 * Checks shell snippets: each `tiding` call and npm script must exist. In `console` snippets, only
 * lines after a prompt are commands.
 */
export function checkShell(snippets: readonly Snippet[], program: Program): string[] {
  return snippets.flatMap((snippet) => {
    const problems: string[] = [];
    const lines = snippet.code.split('\n');
    for (let index = 0; index < lines.length; index += 1) {
      const first = index;
      let line = lines[index]!;
      while (line.endsWith('\\') && index + 1 < lines.length)
        line = `${line.slice(0, -1)} ${lines[((index += 1))]!}`;
      const prompt = /^\s*[$>]\s+/.exec(line);
      if (snippet.language === 'console' && !prompt) continue;
      for (const words of shellCommands(line.slice(prompt?.[0].length ?? 0))) {
        while (words[0] !== undefined && /^\w+=|^(?:sudo|env|nohup|time|exec)$/.test(words[0]))
          words.shift();
        const say = (sentence: string | undefined): void =>
          void (sentence && problems.push(`${snippetPlace(snippet, first)}: ${sentence}`));
        if (words[0] === 'npx') {
          words.shift();
          while (words[0]?.startsWith('-'))
            words.splice(0, /^(?:-p|--package)$/.test(words[0]) ? 2 : 1);
        }
        if (
          words[0] === 'tiding' ||
          (words[0] === 'node' && /(?:^|\/)tiding\.mjs$/.test(words[1] ?? ''))
        )
          say(wrongCall(words.slice(words[0] === 'tiding' ? 1 : 2), program));
        else if (words[0] === 'npm' && ['start', 'test', 't'].includes(words[1] ?? '')) {
          const rest = words.indexOf('--');
          if (words[1] === 'start' && rest > 0) say(wrongCall(words.slice(rest + 1), program));
        } else if (
          words[0] === 'npm' &&
          words[1] === 'run' &&
          words[2] !== undefined &&
          !scripts.includes(words[2])
        )
          say(`package.json has no script '${words[2]}'`);
      }
    }
    return problems;
  });
}

/** Reads the program's own help. */
export async function readProgram(): Promise<Program> {
  const { commands } = (await import(join(root, 'scripts/docs/cli.mjs'))) as {
    commands: () => Promise<Program>;
  };
  return commands();
}
