import { check, same } from '../result/test-support.tsx';
import {
  changeOf,
  type Draft,
  draftOf,
  isEdited,
  nameProblem,
  newDraft,
  numberText,
  rowProblem,
  withGroup,
  withNewDependency,
  withNewProperty,
} from './draft.ts';
import { matchesSetting, runSentence, runShort, settingMagics } from './setting-text.ts';
import { setting } from './test-server.ts';

describe('the form of an interpreter setting', () => {
  const stored = setting('sql', {
    properties: {
      rows: { name: 'rows', value: 10, type: 'number', description: 'how many' },
      on: { name: 'on', value: true, type: 'checkbox' },
      old: 'bare',
      secret: { name: 'secret', value: '********', type: 'password' },
    },
    dependencies: [
      { groupArtifactVersion: 'a:b:1', local: false, exclusions: ['c:d'] },
      { groupArtifactVersion: '/lib/x.jar', local: true },
    ],
    option: { remote: true, port: -1, perNote: 'scoped', perUser: '', own: 'kept' },
  });

  it('returns what it was given [W68]', () => {
    const { option, properties, dependencies } = changeOf(draftOf(stored), true);
    same(option, stored.option);
    same(dependencies, stored.dependencies);
    same(properties, {
      rows: { name: 'rows', value: 10, type: 'number', description: 'how many' },
      on: { name: 'on', value: true, type: 'checkbox' },
      old: { name: 'old', value: 'bare', type: 'string' },
      secret: { name: 'secret', value: '********', type: 'password' },
    });
    check(!isEdited(draftOf(stored), draftOf(stored)), 'nothing differs');
  });

  it("includes unfinished last rows, and reports those it can't include", () => {
    const draft: Draft = {
      ...draftOf(stored),
      newProperty: { name: ' more ', value: '1', type: 'string' },
      newDependency: { artifact: 'e:f:2', exclude: ' g:h ,, i:j' },
    };
    same(rowProblem(draft), undefined);
    const { properties, dependencies } = changeOf(draft, true);
    same(properties?.['more'], { name: 'more', value: '1', type: 'string' });
    same(dependencies?.[2], { groupArtifactVersion: 'e:f:2', exclusions: ['g:h', 'i:j'] });
    same(withNewDependency(withNewProperty(draft)).newProperty.name, '');
    same(
      rowProblem({ ...draft, newProperty: { name: '', value: 'x', type: 'string' } }),
      'The new property has a value but no name.',
    );
    same(
      rowProblem({ ...draft, newProperty: { name: 'rows', value: 'x', type: 'string' } }),
      'A property named rows already exists.',
    );
    same(
      rowProblem({ ...draft, newDependency: { artifact: '', exclude: 'x:y' } }),
      'The new dependency has an exclusion but no artifact.',
    );
  });

  it('sends impersonation only where it is possible [W67]', () => {
    const impersonating = (perUser: string): Draft => ({
      ...draftOf(stored),
      option: { perNote: 'shared', perUser, isUserImpersonate: true },
    });
    same(changeOf(impersonating('isolated'), true).option?.['isUserImpersonate'], true);
    same(changeOf(impersonating('scoped'), true).option?.['isUserImpersonate'], false);
    same(changeOf(impersonating('isolated'), false).option?.['isUserImpersonate'], false);
  });

  it('has the properties of the selected group and keeps those added by hand', () => {
    const own = withNewProperty({
      ...newDraft(),
      newProperty: { name: 'own', value: 'x', type: 'string' },
    });
    const first = withGroup({ ...newDraft(), ...own }, 'a', {
      properties: {
        p: { defaultValue: 'true', type: 'checkbox', description: 'd' },
        q: { defaultValue: null },
      },
    });
    same(
      first.properties.map(({ name, value, type }) => [name, value, type]),
      [
        ['p', true, 'checkbox'],
        ['q', '', 'string'],
        ['own', 'x', 'string'],
      ],
    );
    same(
      withGroup(first, 'b', {
        properties: { r: { defaultValue: 3, type: 'number' } },
      }).properties.map(({ name, value }) => [name, value]),
      [
        ['r', '3'],
        ['own', 'x'],
      ],
    );
    same(changeOf(first, true).option?.['remote'], true);
  });

  it('has the run mode of the selected group, if its template has one', () => {
    const option = { perNote: 'isolated', perUser: '' };
    const own = withGroup(newDraft(), 'python', { option });
    same(
      [own.option.perNote, own.option.perUser, own.option.session, own.option.process],
      ['isolated', '', false, true],
    );
    same(own.option.remote, true);
    same(withGroup(newDraft(), 'md', { option: { remote: true } }).option, newDraft().option);
  });

  it('requires a valid name [W75 W76]', () => {
    const named = (name: string, group = 'sql') =>
      nameProblem({ ...newDraft(), name, group }, ['taken']);
    same(
      [named(''), named('x', ''), named('a.b'), named(' taken '), named('fine')],
      [
        'Please fill in interpreter name and choose a group',
        'Please fill in interpreter name and choose a group',
        "'.' is invalid for interpreter name",
        'Name taken already exists',
        undefined,
      ],
    );
    same(numberText('1e-3,5 x.'), '1-35.');
  });

  it('describes how a setting runs, also for signed-in users [W66]', () => {
    const both = { perNote: 'isolated', perUser: 'scoped' };
    same(
      runSentence(both, true),
      'The interpreter will be instantiated Per User in scoped process And Per Note in ' +
        'isolated process',
    );
    same(
      runSentence(both, false),
      'The interpreter will be instantiated Per Note in isolated process',
    );
    same(
      [runShort({}, true), runShort({ perNote: 'scoped' }, true), runShort(both, true)],
      ['Globally', 'Per Note, scoped', 'Per User, scoped'],
    );
  });

  it('is found by name, group and magic prefix', () => {
    const spark = setting('big', {
      group: 'spark',
      interpreterGroup: [
        { name: 'spark', class: 'a', defaultInterpreter: true },
        { name: 'sql', class: 'b' },
      ],
    });
    same(settingMagics(spark), ['%big', '%big.sql']);
    same(settingMagics({ id: 'x', name: 'x' }), ['%x']);
    same(
      ['BIG', ' spark', '.sql', 'zzz', ''].map((term) => matchesSetting(spark, term)),
      [true, true, true, false, true],
    );
  });
});
