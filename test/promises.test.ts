/**
 * What the workbench promises, word for word where it says something, and the tests that show each line: `promises/*.ts`.
 * A test that is renamed or removed is missed here, and a text that no test has any more.
 */
import { expect, it } from 'vitest';
import { display } from './promises/display.ts';
import { widgets } from './promises/widgets.ts';
import { workbench } from './promises/workbench.ts';
import { hasTitle, holdToTests, quoted } from './support/promises.ts';

holdToTests(workbench);
holdToTests(display);
holdToTests(widgets);

it('a title that is gone, and one that only begins inside of another, are missed', () => {
  expect(hasTitle('test/promises.test.ts', 'a title that is gone')).toBe(true);
  expect(hasTitle('test/promises.test.ts', 'title that is gone')).toBe(false);
  expect(hasTitle('test/promises.test.ts', `a title that ${'never'} was`)).toBe(false);
  expect(quoted('A toast “Set current cluster to: {name}.”, or “None”')).toEqual([
    'Set current cluster to:',
    'None',
  ]);
});

it('no line stands twice', () => {
  const all = [workbench, display, widgets].flatMap((table) =>
    Object.entries(table).flatMap(([about, lines]) =>
      lines.map(([promise]) => `${about}: ${promise}`),
    ),
  );
  expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([]);
});
