/**
 * Checks the promises of the workbench (`promises/*.ts`): every line names existing tests, and
 * every quoted text occurs in them. A renamed or removed test makes this file fail.
 */
import { expect, it } from 'vitest';
import { display } from './promises/display.ts';
import { widgets } from './promises/widgets.ts';
import { workbench } from './promises/workbench.ts';
import { checkPromises, hasTitle, quoted } from './support/promises.ts';

checkPromises(workbench);
checkPromises(display);
checkPromises(widgets);

it('detects a removed title, and a title that only begins inside another', () => {
  expect(hasTitle('test/promises.test.ts', 'detects a removed title')).toBe(true);
  expect(hasTitle('test/promises.test.ts', 'removed title, and')).toBe(false);
  expect(hasTitle('test/promises.test.ts', `detects a title that ${'never'} existed`)).toBe(false);
  expect(quoted('A toast “Set current cluster to: {name}.”, or “None”')).toEqual([
    'Set current cluster to:',
    'None',
  ]);
});

it('has no duplicate lines', () => {
  const all = [workbench, display, widgets].flatMap((table) =>
    Object.entries(table).flatMap(([about, lines]) =>
      lines.map(([promise]) => `${about}: ${promise}`),
    ),
  );
  expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([]);
});
