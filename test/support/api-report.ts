/** The exported names of the packages with their types, as text that shows each change. */
import { createHash } from 'node:crypto';
import ts from 'typescript';
import { exportsOf, isHidden, type Room, resolved } from './public-api.ts';

const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseFullyQualifiedType |
  ts.TypeFormatFlags.WriteArrowStyleSignature;

/** Characters of a line. A checksum stands for the rest of longer types. */
const WIDTH = 160;

/** Returns a section for each entry of the rooms: its exports, in order of their names. */
export function apiReport(rooms: readonly Room[]): string {
  return rooms
    .flatMap(({ members, program, checker }) =>
      members.map(({ name, source }) => {
        const lines = exportsOf(program, checker, source)
          .filter((symbol) => !isHidden(resolved(checker, symbol)))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
          .flatMap((symbol) => describe(symbol.name, resolved(checker, symbol), checker));
        return `# ${name}\n\n${lines.map(short).join('\n')}\n`;
      }),
    )
    .join('\n');
}

/** Sorts the members of all unions of a type: the compiler's order depends on other files. */
export function sortUnions(type: string): string {
  let at = 0;
  const level = (): string => {
    let done = '';
    let members: string[] = [];
    let member = '';
    const next = (): void => {
      members.push(member.trim());
      member = '';
    };
    const end = (separator: string): void => {
      next();
      done += members.sort().join(' | ') + separator;
      members = [];
    };
    while (at < type.length) {
      const [token] = /^(?:"(?:[^"\\]|\\.)*"| \| |=>|[\s\S])/.exec(type.slice(at, at + 500))!;
      if (/^[)\]}>]$/.test(token)) break;
      at += token.length;
      if (/^[([{<]$/.test(token)) {
        member += token + level() + (type[at] ?? '');
        at += 1;
      } else if (token === ' | ') next();
      else if (/^[,;:]$/.test(token)) end(`${token} `);
      else if (token === '=>') end(' => ');
      else member += token;
    }
    end('');
    return done;
  };
  return level();
}

function short(text: string): string {
  if (text.length <= WIDTH) return text;
  const sum = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${text.slice(0, WIDTH - 11)} … ${sum}`;
}

function describe(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const text = (type: ts.Type, flags = FLAGS): string =>
    sortUnions(
      checker
        .typeToString(type, undefined, flags)
        // Imports are written with paths of this machine.
        .replaceAll(/import\("[^"]*"\)\./g, ''),
    );
  const fields = (type: ts.Type): string[] =>
    checker
      .getPropertiesOfType(type)
      .filter((field) => !isHidden(field))
      .map((field) => {
        const mark = field.flags & ts.SymbolFlags.Optional ? '?' : '';
        // Names of symbols have numbers of the compiler.
        const name = field.name.replace(/^__@(\w+)@\d+$/, '[Symbol.$1]');
        return `  ${name}${mark}: ${text(checker.getTypeOfSymbol(field))}`;
      })
      .sort();
  const lines: string[] = [];
  if (symbol.flags & ts.SymbolFlags.Class) {
    lines.push(`class ${name}: ${text(checker.getTypeOfSymbol(symbol))}`);
    lines.push(...fields(checker.getDeclaredTypeOfSymbol(symbol)));
  } else if (symbol.flags & ts.SymbolFlags.Interface) {
    lines.push(`interface ${text(checker.getDeclaredTypeOfSymbol(symbol))}`);
    lines.push(...fields(checker.getDeclaredTypeOfSymbol(symbol)));
  } else if (symbol.flags & ts.SymbolFlags.TypeAlias)
    lines.push(
      `type ${name} = ` +
        text(checker.getDeclaredTypeOfSymbol(symbol), FLAGS | ts.TypeFormatFlags.InTypeAlias),
    );
  if (symbol.flags & ts.SymbolFlags.Value && !(symbol.flags & ts.SymbolFlags.Class))
    lines.push(`${name}: ${text(checker.getTypeOfSymbol(symbol))}`);
  return lines;
}
