import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  airportsPlatform,
  scriptSteps,
  type TestPlatform,
  widgetsOf,
} from '../magpie/test-support.ts';

let on: TestPlatform;
beforeEach(async () => {
  on = await airportsPlatform();
});
afterEach(() => on.close());
const { ok, failure, rows, names, refuses, dataOf, printed } = scriptSteps(() => on);

describe('permissions', () => {
  it('belong to the creator and follow grants and revokes', async () => {
    await ok('create table t from sql (select 1 as a)', 'ada');
    for (const code of [
      'select * from t',
      'describe table t',
      'insert into t values (2)',
      'drop table t',
      'grant read on table t to user bo',
      'create table u from sql (select * from t)',
      'export table t',
      'cache table t',
    ]) {
      await refuses(code, 'There is no table t in schema main, or you may not use it.', 'bo');
    }
    expect(await names('list tables', 'bo')).toEqual([]);
    await ok('grant read on table t to user bo', 'ada');
    expect(await rows('select * from t', 'bo')).toEqual([['1']]);
    await refuses('update t set a = 2', 'You need Write on table main.t.', 'bo');
    await refuses('delete from t', 'You need Write', 'bo');
    await refuses('grant read on table t to user bo', 'You need Admin on table main.t.', 'bo');
    await refuses(
      'grant lineage on table t to user bo',
      'Only administrators of the organization may grant Lineage.',
      'ada',
    );
    await ok('revoke read on table t from user bo', 'ada');
    await refuses('select * from t', 'There is no table t', 'bo');
    expect(await rows('select * from t')).toEqual([['1']]);
  });

  it('are inherited from roles until these are dropped', async () => {
    await ok(
      'create table t from sql (select 1 as a); create role {"name": "analyst"}; ' +
        'grant read on table t to role analyst; grant role analyst to user bo',
    );
    expect(await rows('select * from t', 'bo')).toEqual([['1']]);
    expect(await dataOf('show permissions', 'bo')).toMatchObject({
      permissions: expect.arrayContaining([
        expect.objectContaining({
          permissionType: 'Read',
          objectType: 'Table',
          objectName: 'main.t',
          viaRole: 'analyst',
        }),
      ]),
    });
    expect(await dataOf('describe role analyst')).toMatchObject({
      users: [{ userName: 'bo' }],
      permissions: [{ permissionType: 'Read', objectName: 'main.t' }],
    });
    await ok('drop role analyst');
    await refuses('select * from t', 'There is no table t', 'bo');
    await refuses('create role {"name": "x"}', 'Only administrators', 'ada');
    await refuses('grant read on table t to role analyst', 'There is no role analyst.');
    await refuses(
      'grant read on table t to user nobody@example.org',
      'There is no user nobody@example.org.',
    );
  });

  it('on the organization are also roles of the server', async () => {
    await ok(
      'grant accesstoken on organization local to user ada; ' +
        'grant admin on organization local to user ada',
    );
    expect((await on.people.find('ada'))?.roles).toEqual([
      'magpie.AccessToken',
      'magpie.OrganizationAdmin',
    ]);
    await ok('create role {"name": "x"}', 'ada');
    await refuses(
      'revoke admin on organization local from user ada',
      'cannot revoke your own Admin',
      'ada',
    );
    await ok('revoke admin on organization local from user ada');
    await refuses('create role {"name": "y"}', 'Only administrators', 'ada');
  });

  it('apply to views, profiles, exports and jobs', async () => {
    await ok('create table t from sql (select 1 as a)');
    await refuses(
      'create table v {"persistenceMapping": {"mappingType": "Virtual", "expression": ' +
        '{"query": "select * from t"}}}',
      'There is no table t',
      'ada',
    );
    await refuses('profile sql (select * from t)', /There is no table t|not available/, 'ada');
    await refuses('export sql (select * from t)', 'There is no table t', 'ada');
    await ok('create project {"name": "p"}; create job {"name": "j"} in project p', 'ada');
    await refuses(
      'alter job p.j add python task {"name": "x"} with script { print(1) }',
      'You need Developer on repository main.',
      'ada',
    );
    await ok('grant developer on repository main to user ada');
    await ok('alter job p.j add python task {"name": "x"} with script { print(1) }', 'ada');
  });

  it('log granted and denied access', async () => {
    await ok('create table t from sql (select 1 as a); alter table t set {"description": "x"}');
    await failure('select * from t', 'ada');
    await ok('grant use on table t to user ada');
    await refuses('select * from t', 'You need Read on table main.t.', 'ada');
    expect(await dataOf('show activity of table t')).toMatchObject({
      objectType: 'Table',
      objectName: 'main.t',
      activities: [
        { activityType: 'Grant', description: 'Use to user ada' },
        { activityType: 'Alter', description: 'description' },
        { activityType: 'Create', userName: 'root', state: 'Succeeded' },
      ],
    });
    const { events } = (await dataOf('show usage of table t')) as { events: object[] };
    expect(events[0]).toMatchObject({
      userName: 'root',
      eventType: 'Metadata',
      objectType: 'Table',
      schemaName: 'main',
      structureName: 't',
      isSuccess: true,
    });
    await refuses('show usage of table t', 'You need Admin', 'ada');
  });
});

describe('users', () => {
  it('are the accounts of the server', async () => {
    expect(
      await printed(
        'create user {"userName": "eve+1@example.org", "firstName": "Eve"}; ' +
          'alter user eve+1@example.org reset password; disable user eve+1@example.org',
      ),
    ).toContain('Created user eve+1@example.org.');
    expect(on.people.resets).toEqual(['eve+1@example.org']);
    expect((await rows('list users')).filter(([name]) => name === 'eve+1@example.org')).toEqual([
      ['eve+1@example.org', 'Eve', 'Disabled', 'local'],
    ]);
    await refuses(
      'select 1',
      'User eve+1@example.org does not exist or may not sign in.',
      'eve+1@example.org',
    );
    await ok('enable user eve+1@example.org');
    await ok('select 1', 'eve+1@example.org');
    expect(await dataOf('describe user eve+1@example.org')).toMatchObject({
      user: {
        userName: 'eve+1@example.org',
        firstName: 'Eve',
        userStatus: 'Active',
        serviceAccount: false,
      },
    });
    await ok('drop user eve+1@example.org; drop user if exists eve+1@example.org');
    await refuses('drop user root', 'yourself');
    await refuses('create user {"userName": "x"}', 'Only administrators', 'ada');
    await refuses('disable user root', 'Only administrators', 'ada');
    await refuses('alter user root reset password', 'Only administrators', 'ada');
    await ok('alter user ada reset password; alter user ada set {"lastName": "L"}', 'ada');
    await refuses('alter user ada set {"serviceAccount": true}', 'Only administrators', 'ada');
  });
});

describe('secrets', () => {
  it('are stored encrypted and never shown', async () => {
    await ok(
      'create secret {"name": "s", "value": "hush-hush"}; ' +
        'create data source {"name": "lake", "sourceType": "hdfs", "hdfsType": "S3a", "host": ' +
        '"bucket", "credentials": {"credentialType": "awsaccesskey", "accessKeyId": "AK", ' +
        '"secretAccessKey": "hush-key"}}',
    );
    const shown = await ok(
      'describe secret s; describe data source lake; ' +
        'alter secret s set {"description": "d"}; describe secret s; list secrets; ' +
        'show activity of secret s',
    );
    expect(JSON.stringify(shown.outputs)).not.toContain('hush');
    expect(widgetsOf(shown)[1]!.data).toMatchObject({
      dataSource: { name: 'lake', credentialType: 'AwsAccessKey' },
    });
    const stored = readFileSync(join(on.root, 'magpie', 'catalogue.json'), 'utf8');
    expect(stored).not.toContain('hush');
    expect(stored).toContain(Buffer.from('hush-hush').toString('hex'));
    await refuses(
      'create table t from file "x.csv" in data source lake',
      'not available on this server',
    );
  });
});
