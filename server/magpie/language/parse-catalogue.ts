/** Parses statements about objects and permissions. */
import { objectType, parent, parseName, principal, suiteName, target } from './parse-types.ts';
import type { Reader } from './reader.ts';
import {
  type ListType,
  listTypes,
  type PermissionName,
  permissionOf,
  type StatementBody,
} from './statements.ts';

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
    const dataSource = reader.nameAfter('in data source');
    const path = reader.accept('path') ? reader.string('path') : undefined;
    return { kind: 'listFiles', dataSource, path, recursive: reader.accept('recursive') };
  }
  const types = Object.keys(listTypes) as ListType[];
  const type =
    reader.acceptOne(...types) ?? (reader.accept('suites') ? 'validation suites' : undefined);
  if (!type)
    return reader.fail(
      `Expected what to list (${[...types, 'files'].join(', ')}), found ${reader.found()}.`,
    );
  return { kind: 'list', type, parent: parent(reader), recursive: reader.accept('recursive') };
}

export function parseUse(reader: Reader): StatementBody {
  const type = reader.expectOne('repository', 'schema', 'project', 'cluster', 'data source');
  return { kind: 'use', type, ref: reader.ref(`name of the ${type}`) };
}

const ofJob = (reader: Reader) => (reader.expect('of job'), reader.ref('name of the job'));

/** Parses `of TYPE NAME` for one of these types. */
function ofOne<const Type extends string>(reader: Reader, ...types: readonly Type[]) {
  reader.expect('of');
  const of = reader.expectOne(...types);
  return { of, ref: reader.ref(`name of the ${of}`) };
}

/** Functions that parse the rest of `show`, by the word that follows it. */
const showParsers: Readonly<Record<string, (reader: Reader) => StatementBody>> = {
  result: (reader) => ({
    kind: 'showResult',
    resultId: /["']/.test(reader.next()) ? reader.string('id of the result') : undefined,
  }),
  metrics: (reader) => ({ kind: 'showMetrics', job: ofJob(reader) }),
  history: (reader) => ({ kind: 'showHistory', ...ofOne(reader, 'job', 'task') }),
  state: (reader) => ({ kind: 'showState', ...ofOne(reader, 'job', 'cluster') }),
  usage: (reader) => ({
    kind: 'showUsage',
    target: reader.accept('of') ? target(reader) : undefined,
  }),
  activity: (reader) => (reader.expect('of'), { kind: 'showActivity', target: target(reader) }),
  subscriptions: (reader) => ({ kind: 'showSubscriptions', job: ofJob(reader) }),
  schedules: (reader) => ({ kind: 'showSchedules', job: ofJob(reader) }),
  permissions: (reader) => ({
    kind: 'showPermissions',
    principal: reader.accept('of') ? principal(reader) : undefined,
  }),
  runs: (reader) => (reader.expect('of'), { kind: 'showRuns', suite: suiteName(reader) }),
};

export const parseShow = (reader: Reader): StatementBody =>
  showParsers[reader.expectOne(...Object.keys(showParsers))]!(reader);

export function parseGrant(reader: Reader, kind: 'grant' | 'revoke'): StatementBody {
  const word = kind === 'grant' ? 'to' : 'from';
  if (reader.accept('role')) {
    const role = reader.name('name of the role');
    reader.expect(word);
    const to = principal(reader);
    return { kind: kind === 'grant' ? 'grantRole' : 'revokeRole', role, principal: to };
  }
  const names = Object.keys(permissionOf) as PermissionName[];
  const permission =
    reader.acceptOne(...names) ??
    reader.fail(`Expected a permission (${names.join(', ')}) or "role", found ${reader.found()}.`);
  reader.expect('on');
  const on = target(reader);
  const repository = reader.nameAfter('in repository');
  reader.expect(word);
  return { kind, permission, target: on, repository, principal: principal(reader) };
}
