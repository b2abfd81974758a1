/** Parses `create` and `alter`. */

import { objectType, parent, parseName } from './parse-types.ts';
import type { Reader } from './reader.ts';
import type { Addition, Origin, Ref, ScriptLanguage, StatementBody } from './statements.ts';

export function parseCreate(reader: Reader): StatementBody {
  const replace = reader.accept('or replace');
  const temporary = !replace && reader.acceptOne('temporary', 'temp') !== undefined;
  if (temporary) reader.hint('table');
  if (temporary && reader.peek() !== 'table')
    reader.fail(`Only tables can be temporary. Expected "table", found ${reader.found()}.`);
  const type = objectType(reader);
  let name: Ref | undefined;
  if (type === 'table' && reader.next() !== '{') {
    name = reader.ref('name of the table');
    if (reader.accept('from'))
      return { kind: 'createTable', ref: name, origin: origin(reader), replace, temporary };
    if (reader.accept('as')) {
      const query = reader.next() === '(' ? reader.query() : reader.sql();
      if (query === '') reader.fail(`Expected a query, found ${reader.found()}.`);
      const rows = { from: 'sql', query, options: {} } as const;
      return { kind: 'createTable', ref: name, origin: rows, replace, temporary };
    }
    if (reader.next() !== '{')
      reader.fail(`Expected "from", "as" or a body { … }, found ${reader.found()}.`);
  }
  const body = reader.json();
  return { kind: 'create', type, name, body, parent: parent(reader), replace, temporary };
}

function origin(reader: Reader): Origin {
  const from = reader.expectOne('file', 'url', 'sql', 'result');
  if (from === 'sql') return { from, query: reader.query(), options: reader.optionalJson() };
  if (from === 'url')
    return { from, url: reader.string('address'), options: reader.optionalJson() };
  if (from === 'result') return { from };
  const path = reader.string('path of the file');
  const options = reader.optionalJson();
  return { from, path, options, dataSource: reader.nameAfter('in data source') };
}

export function parseAlter(reader: Reader): StatementBody {
  const type = objectType(reader);
  const ref = parseName(reader, type);
  const target = { type, ref };
  if (type === 'user' && reader.accept('reset password'))
    return { kind: 'resetPassword', userName: ref[0]! };
  if (reader.accept('set')) return { kind: 'alterSet', target, body: reader.json() };
  if (reader.accept('add')) return { kind: 'alterAdd', target, addition: addition(reader) };
  if (!reader.acceptOne('remove', 'delete'))
    reader.fail(`Expected "set", "add" or "remove", found ${reader.found()}.`);
  const what = reader.expectOne('schedule', 'subscription', 'field', 'validator', 'task');
  return { kind: 'alterRemove', target, what, name: reader.name(`name of the ${what}`) };
}

function addition(reader: Reader): Addition {
  const what = reader.acceptOne('schedule', 'subscription', 'field', 'validator');
  if (what) return { what, body: reader.json() };
  if (reader.accept('sql task')) {
    const body = reader.json();
    reader.expect('with');
    reader.accept('script');
    return { what: 'task', task: 'sql', body, script: reader.script('magpie').trim() };
  }
  if (reader.accept('job task')) {
    const body = reader.json();
    reader.expect('with job');
    return { what: 'task', task: 'job', body, job: reader.ref('name of the job') };
  }
  const language = scriptOf(reader.acceptOne('magpie', 'scala', 'python', 'r', 'script'));
  if (!reader.accept('task'))
    reader.fail(
      'Expected "task", "schedule", "subscription", "field" or "validator", ' +
        `found ${reader.found()}.`,
    );
  const body = reader.json();
  reader.expect('with script');
  return {
    what: 'task',
    task: 'script',
    language,
    body,
    script: reader.script(commentsOf[language]),
  };
}

/** The default language of a script is the command language. */
const scriptOf = (word: ScriptLanguage | 'script' | undefined): ScriptLanguage =>
  word === undefined || word === 'script' ? 'magpie' : word;
const commentsOf = { magpie: 'magpie', python: 'hash', r: 'hash', scala: 'slashes' } as const;
