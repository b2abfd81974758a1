/** Parses statements about objects and permissions. */
import { objectType, parent, parseName, principal, target } from './parse-types.ts';
import type { Reader } from './reader.ts';
import { listTypes, permissionNames, type StatementBody } from './statements.ts';

export function parseDrop(reader: Reader): StatementBody {
  const type = objectType(reader);
  const ifExists = reader.accept('if exists');
  const ref = parseName(reader, type);
  const late = !ifExists && reader.accept('if exists');
  const cascade = reader.accept('cascade');
  return {
    kind: 'drop',
    target: { type, ref },
    ifExists: ifExists || late,
    cascade,
    withDelete: reader.accept('with delete'),
  };
}

/** Parses the rest of `enable` or `disable`. */
export function parseToggle(reader: Reader, enable: boolean): StatementBody {
  const type = reader.expectOne('user', 'job', 'schedule');
  if (type !== 'schedule')
    return { kind: 'toggle', enable, target: { type, ref: parseName(reader, type) } };
  const name = reader.name('name of the schedule');
  return { kind: 'toggleSchedule', enable, name, of: ownerOfSchedule(reader) };
}

/** Parses `of [job | cluster] NAME`. */
function ownerOfSchedule(reader: Reader): readonly string[] {
  reader.expect('of');
  const [first, second] = reader.ahead(2);
  // A job may be named `job`.
  if ((first === 'job' || first === 'cluster') && second !== undefined) reader.accept(first);
  return reader.ref('name of the job or cluster');
}

export function parseDescribe(reader: Reader): StatementBody {
  if (reader.accept('task')) return { kind: 'describeTask', ref: reader.ref('name of the task') };
  if (reader.accept('result'))
    return { kind: 'describeResult', resultId: reader.string('id of the result') };
  if (reader.accept('lineage of')) return { kind: 'describeLineage', target: target(reader) };
  if (reader.accept('schedule')) {
    const name = reader.name('name of the schedule');
    return { kind: 'describeSchedule', name, of: ownerOfSchedule(reader) };
  }
  return { kind: 'describe', target: target(reader) };
}

export function parseList(reader: Reader): StatementBody {
  if (reader.accept('files')) {
    const dataSource = reader.accept('in data source')
      ? reader.name('name of the data source')
      : undefined;
    const path = reader.accept('path') ? reader.string('path') : undefined;
    return { kind: 'listFiles', dataSource, path, recursive: reader.accept('recursive') };
  }
  const type =
    reader.acceptOne(...listTypes) ?? (reader.accept('suites') ? 'validation suites' : undefined);
  if (!type)
    return reader.fail(
      `Expected what to list (${[...listTypes, 'files'].join(', ')}), found ${reader.found()}.`,
    );
  return { kind: 'list', type, parent: parent(reader), recursive: reader.accept('recursive') };
}

export function parseUse(reader: Reader): StatementBody {
  const type = reader.expectOne('repository', 'schema', 'project', 'cluster', 'data source');
  return { kind: 'use', type, ref: reader.ref(`name of the ${type}`) };
}

export function parseShow(reader: Reader): StatementBody {
  const what = reader.expectOne(
    'result',
    'metrics',
    'history',
    'state',
    'usage',
    'activity',
    'subscriptions',
    'schedules',
    'permissions',
    'runs',
  );
  const job = () => (reader.expect('of job'), reader.ref('name of the job'));
  switch (what) {
    case 'result':
      return {
        kind: 'showResult',
        resultId: /["']/.test(reader.next()) ? reader.string('id of the result') : undefined,
      };
    case 'metrics':
      return { kind: 'showMetrics', job: job() };
    case 'history': {
      reader.expect('of');
      const of = reader.expectOne('job', 'task');
      return { kind: 'showHistory', of, ref: reader.ref(`name of the ${of}`) };
    }
    case 'state': {
      reader.expect('of');
      const of = reader.expectOne('job', 'cluster');
      return { kind: 'showState', of, ref: reader.ref(`name of the ${of}`) };
    }
    case 'usage':
      return { kind: 'showUsage', target: reader.accept('of') ? target(reader) : undefined };
    case 'activity':
      return reader.expect('of'), { kind: 'showActivity', target: target(reader) };
    case 'subscriptions':
      return { kind: 'showSubscriptions', job: job() };
    case 'schedules':
      return { kind: 'showSchedules', job: job() };
    case 'permissions':
      return {
        kind: 'showPermissions',
        principal: reader.accept('of') ? principal(reader) : undefined,
      };
    case 'runs': {
      reader.expect('of');
      if (!reader.acceptOne('validation suite', 'suite'))
        reader.fail(`Expected "suite", found ${reader.found()}.`);
      return { kind: 'showRuns', suite: reader.ref('name of the suite') };
    }
  }
}

export function parseGrant(reader: Reader, kind: 'grant' | 'revoke'): StatementBody {
  const word = kind === 'grant' ? 'to' : 'from';
  if (reader.accept('role')) {
    const role = reader.name('name of the role');
    reader.expect(word);
    const to = principal(reader);
    return { kind: kind === 'grant' ? 'grantRole' : 'revokeRole', role, principal: to };
  }
  const permission =
    reader.acceptOne(...permissionNames) ??
    reader.fail(
      `Expected a permission (${permissionNames.join(', ')}) or "role", found ${reader.found()}.`,
    );
  reader.expect('on');
  const on = target(reader);
  const repository = reader.accept('in repository')
    ? reader.name('name of the repository')
    : undefined;
  reader.expect(word);
  return { kind, permission, target: on, repository, principal: principal(reader) };
}
