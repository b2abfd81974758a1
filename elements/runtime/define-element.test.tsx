import { createElement, useEffect, useState } from 'react';
import { check, mount, press, same, until } from '../result/test-kit.tsx';
import { elementClass, tell, type ElementSpec, type ViewProps } from './define-element.ts';
import { complaints, frames, liveRoots } from './test-complaints.ts';

type Probe = HTMLElement & {
  label?: string | undefined;
  maxCount?: number | undefined;
  open: boolean;
  data?: unknown;
};

let mounts = 0;
let unmounts = 0;
const seen: Readonly<Record<string, unknown>>[] = [];

/** Shows its properties, keeps a state, and tells of a click. */
function ProbeView({ host, values }: ViewProps) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    mounts += 1;
    return () => void (unmounts += 1);
  }, []);
  seen.push(values);
  const { label, maxCount, open } = values as Partial<Probe>;
  return (
    <div className="probe">
      <output>{JSON.stringify({ label, maxCount, open })}</output>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <button
        type="button"
        className="tell"
        onClick={() =>
          (host.dataset['answer'] = String(tell(host, 'tiding-probe-told', { count })))
        }
      >
        tell
      </button>
      <input />
      <span
        tabIndex={0}
        className="taker"
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <slot />
    </div>
  );
}

const probe: ElementSpec = {
  tag: 'tiding-probe',
  doc: 'For tests.',
  view: ProbeView,
  properties: {
    label: { kind: 'string', doc: 'A text.' },
    maxCount: { kind: 'number', doc: 'A number.' },
    open: { kind: 'boolean', doc: 'A switch.' },
    data: { kind: 'object', doc: 'Anything.' },
  },
  events: [{ name: 'tiding-probe-told', doc: 'For tests.' }],
};

describe('an element', () => {
  const heard = complaints();
  const roots = liveRoots();
  const made: Element[] = [];
  const make = (
    html = '<tiding-probe></tiding-probe>',
    parent: ParentNode & Node = document.body,
  ): Probe => {
    const box = document.createElement('div');
    box.innerHTML = html;
    const element = box.firstElementChild as Probe;
    made.push(element);
    parent.appendChild(element);
    return element;
  };
  const find = <Found extends Element = HTMLElement>(element: Element, selector: string) =>
    element.shadowRoot!.querySelector<Found>(selector)!;
  const shown = (element: Element) =>
    JSON.parse(find(element, 'output').textContent!) as Partial<Probe>;
  const ready = (element: Element) => until(() => find(element, 'output'), 'the view');

  // Made and filled before anybody has defined the element.
  const early = document.createElement('tiding-probe') as Probe;
  const payload = { cyclic: {} as unknown };
  payload.cyclic = payload;
  Object.assign(early, { label: 'early', open: true, data: payload });
  early.setAttribute('max-count', '7');
  document.body.append(early);

  before(() => customElements.define(probe.tag, elementClass(probe)));
  afterEach(() => {
    for (const element of made.splice(0)) element.remove();
  });
  after(() => {
    early.remove();
    same(heard, [], 'complaints');
  });

  it('keeps the properties that were set before it was defined', async () => {
    await ready(early);
    same(shown(early), { label: 'early', maxCount: 7, open: true });
    check(
      early.data === payload && seen.some(({ data }) => data === payload),
      'the object is another',
    );
    check(
      !Object.hasOwn(early, 'label') && !Object.hasOwn(early, 'data'),
      'a property of its own hides the accessor',
    );
    early.label = 'later';
    await until(() => shown(early).label === 'later', 'a change after the upgrade');
  });

  it('reads a boolean attribute by its presence', async () => {
    const element = make('<tiding-probe open></tiding-probe>');
    await ready(element);
    same([element.open, shown(element).open], [true, true]);
    element.removeAttribute('open');
    await until(() => shown(element).open === false, 'its removal');
    for (const text of ['', 'open', 'true', 'no']) {
      element.setAttribute('open', text);
      same(element.open, true, `open="${text}"`);
    }
    // What frameworks write that set attributes alone.
    element.setAttribute('open', 'false');
    same(element.open, false);
    Object.assign(element, { open: 1 });
    same(element.open, true);
    same(make().open, false);
  });

  it('clears a property with its attribute', async () => {
    const element = make('<tiding-probe label="x" max-count="3"></tiding-probe>');
    await ready(element);
    same([element.label, element.maxCount], ['x', 3]);
    element.removeAttribute('label');
    element.removeAttribute('max-count');
    check(element.label === undefined && element.maxCount === undefined, 'a property is left');
    await until(() => !('label' in shown(element)) && !('maxCount' in shown(element)), 'the view');
  });

  it('passes an object on as it is, and never as an attribute', async () => {
    const element = make();
    await ready(element);
    element.data = payload;
    await until(() => seen.at(-1)?.['data'] === payload, 'the object');
    check(element.data === payload, 'the property is another object');
    element.label = 'x';
    element.maxCount = 2;
    element.open = true;
    await until(() => shown(element).label === 'x', 'the properties');
    same(element.getAttributeNames(), [], 'attributes');
    element.setAttribute('data', '{"from":"markup"}');
    await frames();
    check(element.data === payload, 'an attribute became an object');
  });

  it('renders once for several properties, and not at all for the same one', async () => {
    const element = make();
    await ready(element);
    await frames();
    const before = seen.length;
    Object.assign(element, { label: 'a', maxCount: 1, open: true });
    await until(() => shown(element).label === 'a', 'the properties');
    same(seen.length - before, 1, 'renders');
    element.label = 'a';
    await frames();
    same(seen.length - before, 1, 'renders of the same');
  });

  it('keeps its state when it is moved', async () => {
    const element = make();
    await ready(element);
    const button = find(element, 'button');
    button.click();
    await until(() => button.textContent === '1', 'the count');
    const [mounted, gone] = [mounts, unmounts];
    const other = document.body.appendChild(document.createElement('section'));
    made.push(other);
    other.append(element);
    other.prepend(element);
    document.body.insertBefore(element, document.body.firstChild);
    await frames();
    check(
      find(element, 'button') === button && button.textContent === '1',
      'the view started again',
    );
    same([mounts, unmounts], [mounted, gone], 'mounts');
  });

  it('starts anew when it comes back after it was gone, with its properties', async () => {
    const element = make('<tiding-probe label="x"></tiding-probe>');
    await ready(element);
    find(element, 'button').click();
    await until(() => find(element, 'button').textContent === '1', 'the count');
    element.remove();
    await frames();
    same(element.shadowRoot!.childElementCount, 0, 'left in the shadow root');
    element.label = 'while away';
    document.body.append(element);
    await ready(element);
    same([find(element, 'button').textContent, shown(element).label], ['0', 'while away']);
  });

  it('leaves no root behind when it is put in and taken out 200 times', async () => {
    await frames();
    const before = roots.size;
    const [mounted, gone] = [mounts, unmounts];
    for (let n = 0; n < 200; n += 1) {
      const element = make();
      if (n % 3 === 0) await frames();
      element.remove();
    }
    await frames();
    await frames();
    same(roots.size, before, 'roots');
    same(mounts - mounted, unmounts - gone, 'mounts and unmounts');
  });

  it('tells of what happens by an event that bubbles, leaves shadow roots, and can be prevented', async () => {
    const outer = document.body.appendChild(document.createElement('div'));
    made.push(outer);
    const element = make('<tiding-probe></tiding-probe>', outer.attachShadow({ mode: 'open' }));
    await ready(element);
    const events: CustomEvent[] = [];
    let prevent = false;
    const listen = (event: Event) => {
      events.push(event as CustomEvent);
      if (prevent) event.preventDefault();
    };
    document.addEventListener('tiding-probe-told', listen);
    find(element, '.tell').click();
    same(element.dataset['answer'], 'true');
    prevent = true;
    find(element, '.tell').click();
    same(element.dataset['answer'], 'false');
    document.removeEventListener('tiding-probe-told', listen);
    same(
      events.map(({ type, bubbles, composed, cancelable, detail }) => [
        type,
        bubbles,
        composed,
        cancelable,
        detail as unknown,
      ]),
      Array(2).fill(['tiding-probe-told', true, true, true, { count: 0 }]),
    );
    check(events[0]!.target === outer, 'the page sees into the shadow root');
  });

  it('keeps the keys that are typed or taken in it, and lets the others go on to the page', async () => {
    const element = make('<tiding-probe><input class="of-the-page"></tiding-probe>');
    await ready(element);
    const keys: string[] = [];
    const listen = ({ key }: KeyboardEvent) => keys.push(key);
    document.addEventListener('keydown', listen);
    press(find(element, 'input'), 'h');
    press(find(element, '.taker'), 'Enter');
    same(keys, [], 'keys on the page');
    press(find(element, 'input'), 'Escape');
    press(find(element, 'input'), 's', { ctrlKey: true });
    press(find(element, '.taker'), 'h');
    press(element.querySelector('.of-the-page')!, 'x');
    document.removeEventListener('keydown', listen);
    same(keys, ['Escape', 's', 'h', 'x']);
  });

  it('takes properties and events from a React tree as any element does', async () => {
    const tell_ = { detail: undefined as unknown };
    const { root, render, remove } = mount(
      createElement('tiding-probe', {
        label: 'inside',
        data: payload,
        open: true,
        'ontiding-probe-told': (event: CustomEvent) => (tell_.detail = event.detail),
      }),
      [],
    );
    const element = await until(() => root.querySelector<Probe>('tiding-probe'), 'the element');
    await ready(element);
    same(shown(element), { label: 'inside', open: true });
    check(element.data === payload, 'the object is another');
    find(element, '.tell').click();
    same(tell_.detail, { count: 0 });
    render(createElement('tiding-probe', { open: false }));
    await until(() => shown(element).open === false, 'the change');
    remove();
  });
});
