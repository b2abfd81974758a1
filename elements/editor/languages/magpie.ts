/**
 * Editor mode of the command language: statements that end with `;`, JSON bodies, and scripts
 * between `$$`.
 */
import { type Completion, completeFromList } from '@codemirror/autocomplete';
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { indentFolds } from './folding.ts';
import { magpieGroups, magpieRights, magpieTypes } from './magpie-words.ts';

const wordsOf = (text: string): string[] => text.split(' ');
const keywords = new Set(Object.values(magpieGroups).flatMap(wordsOf));
const types = new Set(wordsOf(magpieTypes));
const rights = new Set(wordsOf(magpieRights));

interface State {
  /** Token that continues on the next line. */
  inside: 'comment' | 'script' | '"' | "'" | null;
  /** Number of open braces and parentheses. */
  depth: number;
  /** Whether the current statement grants or revokes rights. */
  granting: boolean;
  /** Previous word, in lower case: an address may follow `user`. */
  before: string;
  /** Whether a sign here belongs to the number after it. */
  operand: boolean;
}

const number = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?/i;

/**
 * Reads to the end of a string. Quotes are escaped with a backslash in JSON bodies and doubled in
 * SQL.
 */
function readString(
  stream: { next(): string | void; peek(): string | undefined; eol(): boolean },
  state: State,
): void {
  const quote = state.inside;
  for (let char = stream.next(); char !== undefined; char = stream.next()) {
    if (char === '\\') stream.next();
    else if (char === quote) {
      if (stream.peek() === quote) stream.next();
      else {
        state.inside = null;
        return;
      }
    }
  }
}

const parser: StreamParser<State> = {
  name: 'magpie',
  startState: () => ({ inside: null, depth: 0, granting: false, before: '', operand: true }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.inside === 'comment') {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.inside = null;
      } else stream.skipToEnd();
      return 'comment';
    }
    if (state.inside === 'script') {
      if (stream.match('$$')) {
        state.inside = null;
        return 'operator';
      }
      if (!stream.skipTo('$$')) stream.skipToEnd();
      return null;
    }
    if (state.inside) {
      readString(stream, state);
      return 'string';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.inside = 'comment';
      return 'comment';
    }
    if (stream.match('$$')) {
      state.inside = 'script';
      return 'operator';
    }
    const { before, operand } = state;
    state.before = '';
    state.operand = false;
    // A user name is an unquoted address that ends at a blank or a semicolon.
    if (before === 'user' && stream.match(/^[^\s;,(){}"'`$]*@[^\s;]+/)) return 'entity';
    if (
      stream.match(number) ||
      (operand && stream.match(new RegExp(`^[+-](?=\\d)${number.source.slice(1)}`, 'i')))
    )
      return 'number';
    const char = stream.next()!;
    if (char === '"' || char === "'") {
      state.inside = char;
      readString(stream, state);
      return state.depth > 0 && stream.match(/^\s*:/, false) ? 'jsonKey' : 'string';
    }
    if (char === '`') {
      stream.match(/^[^`]*`?/);
      return 'entity';
    }
    if (/\w/.test(char)) {
      stream.match(/^\w*/);
      return word(stream.current(), state, before, Boolean(stream.match(/^\s*:/, false)));
    }
    state.operand = char !== ')';
    if (char === '{' || char === '(' || char === '[') state.depth += 1;
    if (char === '}' || char === ')' || char === ']') state.depth = Math.max(0, state.depth - 1);
    if (char === ';' && state.depth === 0) state.granting = false;
    // A word after a period is part of a name, even if it is a keyword.
    if (char === '.') state.before = '.';
    return /[{}()[\];,.:]/.test(char) ? 'punctuation' : 'operator';
  },
  indent: (state, textAfter, context) =>
    state.inside
      ? null
      : Math.max(0, state.depth - (/^\s*[})\]]/.test(textAfter) ? 1 : 0)) * context.unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', "'", '"', '`'] },
    indentOnInput: /^\s*[})\]]$/,
    autocomplete: completeFromList(completions()),
  },
  tokenTable: { jsonKey: tags.attributeName, entity: tags.attributeValue },
};

function word(text: string, state: State, before: string, keyed: boolean): string | null {
  const name = text.toLowerCase();
  if (before === '.') return null;
  if (state.depth > 0 && keyed) return 'jsonKey';
  state.before = name;
  if (name === 'grant' || name === 'revoke') state.granting = true;
  if (rights.has(name)) return state.granting ? 'keyword' : null;
  if (keywords.has(name)) return 'keyword';
  return types.has(name) ? 'typeName' : null;
}

function completions(): Completion[] {
  const group = (type: string, words: string): Completion[] =>
    wordsOf(words).map((label) => ({ label, type, detail: type }));
  const all = [
    ...Object.entries(magpieGroups).flatMap(([name, words]) => group(name, words)),
    ...group('type', magpieTypes),
    ...group('security', magpieRights),
  ];
  return [...new Map(all.map((entry) => [entry.label, entry])).values()];
}

/** The command language: highlighting, completion, brackets, indentation and folding. */
export const magpieLanguage = (): LanguageSupport =>
  new LanguageSupport(StreamLanguage.define(parser), indentFolds);
