import { expect, test } from 'vitest';
import { outputText } from '../../core/outputs.ts';
import { reduceApplication } from './application-reducer.ts';
import { applicationsOf } from './applications.ts';

const where = { noteId: 'n', paragraphId: 'p', appId: 'app_1' };
const pkg = { type: 'APPLICATION', name: 'counter', artifact: 'counter@1' };
const shown = (paragraph: Parameters<typeof applicationsOf>[0]) =>
  applicationsOf(paragraph).map(({ id, pkg: { name }, status, outputs }) => [
    id,
    name,
    status,
    outputs.map((each) => `${each.type} ${outputText(each)}`),
  ]);

test('an application is loaded, prints, is loaded again, and is removed [D12 D42]', () => {
  let paragraph = reduceApplication({ id: 'p' }, { type: 'APP_LOAD', data: { ...where, pkg } });
  expect(shown(paragraph)).toEqual([['app_1', 'counter', 'LOADING', []]]);
  paragraph = reduceApplication(paragraph, {
    type: 'APP_UPDATE_OUTPUT',
    data: { ...where, index: 1, type: 'HTML', data: '<b>' },
  });
  paragraph = reduceApplication(paragraph, {
    type: 'APP_APPEND_OUTPUT',
    data: { ...where, index: 1, data: '1' },
  });
  paragraph = reduceApplication(paragraph, {
    type: 'APP_STATUS_CHANGE',
    data: { ...where, status: 'LOADED' },
  });
  expect(shown(paragraph)).toEqual([['app_1', 'counter', 'LOADED', ['TEXT ', 'HTML <b>1']]]);
  expect(applicationsOf(paragraph)).toBe(applicationsOf(paragraph));
  expect(
    shown(reduceApplication(paragraph, { type: 'APP_LOAD', data: { ...where, pkg } })),
  ).toEqual([['app_1', 'counter', 'LOADING', []]]);
  expect(
    shown(
      reduceApplication(paragraph, {
        type: 'APP_STATUS_CHANGE',
        data: { ...where, status: 'UNLOADED' },
      }),
    ),
  ).toEqual([]);
});

test('events before the application was loaded count, and invalid applications are ignored', () => {
  const early = reduceApplication(
    { id: 'p', apps: [null, 5, { name: 'x' }, { id: 'old', status: 'UNLOADED' }] },
    { type: 'APP_UPDATE_OUTPUT', data: { ...where, data: 'first' } },
  );
  expect(shown(early)).toEqual([['app_1', 'app_1', 'LOADING', ['TEXT first']]]);
  expect(
    shown(
      reduceApplication(early, {
        type: 'APP_UPDATE_OUTPUT',
        data: { ...where, index: 1e9, data: 'far' },
      }),
    ),
  ).toEqual(shown(early));
  expect(applicationsOf({})).toEqual([]);
});
