import { createElement, useEffect, useMemo, useState } from 'react';
import { elementClass } from '../element-class.ts';
import { check, mount, press, same, waitUntil } from '../result/test-support.tsx';
import { commonTexts } from '../text/common.ts';
import { errors } from '../ui/testing/test-setup.ts';
import { type ElementSpec, emitEvent, type ViewProps } from './define-element.ts';
import { useMethods } from './methods.ts';
import { frames, liveRoots } from './test-page-errors.ts';

type Probe = HTMLElement & {
  label?: string | undefined;
  maxCount?: number | undefined;
  open: boolean;
  data?: unknown;
  add(more: number): Promise<number>;
  mayLeave(): Promise<boolean>;
};

let mounts = 0;
let unmounts = 0;
const seen: Readonly<Record<string, unknown>>[] = [];

/** A view that shows its properties, keeps state, and emits an event on click. */
function ProbeView({ host, values }: ViewProps) {
  const [count, setCount] = useState(0);
  const methods = useMemo(
    () => ({ add: async (more: number) => count + more, mayLeave: async () => false }),
    [count],
  );
  useMethods(host, methods);
  useEffect(() => {
    mounts += 1;
    return () => void (unmounts += 1);
  }, []);
  seen.push(values);
  const { label, maxCount, open } = values as Partial<Probe>;
  if (label === 'broken') throw new Error('broken on purpose');
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
          (host.dataset['answer'] = String(emitEvent(host, 'tiding-resize', { height: count })))
        }
      >
        tell
      </button>
      <input />
      <span
        role="textbox"
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
  events: [{ name: 'tiding-resize', doc: 'For tests.' }],
  methods: [
    { name: 'add', parameters: 'more: number', returns: 'Promise<number>', doc: 'Adds.' },
    { name: 'mayLeave', returns: 'Promise<boolean>', withoutView: true, doc: 'Asks.' },
  ],
};

describe('a custom element', () => {
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
  const ready = (element: Element) => waitUntil(() => find(element, 'output'), 'the view');

  // Created and given properties before the element is defined.
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
  });

  it('keeps properties that were set before it was defined', async () => {
    await ready(early);
    same(shown(early), { label: 'early', maxCount: 7, open: true });
    check(
      early.data === payload && seen.some(({ data }) => data === payload),
      'the object has changed',
    );
    check(
      !Object.hasOwn(early, 'label') && !Object.hasOwn(early, 'data'),
      'an own property hides the accessor',
    );
    early.label = 'later';
    await waitUntil(() => shown(early).label === 'later', 'a change after the upgrade');
  });

  it('reads a boolean attribute by its presence', async () => {
    const element = make('<tiding-probe open></tiding-probe>');
    await ready(element);
    same([element.open, shown(element).open], [true, true]);
    element.removeAttribute('open');
    await waitUntil(() => shown(element).open === false, 'its removal');
    for (const text of ['', 'open', 'true', 'no']) {
      element.setAttribute('open', text);
      same(element.open, true, `open="${text}"`);
    }
    // Written by frameworks that only set attributes.
    element.setAttribute('open', 'false');
    same(element.open, false);
    Object.assign(element, { open: 1 });
    same(element.open, true);
    same(make().open, false);
  });

  it('clears a property when its attribute is removed', async () => {
    const element = make('<tiding-probe label="x" max-count="3"></tiding-probe>');
    await ready(element);
    same([element.label, element.maxCount], ['x', 3]);
    element.removeAttribute('label');
    element.removeAttribute('max-count');
    check(element.label === undefined && element.maxCount === undefined, 'a property remains');
    await waitUntil(
      () => !('label' in shown(element)) && !('maxCount' in shown(element)),
      'the view',
    );
  });

  it('passes objects by reference, never as an attribute', async () => {
    const element = make();
    await ready(element);
    element.data = payload;
    await waitUntil(() => seen.at(-1)?.['data'] === payload, 'the object');
    check(element.data === payload, 'the property has changed');
    element.label = 'x';
    element.maxCount = 2;
    element.open = true;
    await waitUntil(() => shown(element).label === 'x', 'the properties');
    same(element.getAttributeNames(), [], 'attributes');
    element.setAttribute('data', '{"from":"markup"}');
    await frames();
    check(element.data === payload, 'an attribute became an object');
  });

  it('renders once for several changed properties, never for unchanged ones', async () => {
    const element = make();
    await ready(element);
    await frames();
    const before = seen.length;
    Object.assign(element, { label: 'a', maxCount: 1, open: true });
    await waitUntil(() => shown(element).label === 'a', 'the properties');
    same(seen.length - before, 1, 'renders');
    element.label = 'a';
    await frames();
    same(seen.length - before, 1, 'renders for the same value');
  });

  it('keeps its state when it is moved', async () => {
    const element = make();
    await ready(element);
    const button = find(element, 'button');
    button.click();
    await waitUntil(() => button.textContent === '1', 'the count');
    const [mounted, gone] = [mounts, unmounts];
    const other = document.body.appendChild(document.createElement('section'));
    made.push(other);
    other.append(element);
    other.prepend(element);
    document.body.insertBefore(element, document.body.firstChild);
    await frames();
    check(
      find(element, 'button') === button && button.textContent === '1',
      'the view was remounted',
    );
    same([mounts, unmounts], [mounted, gone], 'mounts');
  });

  it('has its style sheets in another document', async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const element = document.createElement('tiding-probe') as Probe;
    element.label = 'moved';
    document.body.append(element);
    const shown = () => element.shadowRoot!.querySelector('output')?.textContent ?? '';
    await waitUntil(() => shown().includes('moved'), 'the view');
    const { length } = element.shadowRoot!.adoptedStyleSheets;
    for (const place of [frame.contentDocument!.body, document.body]) {
      place.append(element);
      await waitUntil(() => shown().includes('moved'), 'the view in another document');
      same(element.shadowRoot!.adoptedStyleSheets.length, length);
    }
    element.remove();
    frame.remove();
  });

  it('has its methods before its view, which then answers the calls', async () => {
    const element = document.createElement('tiding-probe') as Probe;
    made.push(element);
    const waiting = element.add(2);
    same(await element.mayLeave(), true, 'without a view');
    document.body.append(element);
    same(await waiting, 2);
    same(await element.mayLeave(), false);
    find(element, 'button').click();
    await waitUntil(() => find(element, 'button').textContent === '1', 'the click');
    same(await element.add(2), 3, 'the latest state');
  });

  it('rejects calls that wait for a view when it is removed', async () => {
    const element = document.createElement('tiding-probe') as Probe;
    element.label = 'broken';
    document.body.append(element);
    const waiting = element.add(1);
    element.remove();
    const error = await waiting.catch((reason: Error) => reason);
    same((error as Error).name, 'AbortError');
    errors.length = 0;
  });

  it('starts with fresh state but the same properties when it is re-inserted', async () => {
    const element = make('<tiding-probe label="x"></tiding-probe>');
    await ready(element);
    find(element, 'button').click();
    await waitUntil(() => find(element, 'button').textContent === '1', 'the count');
    element.remove();
    await frames();
    same(element.shadowRoot!.childElementCount, 0, 'remains in the shadow root');
    element.label = 'while away';
    document.body.append(element);
    await ready(element);
    same([find(element, 'button').textContent, shown(element).label], ['0', 'while away']);
  });

  it('leaves no React root behind after 200 insertions and removals', async () => {
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

  it('emits cancelable events that bubble and cross shadow roots', async () => {
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
    document.addEventListener('tiding-resize', listen);
    find(element, '.tell').click();
    same(element.dataset['answer'], 'true');
    prevent = true;
    find(element, '.tell').click();
    same(element.dataset['answer'], 'false');
    document.removeEventListener('tiding-resize', listen);
    same(
      events.map(({ type, bubbles, composed, cancelable, detail }) => [
        type,
        bubbles,
        composed,
        cancelable,
        detail as unknown,
      ]),
      Array(2).fill(['tiding-resize', true, true, true, { height: 0 }]),
    );
    check(events[0]!.target === outer, 'the page can access the shadow root');
  });

  it('contains keys that are typed or handled in it; others reach the page', async () => {
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

  it('keeps what was typed when its view fails, and is shown again on demand', async () => {
    const element = make();
    await ready(element);
    const field = find<HTMLInputElement>(element, 'input');
    field.value = 'half a sentence';
    element.label = 'broken';
    const words = () => element.shadowRoot!.textContent;
    await waitUntil(() => words().includes('half a sentence'), 'the typed text');
    check(/stopped working.*broken on purpose/.test(words()), words());
    const complaints = errors.splice(0);
    check(complaints.length > 0 && complaints.every((each) => /broken on/.test(each)), 'reported');

    element.label = 'mended';
    const button = () => find(element, '.element-message button');
    same(button().textContent, commonTexts.tryAgain);
    button().click();
    await ready(element);
    same(shown(element)['label'], 'mended');
    check(words().includes('half a sentence'), 'the text was lost when the view came back');
    same(button().textContent, commonTexts.close);
    button().click();
    await waitUntil(() => !words().includes('half a sentence'), 'the closed text');
  });

  it('accepts properties and events from a React tree', async () => {
    const tell_ = { detail: undefined as unknown };
    const { root, render, remove } = mount(
      createElement('tiding-probe', {
        label: 'inside',
        data: payload,
        open: true,
        'ontiding-resize': (event: CustomEvent) => (tell_.detail = event.detail),
      }),
      [],
    );
    const element = await waitUntil(() => root.querySelector<Probe>('tiding-probe'), 'the element');
    await ready(element);
    same(shown(element), { label: 'inside', open: true });
    check(element.data === payload, 'the object has changed');
    find(element, '.tell').click();
    same(tell_.detail, { height: 0 });
    render(createElement('tiding-probe', { open: false }));
    await waitUntil(() => shown(element).open === false, 'the change');
    remove();
  });
});
