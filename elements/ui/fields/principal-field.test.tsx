import { useState } from 'react';
import {
  check,
  type Mounted,
  mount,
  press,
  same,
  type,
  waitUntil,
} from '../../result/test-support.tsx';
import { HostContext } from '../../runtime/hooks.ts';
import { PrincipalField } from './principal-field.tsx';

describe('the field for users and roles', () => {
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
    await waitUntil(field, 'the field');
    field().focus();
  };
  afterEach(() => {
    window.setTimeout = set;
  });

  it('requests suggestions from three letters on, 250 ms after the last key [W74]', async () => {
    const delays: number[] = [];
    await open(3);
    window.setTimeout = ((act: () => void, ms?: number) => (
      ms === 250 && delays.push(ms), set(act, ms)
    )) as typeof setTimeout;
    type(field(), 'an');
    await new Promise(requestAnimationFrame);
    same(delays, [], 'no request for two letters');
    type(field(), 'ann');
    type(field(), 'anna');
    await waitUntil(() => asked.length > 0, 'the question');
    same([asked, delays.length > 0], [['anna'], true]);
    await waitUntil(() => shown.all('[role=option]').length === 3, 'the suggestions');
    same(
      shown.all('.menu-heading').map(({ textContent }) => textContent),
      ['Users :', 'Roles :'],
    );
    check(
      !shown.root.querySelector('[aria-label="Dismiss"]') &&
        shown.root.querySelector('[aria-label="Close suggestions"]'),
      'a button name is not in the text table',
    );
    shown.all('[role=option]')[2]!.click();
    await waitUntil(() => names.join() === 'annual', 'the role');
  });

  it('accepts several names separated by commas or spaces [W73]', async () => {
    await open(1);
    type(field(), 'ann,bob carl,,ann ');
    await waitUntil(() => names.join() === 'ann,bob,carl', `the names, instead of ${names.join()}`);
    type(field(), 'dora');
    press(field(), 'Enter');
    await waitUntil(
      () => names.join() === 'ann,bob,carl,dora',
      `the last name, instead of ${names.join()}`,
    );
  });

  it('keeps all names and what is typed on Escape, which only closes the list', async () => {
    await open(1);
    const escapes: boolean[] = [];
    shown.host.addEventListener('keydown', ({ key }) => escapes.push(key === 'Escape'));
    type(field(), 'bob carl ');
    await waitUntil(() => names.length === 2, 'the names');
    press(field(), 'Escape');
    await new Promise(requestAnimationFrame);
    same([names, escapes], [['bob', 'carl'], [true]], 'a page that closes on Escape can do so');
    type(field(), 'ann');
    await waitUntil(() => shown.all('[role=option]').length === 3, 'the suggestions');
    press(field(), 'Escape');
    await waitUntil(() => shown.all('[role=option]').length === 0, 'the list to close');
    press(field(), 'Escape');
    await new Promise(requestAnimationFrame);
    same([names, field().value], [['bob', 'carl'], 'ann']);
  });

  it("accepts any text without suggestions if they can't be loaded [W107]", async () => {
    await open(1, true);
    type(field(), 'x');
    await waitUntil(() => asked.length === 1, 'the question');
    same(shown.all('[role=option]').length, 0);
    type(field(), 'x,');
    await waitUntil(() => names.join() === 'x', 'the name');
  });
});
