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
const { ok, failure, textOf, widget, rows, names } = scriptSteps(() => on);

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
      expect(await failure(code, 'bo')).toContain(
        'There is no table t in schema main, or you may not use it.',
      );
    }
    expect(await names('list tables', 'bo')).toEqual([]);
    await ok('grant read on table t to user bo', 'ada');
    expect(await rows('select * from t', 'bo')).toEqual([['1']]);
    expect(await failure('update t set a = 2', 'bo')).toContain('You need Write on table main.t.');
    expect(await failure('delete from t', 'bo')).toContain('You need Write');
    expect(await failure('grant read on table t to user bo', 'bo')).toContain(
      'You need Admin on table main.t.',
    );
    expect(await failure('grant lineage on table t to user bo', 'ada')).toContain(
      'Only administrators of the organization may grant Lineage.',
    );
    await ok('revoke read on table t from user bo', 'ada');
    expect(await failure('select * from t', 'bo')).toContain('There is no table t');
    expect(await rows('select * from t')).toEqual([['1']]);
  });

  it('are inherited from roles until these are dropped', async () => {
    await ok(
      'create table t from sql (select 1 as a); create role {"name": "analyst"}; ' +
        'grant read on table t to role analyst; grant role analyst to user bo',
    );
    expect(await rows('select * from t', 'bo')).toEqual([['1']]);
    expect((await widget('show permissions', 'bo')).data).toMatchObject({
      permissions: expect.arrayContaining([
        expect.objectContaining({
          permissionType: 'Read',
          objectType: 'Table',
          objectName: 'main.t',
          viaRole: 'analyst',
        }),
      ]),
    });
    expect((await widget('describe role analyst')).data).toMatchObject({
      users: [{ userName: 'bo' }],
      permissions: [{ permissionType: 'Read', objectName: 'main.t' }],
    });
    await ok('drop role analyst');
    expect(await failure('select * from t', 'bo')).toContain('There is no table t');
    expect(await failure('create role {"name": "x"}', 'ada')).toContain('Only administrators');
    expect(await failure('grant read on table t to role analyst')).toContain(
      'There is no role analyst.',
    );
    expect(await failure('grant read on table t to user nobody@example.org')).toContain(
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
    expect(await failure('revoke admin on organization local from user ada', 'ada')).toContain(
      'cannot revoke your own Admin',
    );
    await ok('revoke admin on organization local from user ada');
    expect(await failure('create role {"name": "y"}', 'ada')).toContain('Only administrators');
  });

  it('apply to views, profiles, exports and jobs', async () => {
    await ok('create table t from sql (select 1 as a)');
    expect(
      await failure(
        'create table v {"persistenceMapping": {"mappingType": "Virtual", "expression": ' +
          '{"query": "select * from t"}}}',
        'ada',
      ),
    ).toContain('There is no table t');
    expect(await failure('profile sql (select * from t)', 'ada')).toMatch(
      /There is no table t|not available/,
    );
    expect(await failure('export sql (select * from t)', 'ada')).toContain('There is no table t');
    await ok('create project {"name": "p"}; create job {"name": "j"} in project p', 'ada');
    expect(
      await failure('alter job p.j add python task {"name": "x"} with script { print(1) }', 'ada'),
    ).toContain('You need Developer on repository main.');
    await ok('grant developer on repository main to user ada');
    await ok('alter job p.j add python task {"name": "x"} with script { print(1) }', 'ada');
  });

  it('log granted and denied access', async () => {
    await ok('create table t from sql (select 1 as a); alter table t set {"description": "x"}');
    await failure('select * from t', 'ada');
    await ok('grant use on table t to user ada');
    await failure('select * from t', 'ada');
    expect((await widget('show activity of table t')).data).toMatchObject({
      objectType: 'Table',
      objectName: 'main.t',
      activities: [
        { activityType: 'Grant', description: 'Use to user ada' },
        { activityType: 'Alter', description: 'description' },
        { activityType: 'Create', userName: 'root', state: 'Succeeded' },
      ],
    });
    const { events } = (await widget('show usage of table t')).data as { events: object[] };
    expect(events[0]).toMatchObject({
      userName: 'root',
      eventType: 'Metadata',
      objectType: 'Table',
      schemaName: 'main',
      structureName: 't',
      isSuccess: true,
    });
    expect(await failure('show usage of table t', 'ada')).toContain('You need Admin');
  });
});

describe('users', () => {
  it('are the accounts of the server', async () => {
    expect(
      textOf(
        await ok(
          'create user {"userName": "eve+1@example.org", "firstName": "Eve"}; ' +
            'alter user eve+1@example.org reset password; disable user eve+1@example.org',
        ),
      ),
    ).toContain('Created user eve+1@example.org.');
    expect(on.people.resets).toEqual(['eve+1@example.org']);
    expect((await rows('list users')).filter(([name]) => name === 'eve+1@example.org')).toEqual([
      ['eve+1@example.org', 'Eve', 'Disabled', 'local'],
    ]);
    expect(await failure('select 1', 'eve+1@example.org')).toContain(
      'User eve+1@example.org does not exist or may not sign in.',
    );
    await ok('enable user eve+1@example.org');
    await ok('select 1', 'eve+1@example.org');
    expect((await widget('describe user eve+1@example.org')).data).toMatchObject({
      user: {
        userName: 'eve+1@example.org',
        firstName: 'Eve',
        userStatus: 'Active',
        serviceAccount: false,
      },
    });
    await ok('drop user eve+1@example.org; drop user if exists eve+1@example.org');
    expect(await failure('drop user root')).toContain('yourself');
    expect(await failure('create user {"userName": "x"}', 'ada')).toContain('Only administrators');
    expect(await failure('disable user root', 'ada')).toContain('Only administrators');
    expect(await failure('alter user root reset password', 'ada')).toContain('Only administrators');
    await ok('alter user ada reset password; alter user ada set {"lastName": "L"}', 'ada');
    expect(await failure('alter user ada set {"serviceAccount": true}', 'ada')).toContain(
      'Only administrators',
    );
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
    expect(await failure('create table t from file "x.csv" in data source lake')).toContain(
      'not available on this server',
    );
  });
});
