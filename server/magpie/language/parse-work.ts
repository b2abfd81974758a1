/** Parses statements that compute, run or move data. */
import type { Reader } from './reader.ts';
import type { ProfileSourceRef, StatementBody, StatementOf } from './statements.ts';

function source(reader: Reader): ProfileSourceRef {
  if (reader.accept('table')) return { of: 'table', ref: reader.ref('name of the table') };
  if (reader.accept('sql')) return { of: 'sql', query: reader.query() };
  reader.expectOne('result');
  return { of: 'result' };
}

export function parseProfile(reader: Reader): StatementBody {
  if (reader.accept('schema')) {
    const schema = { of: 'schema', ref: reader.ref('name of the schema') } as const;
    return { kind: 'profile', source: schema, options: reader.optionalJson() };
  }
  reader.hint('table', 'sql', 'result');
  if (!['table', 'sql', 'result'].includes(reader.peek() ?? ''))
    reader.fail(`Expected "table", "schema", "sql" or "result", found ${reader.found()}.`);
  return { kind: 'profile', source: source(reader), options: reader.optionalJson() };
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
  const fromTask = reader.accept('from task') ? reader.name('name of the task') : undefined;
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
  if (!reader.acceptOne('validation suite', 'suite'))
    reader.fail(`Expected "suite", found ${reader.found()}.`);
  return { kind: 'validate', of, ref, suite: reader.ref('name of the suite') };
}

export function parseSave(reader: Reader): StatementBody {
  reader.expect('result as');
  const temporary = reader.acceptOne('temporary', 'temp') !== undefined;
  reader.expect('table');
  return {
    kind: 'save',
    temporary,
    ref: reader.ref('name of the table'),
    body: reader.optionalJson(),
  };
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
  reader.hint('result', 'table', 'sql');
  if (!['table', 'sql', 'result'].includes(reader.peek() ?? ''))
    reader.fail(`Expected "result", "table", "sql" or "file", found ${reader.found()}.`);
  return { kind: 'export', source: source(reader), options: reader.optionalJson() };
}
