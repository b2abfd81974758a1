import { useState } from 'react';
import { check, mount, press, same, until, type Mounted } from '../result/test-kit.tsx';
import { HostContext } from '../runtime/hooks.ts';
import { complaints } from '../runtime/test-complaints.ts';
import { PrincipalField } from './principal-field.tsx';
import { type } from './test-calls.ts';

describe('the field for users and roles', () => {
  const heard = complaints();
  let shown: Mounted;
  let asked: string[];
  let names: readonly string[];
  const field = () => shown.find<HTMLInputElement>('input:not([aria-hidden])');
  const { setTimeout: set } = window;

  function Form({ atLeast, failing }: { atLeast: number; failing: boolean }) {
    const [value, setValue] = useState<readonly string[]>([]);
    names = value;
    return (
      <HostContext value={shown.host}>
        <PrincipalField
          label="Owners"
          value={value}
          onChange={setValue}
          atLeast={atLeast}
          delay={250}
          suggest={(term) => (
            asked.push(term),
            failing
              ? Promise.reject(new Error('no'))
              : Promise.resolve({ users: ['ann', 'anna'], roles: ['annual'] })
          )}
        />
      </HostContext>
    );
  }
  const open = async (atLeast: number, failing = false) => {
    asked = [];
    shown = mount(null, []);
    shown.render(<Form atLeast={atLeast} failing={failing} />);
    await until(field, 'the field');
    field().focus();
  };
  afterEach(() => {
    window.setTimeout = set;
    shown.remove();
  });
  after(() => same(heard, [], 'complaints'));

  it('asks from the third letter on, 250 ms after the last key, and has users and roles apart', async () => {
    const delays: number[] = [];
    await open(3);
    window.setTimeout = ((act: () => void, ms?: number) => (
      ms === 250 && delays.push(ms), set(act, ms)
    )) as typeof setTimeout;
    type(field(), 'an');
    await new Promise(requestAnimationFrame);
    same(delays, [], 'two letters ask for nothing');
    type(field(), 'ann');
    type(field(), 'anna');
    await until(() => asked.length > 0, 'the question');
    same([asked, delays.length > 0], [['anna'], true]);
    await until(() => shown.all('[role=option]').length === 3, 'the suggestions');
    same(
      shown.all('.menu-heading').map(({ textContent }) => textContent),
      ['Users :', 'Roles :'],
    );
    check(
      !shown.root.querySelector('[aria-label="Dismiss"]') &&
        shown.root.querySelector('[aria-label="Close the suggestions"]'),
      'a button has a name that is not in the table of texts',
    );
    shown.all('[role=option]')[2]!.click();
    await until(() => names.join() === 'annual', 'the role');
  });

  it('takes several names at once, apart by commas and blanks', async () => {
    await open(1);
    type(field(), 'ann,bob carl,,ann ');
    await until(() => names.join() === 'ann,bob,carl', `the names, instead of ${names.join()}`);
    type(field(), 'dora');
    press(field(), 'Enter');
    await until(
      () => names.join() === 'ann,bob,carl,dora',
      `the last name, instead of ${names.join()}`,
    );
  });

  it('suggests nothing where nobody can be asked, and takes what is typed', async () => {
    await open(1, true);
    type(field(), 'x');
    await until(() => asked.length === 1, 'the question');
    same(shown.all('[role=option]').length, 0);
    type(field(), 'x,');
    await until(() => names.join() === 'x', 'the name');
  });
});
