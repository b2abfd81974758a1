/** Parses statements that compute, run or move data. */
import { suiteName } from './parse-types.ts';
import type { Reader } from './reader.ts';
import type { ProfileSourceRef, StatementBody, StatementOf } from './statements.ts';

/** Parses rows after one of these words. `expected` lists the words that may come next. */
function source(
  reader: Reader,
  words: readonly ProfileSourceRef['of'][],
  expected: string,
): ProfileSourceRef {
  const of =
    reader.acceptOne(...words) ?? reader.fail(`Expected ${expected}, found ${reader.found()}.`);
  if (of === 'table') return { of, ref: reader.ref('name of the table') };
  return of === 'sql' ? { of, query: reader.query() } : { of };
}

export function parseProfile(reader: Reader): StatementBody {
  const of = reader.accept('schema')
    ? ({ of: 'schema', ref: reader.ref('name of the schema') } as const)
    : source(reader, ['table', 'sql', 'result'], '"table", "schema", "sql" or "result"');
  return { kind: 'profile', source: of, options: reader.optionalJson() };
}

export function parseDiscover(reader: Reader): StatementBody {
  reader.expect('relationships');
  return { kind: 'discover', scope: discoverScope(reader), options: reader.optionalJson() };
}

function discoverScope(reader: Reader): StatementOf<'discover'>['scope'] {
  const table = () => reader.ref('name of the table');
  const how = reader.expectOne('in schema', 'between', 'from');
  if (how === 'in schema') return { schema: reader.ref('name of the schema') };
  if (how === 'from') return { from: table() };
  const left = table();
  reader.expect('and');
  return { left, right: table() };
}

/** Parses the rest of `exec`. */
export function parseExecute(reader: Reader): StatementBody {
  const what = reader.expectOne('job', 'task', 'script');
  if (what === 'script') return { kind: 'execScript', path: reader.string('path of the script') };
  if (what === 'task') return { kind: 'execTask', ref: reader.ref('name of the task') };
  const ref = reader.ref('name of the job');
  const fromTask = reader.nameAfter('from task');
  return { kind: 'execJob', ref, fromTask, blocking: reader.accept('blocking') };
}

export function parseCancel(reader: Reader): StatementBody {
  reader.expectOne('job execution', 'execution');
  return { kind: 'cancel', executionId: reader.string('id of the execution') };
}

export function parseControl(reader: Reader, action: 'start' | 'stop' | 'restart'): StatementBody {
  const type = reader.expectOne('cluster', 'stream', 'sink');
  return { kind: 'control', action, type, ref: reader.ref(`name of the ${type}`) };
}

export function parseValidate(reader: Reader): StatementBody {
  const of = reader.expectOne('table', 'schema');
  const ref = reader.ref(`name of the ${of}`);
  reader.expect('with');
  return { kind: 'validate', of, ref, suite: suiteName(reader) };
}

export function parseSave(reader: Reader): StatementBody {
  reader.expect('result as');
  const temporary = reader.acceptOne('temporary', 'temp') !== undefined;
  reader.expect('table');
  const ref = reader.ref('name of the table');
  return { kind: 'save', temporary, ref, body: reader.optionalJson() };
}

export function parseCopy(reader: Reader): StatementBody {
  reader.expect('file');
  const file = reader.string('path of the file');
  reader.expect('from');
  const from =
    reader.expectOne('url', 'data source') === 'url'
      ? { url: reader.string('address') }
      : { dataSource: reader.name('name of the data source') };
  reader.expect('to data source');
  return { kind: 'copy', file, from, to: reader.name('name of the data source') };
}

export function parseExportSource(reader: Reader): StatementBody {
  if (reader.accept('file')) {
    const path = reader.string('path of the file');
    reader.expect('from data source');
    return { kind: 'exportFile', path, dataSource: reader.name('name of the data source') };
  }
  const rows = source(reader, ['result', 'table', 'sql'], '"result", "table", "sql" or "file"');
  return { kind: 'export', source: rows, options: reader.optionalJson() };
}
