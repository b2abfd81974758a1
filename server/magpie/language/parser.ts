/** Parses a script of the command language. */
import type { SourceLocation } from '../contract.ts';
import { findForms, isSimilar, nearestForm } from './forms.ts';
import {
  parseDescribe,
  parseDrop,
  parseGrant,
  parseList,
  parseShow,
  parseToggle,
  parseUse,
} from './parse-catalogue.ts';
import { parseAlter, parseCreate } from './parse-objects.ts';
import {
  parseCancel,
  parseControl,
  parseCopy,
  parseDiscover,
  parseExecute,
  parseExportSource,
  parseProfile,
  parseSave,
  parseValidate,
} from './parse-work.ts';
import { Reader } from './reader.ts';
import type { Statement, StatementBody } from './statements.ts';

/** Functions that parse the rest of a statement, by its first keyword. */
const statementParsers: Readonly<Record<string, (reader: Reader) => StatementBody>> = {
  create: parseCreate,
  alter: parseAlter,
  drop: parseDrop,
  describe: parseDescribe,
  list: parseList,
  profile: parseProfile,
  discover: parseDiscover,
  use: parseUse,
  validate: parseValidate,
  save: parseSave,
  copy: parseCopy,
  show: parseShow,
  cancel: parseCancel,
  enable: (reader) => parseToggle(reader, true),
  disable: (reader) => parseToggle(reader, false),
  exec: parseExecute,
  execute: parseExecute,
  start: (reader) => parseControl(reader, 'start'),
  stop: (reader) => parseControl(reader, 'stop'),
  restart: (reader) => parseControl(reader, 'restart'),
  cache: (reader) => (
    reader.expect('table'), { kind: 'cache', cached: true, ref: reader.ref('name of the table') }
  ),
  uncache: (reader) => (
    reader.expect('table'), { kind: 'cache', cached: false, ref: reader.ref('name of the table') }
  ),
  export: parseExportSource,
  grant: (reader) => parseGrant(reader, 'grant'),
  revoke: (reader) => parseGrant(reader, 'revoke'),
  print: (reader) => ({ kind: 'print', text: reader.string('text') }),
  about: () => ({ kind: 'about' }),
  help: parseHelp,
};

/** First keywords of SQL statements. */
const sqlKeywords = new Set(['select', 'with', 'insert', 'update', 'delete', 'values', 'from']);

/**
 * Parses all statements of a script. Throws a {@link StatementError} `ParseError` with the location
 * of the first error, and nothing else for any text.
 */
export function parseScript(text: string): readonly Statement[] {
  const reader = new Reader(text);
  const statements: Statement[] = [];
  const locationAt = locationsIn(text);
  for (;;) {
    reader.form = undefined;
    while (reader.next() === ';') reader.at += 1;
    if (reader.isAtEnd) return statements;
    const location = locationAt(reader.at);
    statements.push({ ...statement(reader), location });
    if (reader.isAtEnd) return statements;
    if (reader.next() !== ';')
      reader.fail(`Expected ";" after the statement, found ${reader.found()}.`);
  }
}

/**
 * Returns a function that converts offsets to locations. Offsets must not decrease between calls:
 * each line is counted only once.
 */
function locationsIn(text: string): (at: number) => SourceLocation {
  let [line, start, end] = [1, 0, text.indexOf('\n')];
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf('\n', start))
      [line, start] = [line + 1, end + 1];
    return { line, column: at - start + 1 };
  };
}

/** All keywords that a statement can start with. */
export const statementKeywords: readonly string[] = [
  ...Object.keys(statementParsers),
  'sql',
  ...sqlKeywords,
];

/** Parses one statement. */
export function statement(reader: Reader): StatementBody {
  const words = reader.ahead(8);
  const [first = ''] = words;
  if (reader.next() === '(') return { kind: 'sql', query: reader.sql() };
  if (first === 'sql') {
    reader.accept('sql');
    const query = reader.sql();
    if (query.trim() === '') reader.fail('Expected a query after "sql".');
    return { kind: 'sql', query };
  }
  if (sqlKeywords.has(first)) return { kind: 'sql', query: reader.sql() };
  const parseRest = Object.hasOwn(statementParsers, first) ? statementParsers[first] : undefined;
  if (!parseRest)
    return reader.fail(
      'No statement starts with ' +
        `${words.length > 0 ? `"${words.slice(0, 3).join(' ')}"` : reader.found()}. ` +
        (isSimilar(words)
          ? `Did you mean: ${nearestForm(words).form}`
          : 'Run "help" for a list of all statements.'),
    );
  reader.form = () => {
    const nearest = nearestForm(words);
    return nearest.head.split(' ')[0] === first ? nearest.form : findForms(first)[0]?.form;
  };
  reader.accept(first);
  return parseRest(reader);
}

function parseHelp(reader: Reader): StatementBody {
  const words: string[] = [];
  for (let word = reader.peek(); word !== undefined; word = reader.peek()) {
    words.push(word);
    reader.at += word.length;
  }
  return { kind: 'help', words: words.join(' ') };
}
