import { expect, test } from 'vitest';
import { outputText } from './outputs.ts';
import { applicationsOf, receiveApplication } from './apps.ts';

const where = { noteId: 'n', paragraphId: 'p', appId: 'app_1' };
const pkg = { type: 'APPLICATION', name: 'counter', artifact: 'counter@1' };
const shown = (paragraph: Parameters<typeof applicationsOf>[0]) =>
  applicationsOf(paragraph).map(({ id, pkg: { name }, status, outputs }) => [
    id,
    name,
    status,
    outputs.map((each) => `${each.type} ${outputText(each)}`),
  ]);

test('an application is loaded, prints, is loaded anew, and goes', () => {
  let paragraph = receiveApplication({ id: 'p' }, { type: 'APP_LOAD', data: { ...where, pkg } });
  expect(shown(paragraph)).toEqual([['app_1', 'counter', 'LOADING', []]]);
  paragraph = receiveApplication(paragraph, {
    type: 'APP_UPDATE_OUTPUT',
    data: { ...where, index: 1, type: 'HTML', data: '<b>' },
  });
  paragraph = receiveApplication(paragraph, {
    type: 'APP_APPEND_OUTPUT',
    data: { ...where, index: 1, data: '1' },
  });
  paragraph = receiveApplication(paragraph, {
    type: 'APP_STATUS_CHANGE',
    data: { ...where, status: 'LOADED' },
  });
  expect(shown(paragraph)).toEqual([['app_1', 'counter', 'LOADED', ['TEXT ', 'HTML <b>1']]]);
  expect(applicationsOf(paragraph)).toBe(applicationsOf(paragraph));
  expect(
    shown(receiveApplication(paragraph, { type: 'APP_LOAD', data: { ...where, pkg } })),
  ).toEqual([['app_1', 'counter', 'LOADING', []]]);
  expect(
    shown(
      receiveApplication(paragraph, {
        type: 'APP_STATUS_CHANGE',
        data: { ...where, status: 'UNLOADED' },
      }),
    ),
  ).toEqual([]);
});

test('what is told before it was loaded counts, and what is no application does not', () => {
  const early = receiveApplication(
    { id: 'p', apps: [null, 5, { name: 'x' }, { id: 'old', status: 'UNLOADED' }] },
    { type: 'APP_UPDATE_OUTPUT', data: { ...where, data: 'first' } },
  );
  expect(shown(early)).toEqual([['app_1', 'app_1', 'LOADING', ['TEXT first']]]);
  expect(
    shown(
      receiveApplication(early, {
        type: 'APP_UPDATE_OUTPUT',
        data: { ...where, index: 1e9, data: 'far' },
      }),
    ),
  ).toEqual(shown(early));
  expect(applicationsOf({})).toEqual([]);
});
