import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasAnyRole,
  hasRole,
  isAnonymous,
  isOwner,
  isReader,
  isRunner,
  isWriter,
  parseRoles,
  screenUsername,
} from './permissions.ts';

const lists = { owners: ['ana'], writers: ['wil'], runners: ['rune', 'ops'], readers: ['rea'] };
const rights = (principal: string, roles: string[] = [], permissions = lists): string =>
  [isOwner, isWriter, isRunner, isReader]
    .map((may, index) => (may(permissions, { principal, roles }) ? 'owrd'[index] : '-'))
    .join('');

describe('permissions', () => {
  test.each([
    ['ana', [], 'owrd'],
    ['wil', [], '-wrd'],
    ['rune', [], '--rd'],
    ['rea', [], '---d'],
    ['eve', [], '----'],
    ['eve', ['ops'], '--rd'],
    ['eve', ['ana'], 'owrd'],
    ['eve', ['notebook_admin'], 'owrd'],
    ['notebook_admin', [], '----'],
    ['ana', ['ops'], 'owrd'],
    ['', [], '----'],
  ])('%s with roles %j: %s [W85]', (principal, roles, expected) =>
    expect(rights(principal, roles)).toBe(expected),
  );

  test('an empty list means everybody; a stronger permission includes the weaker [W85]', () => {
    expect(rights('eve', [], { ...lists, readers: [] })).toBe('---d');
    expect(rights('eve', [], { ...lists, runners: [] })).toBe('--rd');
    expect(rights('eve', [], { ...lists, writers: [] })).toBe('-wrd');
    expect(rights('eve', [], { ...lists, owners: [] })).toBe('owrd');
  });

  test('every permission implies the weaker ones, for any lists', () => {
    const people = fc.subarray(['a', 'b', 'c', 'r']);
    const permissions = fc.record({
      owners: people,
      writers: people,
      runners: people,
      readers: people,
    });
    fc.assert(
      fc.property(
        permissions,
        fc.constantFrom('a', 'b', 'c', 'd'),
        fc.subarray(['r', 'notebook_admin']),
        (given, principal, roles) => {
          expect(rights(principal, roles, given)).toMatch(/^(owrd|-wrd|--rd|---d|----)$/);
        },
      ),
    );
  });
});

describe('roles', () => {
  test.each([
    ['["role1","magpie.AccessToken"]', ['role1', 'magpie.AccessToken']],
    ['[]', []],
    ['', []],
    [undefined, []],
    ['{"a":1}', []],
    ['["a",1,null]', ['a']],
    ['"admin"', []],
  ])('%j contains %j [W37 W84]', (text, roles) => expect(parseRoles(text)).toEqual(roles));

  test('are compared exactly [W84]', () => {
    const roles = ['global.SuperAdmin', 'magpie.OrganizationAdmin'];
    expect(hasRole(roles, 'global.SuperAdmin')).toBe(true);
    expect(hasRole(roles, 'SuperAdmin')).toBe(false);
    expect(hasRole(roles, 'global.superadmin')).toBe(false);
    expect(hasAnyRole(roles, ['x', 'magpie.OrganizationAdmin'])).toBe(true);
    expect(hasAnyRole(roles, ['x'])).toBe(false);
    expect(hasAnyRole(roles, [])).toBe(false);
  });
});

test.each([
  ['ana', 'ana'],
  ['#Pac4j{id=7, name=Ana Lopez, mail=a@x}', 'Ana Lopez'],
  ['#Pac4j{id=7, name=, mail=a@x}', ''],
  ['#Pac4j{name=Ana}', '#Pac4j{name=Ana}'],
  ['x#Pac4j, name=Ana,', 'x#Pac4j, name=Ana,'],
])('%s is shown as %s [W36]', (principal, name) => expect(screenUsername(principal)).toBe(name));

test('nobody is signed in as anonymous or without a name [W37]', () => {
  expect(
    ['anonymous', '', ' ', undefined, 'ana', 'Anonymous'].map((principal) =>
      isAnonymous(principal),
    ),
  ).toEqual([true, true, true, true, false, false]);
});
