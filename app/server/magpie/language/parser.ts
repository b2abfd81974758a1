/** Reads a script of the command language. */
import type { Place } from '../contract.ts';
import { alter, create } from './parse-objects.ts';
import { describe, drop, grant, list, show, toggle, use } from './parse-catalogue.ts';
import {
  cancel,
  control,
  copy,
  discover,
  execute,
  exportSource,
  profile,
  save,
  validate,
} from './parse-work.ts';
import { formsOf, nearestForm } from './forms.ts';
import { Reader } from './reader.ts';
import type { Statement, StatementBody } from './statements.ts';

/** What a statement begins with, and what reads the rest. */
const readers: Readonly<Record<string, (reader: Reader) => StatementBody>> = {
  create,
  alter,
  drop,
  describe,
  list,
  profile,
  discover,
  use,
  validate,
  save,
  copy,
  show,
  cancel,
  enable: (reader) => toggle(reader, true),
  disable: (reader) => toggle(reader, false),
  exec: execute,
  execute,
  start: (reader) => control(reader, 'start'),
  stop: (reader) => control(reader, 'stop'),
  restart: (reader) => control(reader, 'restart'),
  cache: (reader) => (
    reader.expect('table'), { kind: 'cache', cached: true, ref: reader.ref('name of the table') }
  ),
  uncache: (reader) => (
    reader.expect('table'), { kind: 'cache', cached: false, ref: reader.ref('name of the table') }
  ),
  export: exportSource,
  grant: (reader) => grant(reader, 'grant'),
  revoke: (reader) => grant(reader, 'revoke'),
  print: (reader) => ({ kind: 'print', text: reader.string('text') }),
  about: () => ({ kind: 'about' }),
  help,
};

/** What queries and changes of rows begin with. */
const sqlWords = new Set(['select', 'with', 'insert', 'update', 'delete', 'values', 'from']);

/**
 * The statements of a script, all of them before any is carried out. Throws {@link StatementError} `ParseError` with the
 * place of the first thing that is wrong, and nothing else, whatever the text.
 */
export function parse(text: string): readonly Statement[] {
  const reader = new Reader(text);
  const statements: Statement[] = [];
  const places = placesIn(text);
  for (;;) {
    reader.form = undefined;
    while (reader.next() === ';') reader.at += 1;
    if (reader.isAtEnd) return statements;
    const place = places(reader.at);
    statements.push({ ...statement(reader), place });
    if (reader.isAtEnd) return statements;
    if (reader.next() !== ';')
      reader.fail(`A statement ends with ";": ${reader.found()} is not expected here.`);
  }
}

/** Places of offsets that only grow: each line is counted once, however many statements there are. */
function placesIn(text: string): (at: number) => Place {
  let [line, start, end] = [1, 0, text.indexOf('\n')];
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf('\n', start))
      [line, start] = [line + 1, end + 1];
    return { line, column: at - start + 1 };
  };
}

/** All words that statements begin with. */
export const firstWords: readonly string[] = [...Object.keys(readers), 'sql', ...sqlWords];

/** Reads one statement. */
export function statement(reader: Reader): StatementBody {
  const words = reader.ahead(8);
  const [first = ''] = words;
  if (reader.next() === '(') return { kind: 'sql', query: reader.sql() };
  if (first === 'sql') {
    reader.accept('sql');
    const query = reader.sql();
    if (query.trim() === '') reader.fail('A query is expected after "sql".');
    return { kind: 'sql', query };
  }
  if (sqlWords.has(first)) return { kind: 'sql', query: reader.sql() };
  const read = Object.hasOwn(readers, first) ? readers[first] : undefined;
  if (!read)
    return reader.fail(
      `No statement begins with ${words.length > 0 ? `"${words.slice(0, 3).join(' ')}"` : reader.found()}. The nearest one is: ${nearestForm(words).form}.`,
    );
  reader.form = () => {
    const nearest = nearestForm(words);
    return nearest.head.split(' ')[0] === first ? nearest.form : formsOf(first)[0]?.form;
  };
  reader.accept(first);
  return read(reader);
}

function help(reader: Reader): StatementBody {
  const words: string[] = [];
  for (let word = reader.peek(); word !== undefined; word = reader.peek()) {
    words.push(word);
    reader.at += word.length;
  }
  return { kind: 'help', words: words.join(' ') };
}
