/**
 * Colours of code that nobody can edit: a scan for comments, strings, numbers and words. It needs
 * nothing of the editor, whose languages are a hundred times larger, and gives most texts the same
 * classes.
 */
import { magpieGroups, magpieTypes } from '../languages/magpie-words.ts';
import { sqlFunctions, sqlKeywords, sqlTypes } from '../languages/sql-words.ts';
import type { Span } from './overlay.ts';

/** What a language highlights. Patterns have no groups. */
interface Grammar {
  readonly comment: string;
  readonly string: string;
  readonly keywords: ReadonlySet<string>;
  readonly types?: ReadonlySet<string>;
  readonly functions?: ReadonlySet<string>;
  /** Whether words count in any case, and only listed names are functions. */
  readonly anyCase?: boolean;
  readonly operators?: string;
  /** Whether a string before a colon is a name. */
  readonly keys?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const DOUBLE = String.raw`"(?:[^"\\\n]|\\[^])*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\[^])*'?`;
const TEMPLATE = '`(?:[^`\\\\]|\\\\[^])*`?';
const C_COMMENT = String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$)`;
const HASH = '#.*';
const OPERATORS = '=>|[-+*/%=<>!&|^~?.]+';

const cLike = (keywords: string, string = `${DOUBLE}|${SINGLE}`): Grammar => ({
  comment: C_COMMENT,
  string,
  keywords: words(keywords),
  operators: OPERATORS,
});
const jvm =
  'abstract break case catch class continue default do else extends false final finally for if ' +
  'implements import instanceof interface new null package private protected public return ' +
  'static super switch synchronized this throw throws true try void while';

const grammars: Readonly<Record<string, Grammar>> = {
  sql: {
    comment: String.raw`--.*|\/\*[^]*?(?:\*\/|$)`,
    string: String.raw`'(?:[^']|'')*'?|"[^"]*"?|\$\$[^]*?(?:\$\$|$)`,
    keywords: words(sqlKeywords),
    types: words(sqlTypes),
    functions: words(sqlFunctions),
    anyCase: true,
    operators: '[-+*/<>!=&|~^%:]+',
  },
  magpie: {
    comment: C_COMMENT,
    string: `${DOUBLE}|${SINGLE}`,
    keywords: words(Object.values(magpieGroups).join(' ')),
    types: words(magpieTypes),
    anyCase: true,
    keys: true,
    operators: '[-+*/<>!=&|~^%]+',
  },
  python: {
    comment: HASH,
    string: `[rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${DOUBLE}|${SINGLE})`,
    keywords: words(
      'False None True and as assert async await break class continue def del elif else except ' +
        'finally for from global if import in is lambda nonlocal not or pass raise return try ' +
        'while with yield',
    ),
    operators: '[-+*/%=<>!&|^~.]+',
  },
  javascript: cLike(
    'abstract as async await break case catch class const continue debugger declare default ' +
      'delete do else enum export extends false finally for from function if implements import ' +
      'in instanceof interface let new null of private protected public readonly return static ' +
      'super switch this throw true try type typeof undefined var void while with yield',
    `${DOUBLE}|${SINGLE}|${TEMPLATE}`,
  ),
  java: cLike(jvm),
  scala: cLike(
    `${jvm} def given implicit lazy match object override sealed trait type using val var with ` +
      'yield',
    `"""[^]*?(?:"""|$)|${DOUBLE}|${SINGLE}`,
  ),
  kotlin: cLike(`${jvm} as data fun in is object open override sealed typealias val var when`),
  groovy: cLike(`${jvm} as def in trait`),
  json: { comment: C_COMMENT, string: DOUBLE, keywords: words('true false null') },
  sh: {
    comment: HASH,
    string: String.raw`"(?:[^"\\]|\\[^])*"?|'[^']*'?`,
    keywords: words(
      'case do done elif else esac export fi for function if in local return then until while',
    ),
  },
  r: {
    comment: HASH,
    string: `${DOUBLE}|${SINGLE}`,
    keywords: words('FALSE NA NULL TRUE break else for function if in next repeat return while'),
    operators: OPERATORS,
  },
  julia: {
    comment: HASH,
    string: `"""[^]*?(?:"""|$)|${DOUBLE}`,
    keywords: words(
      'begin break catch const continue do else elseif end export false finally for function if ' +
        'import in let macro module mutable quote return struct true try using while',
    ),
    operators: OPERATORS,
  },
};

/** Longer texts stay plain, in characters. */
const MAX_LENGTH = 100_000;
const NUMBER = String.raw`(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)`;

/** What the groups of the scan match. */
const kinds = ['comment', 'string', 'number', undefined, 'operator'];

/** Returns the highlighted ranges of a text after its magic; none for an unknown language. */
export function plainSpans(text: string, language: string, from: number): Span[] {
  const grammar = Object.hasOwn(grammars, language) ? grammars[language]! : undefined;
  if (!grammar || text.length > MAX_LENGTH) return [];
  const {
    comment,
    string,
    keywords,
    types,
    functions,
    anyCase,
    keys,
    operators = '(?!)',
  } = grammar;
  const token = new RegExp(
    `(${comment})|(${string})|(${NUMBER})|([\\p{L}_$][\\p{L}\\p{N}_$]*)|(${operators})`,
    'gu',
  );
  token.lastIndex = from;
  const spans: Span[] = [];
  const key = /\s*:/y;
  let before = '';
  const kindOf = (word: string): string | undefined => {
    const name = anyCase ? word.toLowerCase() : word;
    if (keywords.has(name)) return 'keyword';
    if (types?.has(name) || /^(?:class|new|extends)$/.test(before)) return 'type';
    if (functions?.has(name)) return 'function';
    return !anyCase && text[token.lastIndex] === '(' ? 'function' : undefined;
  };
  for (let match = token.exec(text); match; match = token.exec(text)) {
    key.lastIndex = token.lastIndex;
    const kind = match[4]
      ? kindOf(match[4])
      : keys && match[2] && key.test(text)
        ? 'function'
        : kinds[match.slice(1).findIndex(Boolean)];
    before = match[0];
    if (kind && before !== '=>')
      spans.push({ from: match.index, to: token.lastIndex, className: `tok-${kind}` });
  }
  return spans;
}
