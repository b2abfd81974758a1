import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { ObjectCatalogue } from './catalogue.ts';
import { durationMs } from './definition-parts.ts';
import { define, defineValidator } from './definitions.ts';
import { addGrant, addItem, changeItem, dropItem, setMember } from './edits.ts';
import { engineType, typeOfEngine } from './field-types.ts';
import { canSee, implied, may } from './permissions.ts';
import type { Grant, Permission } from './state.ts';

const secrets = {
  encrypt: (text: string) => `x:${text}`,
  decrypt: (text: string) => text.slice(2),
};
let folder: string;
let catalogue: ObjectCatalogue;
const place = { repositoryId: 2, schemaId: 4, projectId: 5, dataSourceId: 3, clusterId: 6 };
const bo = { userName: 'bo', isAdmin: false };
const root = { userName: 'root', isAdmin: true };
const add = (
  type: 'schema' | 'table' | 'role' | 'secret' | 'project' | 'job' | 'task' | 'stream',
  name: string,
  parentId: number,
  userName = 'ana',
) =>
  catalogue.change((state) => addItem(state, { type, name, parentId, definition: {} }, userName));
const grant = (
  permission: Permission,
  itemId: number,
  principalName: string,
  principalType: Grant['principalType'] = 'User',
) =>
  catalogue.change((state) =>
    addGrant(state, { permission, itemId, principalType, principalName }),
  );

beforeEach(async () => {
  folder = temporaryFolder();
  catalogue = await ObjectCatalogue.open(folder, secrets);
});
afterEach(() => catalogue.flush());

describe('the catalogue', () => {
  it('starts with one organization, and is the same when opened again', async () => {
    expect(catalogue.state.items.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'organization local',
      'repository main',
      'data source files',
      'schema main',
      'project main',
      'cluster local',
    ]);
    const { id } = await add('table', 'trips', 4);
    const again = await ObjectCatalogue.open(folder, secrets);
    expect(again.byId(id)).toEqual(catalogue.byId(id));
    expect(again.state).toEqual(catalogue.state);
  });

  it('of version 1 loses the grants of everybody on all files, and logs that', async () => {
    const { state } = catalogue;
    const everybody = (permission: Permission, itemId: number): Grant => ({
      permission,
      itemId,
      principalType: 'Organization',
      principalName: 'local',
    });
    const own: Grant = { ...everybody('Read', 3), principalType: 'User', principalName: 'ana' };
    const all = [everybody('Read', 3), everybody('Write', 3), own, ...state.grants];
    const old = { ...state, version: 1, grants: all };
    writeFileSync(join(folder, 'catalogue.json'), JSON.stringify(old));
    const again = await ObjectCatalogue.open(folder, secrets);
    expect(again.state).toEqual({ ...state, grants: [own, ...state.grants] });
    const revoked = { objectName: 'files', activityType: 'Revoke' };
    expect(again.events.all()).toMatchObject([
      { ...revoked, description: 'Write from organization local' },
      { ...revoked, description: 'Read from organization local' },
    ]);
    await again.flush();
    // A new grant stays.
    await again.change((now) => addGrant(now, everybody('Read', 3)));
    expect((await ObjectCatalogue.open(folder, secrets)).state).toEqual(again.state);
  });

  it('refuses a damaged file and does not modify it', async () => {
    writeFileSync(join(folder, 'catalogue.json'), '{"version": 1}');
    await expect(ObjectCatalogue.open(folder, secrets)).rejects.toThrow('is damaged');
    expect(readFileSync(join(folder, 'catalogue.json'), 'utf8')).toBe('{"version": 1}');
    writeFileSync(join(folder, 'catalogue.json'), '{');
    await expect(ObjectCatalogue.open(folder, secrets)).rejects.toThrow('is damaged');
  });

  it('stays unchanged if a change or the engine fails', async () => {
    const before = catalogue.state;
    const stored = readFileSync(join(folder, 'catalogue.json'), 'utf8');
    await expect(
      catalogue.change(
        (state) => addItem(state, { type: 'table', name: 't', parentId: 4, definition: {} }, 'ana'),
        () => Promise.reject(new Error('engine')),
      ),
    ).rejects.toThrow('engine');
    await expect(add('table', 'x', 999)).rejects.toThrow('dropped');
    expect(catalogue.state).toEqual(before);
    expect(readFileSync(join(folder, 'catalogue.json'), 'utf8')).toBe(stored);
  });

  it('rejects a duplicate name in the same parent, ignoring case', async () => {
    await add('table', 'Trips', 4);
    await expect(add('table', 'trips', 4)).rejects.toThrow(
      'There is already a table Trips in schema main.',
    );
    await expect(add('stream', 'TRIPS', 4)).rejects.toThrow('already');
    const other = await add('schema', 'other', 2);
    await add('table', 'trips', other.id);
    expect(
      catalogue.nameOf(catalogue.find({ type: 'table', ref: ['OTHER', 'TRIPS'] }, place)!),
    ).toBe('other.trips');
    await expect(
      catalogue.change((state) => changeItem(state, other.id, { name: 'main' })),
    ).rejects.toThrow('already');
  });

  it('drops an object with its children and grants', async () => {
    const schema = await add('schema', 's', 2);
    const table = await add('table', 't', schema.id);
    const grants = catalogue.state.grants.length;
    expect(
      (await catalogue.change((state) => dropItem(state, schema.id))).map(({ id }) => id),
    ).toEqual([schema.id, table.id]);
    expect(catalogue.state.grants.length).toBe(grants - 2);
    const again = await add('schema', 's', 2);
    expect(again.id).toBeGreaterThan(table.id);
  });

  it("resolves names from the session's current place, named in errors", async () => {
    const project = await add('project', 'flights', 2);
    const job = await add('job', 'load', project.id);
    const task = await add('task', 'fetch', job.id);
    expect(catalogue.find({ type: 'task', ref: ['flights', 'load', 'fetch'] }, place)).toEqual(
      task,
    );
    expect(catalogue.find({ type: 'task', ref: ['load', 'fetch'] }, place)).toBeUndefined();
    expect(
      catalogue.find({ type: 'task', ref: ['load', 'fetch'] }, { ...place, projectId: project.id }),
    ).toEqual(task);
    expect(catalogue.find({ type: 'schema', ref: ['main', 'main'] }, place)?.id).toBe(4);
    expect(() => catalogue.resolve({ type: 'table', ref: ['nope'] }, place, root, 'Read')).toThrow(
      'There is no table nope in schema main, or you may not use it.',
    );
    expect(() => catalogue.holderFor('table', { ...place, schemaId: undefined })).toThrow(
      'use schema NAME',
    );
  });

  it('keeps events after a restart, except a line that a crash cut off', async () => {
    const event = { eventTime: '2024-01-01T00:00:00Z', eventType: 'Metadata' } as const;
    for (const userName of ['ana', 'bo']) catalogue.events.add({ ...event, userName });
    await catalogue.flush();
    writeFileSync(
      join(folder, 'events.jsonl'),
      `${readFileSync(join(folder, 'events.jsonl'), 'utf8')}{"eventTi`,
    );
    expect(
      (await ObjectCatalogue.open(folder, secrets)).events.all().map(({ userName }) => userName),
    ).toEqual(['bo', 'ana']);
  });
});

describe('permissions', () => {
  it.each<[Permission, readonly Permission[]]>([
    ['Read', ['Read', 'Use']],
    ['Write', ['Create', 'Execute', 'Read', 'Use', 'Write']],
    ['Admin', ['Admin', 'Create', 'Developer', 'Execute', 'Read', 'Use', 'Write']],
    ['Use', ['Use']],
    ['Lineage', ['Lineage']],
  ])('%s implies the documented permissions', (permission, all) =>
    expect([...implied(permission, 'table')].sort()).toEqual(all),
  );

  it('on a secret, Write does not imply Read', () => {
    expect(implied('Write', 'secret').has('Read')).toBe(false);
    expect(implied('Admin', 'secret').has('Read')).toBe(false);
  });

  it('can come from roles and from the organization', async () => {
    const table = await add('table', 't', 4);
    await add('role', 'analyst', 1, 'root');
    await grant('Read', table.id, 'Analyst', 'Role');
    expect(may(catalogue.state, bo, 'Read', table)).toBe(false);
    await catalogue.change((state) => setMember(state, 'analyst', 'bo', true));
    expect(may(catalogue.state, bo, 'Read', table)).toBe(true);
    expect(may(catalogue.state, bo, 'Write', table)).toBe(false);
    await grant('Write', table.id, 'local', 'Organization');
    expect(may(catalogue.state, bo, 'Write', table)).toBe(true);
  });

  it('extend to children of a schema, and of a repository only for Admin', async () => {
    const schema = await add('schema', 's', 2);
    const table = await add('table', 't', schema.id);
    await grant('Read', schema.id, 'bo');
    expect(may(catalogue.state, bo, 'Read', table)).toBe(true);
    await grant('Write', 2, 'cy');
    expect(may(catalogue.state, { userName: 'cy', isAdmin: false }, 'Read', table)).toBe(false);
    await grant('Admin', 2, 'di');
    expect(may(catalogue.state, { userName: 'di', isAdmin: false }, 'Write', table)).toBe(true);
    await grant('Create', schema.id, 'ed');
    expect(may(catalogue.state, { userName: 'ed', isAdmin: false }, 'Create', schema)).toBe(true);
    expect(canSee(catalogue.state, { userName: 'ed', isAdmin: false }, table)).toBe(false);
  });
});

describe('definitions', () => {
  it('report missing, invalid and unknown members', () => {
    const quartz = { name: 's', expression: '0 0 5 * * ?' };
    for (const [type, body, message] of [
      ['schema', {}, 'The schema needs "name".'],
      ['schema', { name: 'a.b' }, '"name" of the schema must be a name: at most 128 letters'],
      ['job', { name: 'j', allowConcurrentRuns: 'no' }, '"allowConcurrentRuns" of the job'],
      [
        'schedule',
        { ...quartz, expression: '99 * * * * ?' },
        '"expression" of the schedule must be a Quartz expression',
      ],
      ['schedule', { ...quartz, timeZone: 'Mars/Base' }, 'time zone'],
      [
        'table',
        { name: 't', fields: [{ name: 'a', fieldType: 'blurb' }] },
        '"fields.0.fieldType" of the table must be a type',
      ],
    ] as const)
      expect(() => define(type, body)).toThrow(message);
    for (const [type, part] of [
      ['job', 'startTask'],
      ['validation suite', 'validators'],
    ] as const)
      expect(() => define(type, { name: 'x', [part]: [] })).toThrow(
        `"${part}" can't be in the body of the ${type}. Create the ${type} first, then add`,
      );
    expect(define('job', { name: 'j', state: 'disabled', color: 'red' })).toEqual({
      value: { name: 'j', state: 'Disabled', failureMode: 'Abort', allowConcurrentRuns: true },
      ignored: ['color'],
    });
  });

  it('of validators ignore the case of their type', () => {
    const single = { name: 'v', fields: { fieldSelectorType: 'Single', fieldName: 'a' } };
    const given = { ...single, validatorType: 'NumericalRange', lowerBound: 0 };
    expect(defineValidator(given).value).toEqual({
      ...given,
      validatorType: 'numericalRange',
      lowerBoundInclusive: true,
      upperBoundInclusive: true,
      onNullResult: 'null',
    });
    expect(() => defineValidator({ validatorType: 'magic' })).toThrow(
      '"validatorType" of the validator must be one of and, or, equals',
    );
    const regex = { ...single, validatorType: 'regex', pattern: 'x' };
    expect(() => defineValidator({ ...regex, fields: { fieldSelectorType: 'Regex' } })).toThrow(
      'must have a pattern',
    );
    expect(() => defineValidator({ ...regex, pattern: '(' })).toThrow('regular expression');
  });

  it('know durations and field types', () => {
    expect(['30m', '90s', '2h', 'PT30M', 'P1DT2H', '0s', 'soon'].map(durationMs)).toEqual([
      1_800_000,
      90_000,
      7_200_000,
      1_800_000,
      93_600_000,
      undefined,
      undefined,
    ]);
    expect(
      engineType({
        dataType: 'map',
        keyType: 'string',
        valueType: { dataType: 'array', elementType: 'long' },
      }),
    ).toBe('MAP(VARCHAR, BIGINT[])');
    expect(
      engineType({ dataType: 'struct', fields: [{ name: 'a"b', fieldType: 'decimal(9, 2)' }] }),
    ).toBe('STRUCT("a""b" DECIMAL(9,2))');
    expect(engineType('constructor')).toBeUndefined();
    expect(['VARCHAR', 'BIGINT[]', 'DECIMAL(9,2)'].map(typeOfEngine)).toEqual([
      'string',
      { dataType: 'array', elementType: 'long' },
      'decimal(9,2)',
    ]);
  });
});
