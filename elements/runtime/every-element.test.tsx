import { elementClass } from '../element-class.ts';
import { elements } from '../index.ts';
import { type PageServer, pageServer } from '../note/test-server.ts';
import { check, press, same, waitUntil } from '../result/test-support.tsx';
import { loadTexts } from '../wording/set-texts.ts';
import { commonProperties, type PropertyKind } from './define-element.ts';
import { frames, liveRoots, pageListeners } from './test-page-errors.ts';

const text = await loadTexts();

type Any = HTMLElement & Record<string, unknown>;

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const propertiesOf = (spec: (typeof elements)[number]): [string, PropertyKind][] =>
  Object.entries({ ...commonProperties, ...spec.properties }).map(([name, { kind }]) => [
    name,
    kind,
  ]);
/** Properties that make an element show a paragraph of the test server. */
const content: Readonly<Record<string, string>> = { note: 'note', paragraph: 'p1' };

describe('every element', () => {
  const roots = liveRoots();
  const listeners = pageListeners();
  const made: Element[] = [];
  let server: PageServer;
  const put = (element: Element, parent: Element = document.body) => {
    made.push(element);
    parent.append(element);
    return element as Any;
  };
  const make = (tag: string) => document.createElement(tag) as Any;
  /** An element that shows content of the test server. */
  const filled = (spec: (typeof elements)[number]) => {
    const element = make(spec.tag);
    element['client'] = server.client;
    element['portal'] = 'every';
    for (const [name, value] of Object.entries(content))
      if (name in spec.properties) element[name] = value;
    return element;
  };
  const words = (element: Element) => element.shadowRoot?.textContent ?? '';
  const total = () => [...listeners.values()].reduce((sum, count) => sum + count, 0);

  // Given properties before the elements are defined.
  const early = new Map(
    elements.map((spec) => {
      const element = make(spec.tag);
      for (const [name, kind] of propertiesOf(spec)) {
        if (kind !== 'object' && kind !== 'json' && !(name in commonProperties))
          element[name] =
            kind === 'boolean' ? true : kind === 'number' ? 3 : (content[name] ?? `the ${name}`);
      }
      element['token'] = () => 'token';
      document.body.append(element);
      return [spec.tag, element] as const;
    }),
  );

  before(() => {
    server = pageServer([
      {
        id: 'p1',
        text: '%sh\necho 1',
        status: 'FINISHED',
        config: {},
        settings: { params: {}, forms: {} },
        results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: '1\n' }] },
        rev: 1,
      },
    ]);
    for (const spec of elements) customElements.define(spec.tag, elementClass(spec));
  });
  afterEach(() => {
    for (const element of made.splice(0)) element.remove();
  });
  after(() => {
    server.client.close();
  });

  // All of them come first: an element that is still on the page would be counted with the others.
  describe('set before it was defined', () => {
    for (const spec of elements)
      it(`keeps its properties: ${spec.tag}`, async () => {
        const element = early.get(spec.tag)!;
        await waitUntil(() => element.shadowRoot, 'the upgrade');
        for (const [name, kind] of propertiesOf(spec)) {
          check(!Object.hasOwn(element, name), `${name} hides its accessor`);
          if (kind !== 'object' && kind !== 'json' && !(name in commonProperties))
            same(
              element[name],
              kind === 'boolean' ? true : kind === 'number' ? 3 : (content[name] ?? `the ${name}`),
              name,
            );
        }
        same((element['token'] as () => string)(), 'token');
        element.remove();
      });
  });

  for (const spec of elements) {
    const { tag } = spec;
    const names = propertiesOf(spec);
    const has = (name: string) => name in spec.properties;

    describe(tag, () => {
      it('accepts each property and its attribute; objects have no attribute', () => {
        const element = make(tag);
        const object = { some: 'object' };
        for (const [name, kind] of names) {
          if (kind === 'object') {
            element[name] = object;
            check(element[name] === object, `${name} has changed`);
            element.setAttribute(kebab(name), 'from markup');
            check(element[name] === object, `${name} was set by an attribute`);
            element.removeAttribute(kebab(name));
          } else if (kind === 'json') {
            element.setAttribute(kebab(name), '{"some":"object"}');
            same(element[name], object, `${name} by attribute`);
            element.setAttribute(kebab(name), '{"some":');
            check(element[name] === undefined, `${name} is set although it is invalid`);
            element.removeAttribute(kebab(name));
            element[name] = object;
            check(element[name] === object, `${name} has changed`);
          } else {
            element.setAttribute(kebab(name), kind === 'number' ? '4' : '');
            same(
              element[name],
              kind === 'boolean' ? true : kind === 'number' ? 4 : '',
              `${name} by attribute`,
            );
            element.removeAttribute(kebab(name));
            check(
              kind === 'boolean' ? element[name] === false : element[name] === undefined,
              `${name} remains after its attribute`,
            );
            element[name] = kind === 'boolean' ? true : kind === 'number' ? 5 : 'x';
          }
        }
        same(element.getAttributeNames(), [], 'attributes');
      });

      it('says what is missing without a server, and does not throw', async () => {
        const element = make(tag);
        put(element);
        await frames();
        if (has('column'))
          await waitUntil(
            () => words(element).includes(text.portal.filter.noPortal),
            'the missing portal',
          );
        else if (has('note')) {
          check(
            words(element).includes(text.noNote) || words(element).includes(text.noServer),
            `instead: ${words(element)}`,
          );
          Object.assign(element, content);
          await frames();
        }
        // A widget needs data but no server, and so do elements for the page's own data.
        const { noData } = /-(?:output|chart)$/.test(tag) ? text.output : text.widgets;
        if (has('data')) check(words(element).includes(noData), `instead: ${words(element)}`);
        else if (tag !== 'tiding-workbench' && !has('column'))
          check(words(element).includes(text.noServer), `instead: ${words(element)}`);
        for (const address of ['http://[', 'ftp://files.example', 'javascript:alert(1)', '']) {
          element['server'] = address;
          await frames();
        }
        // The workbench loads its parts when it is shown.
        await waitUntil(() => element.shadowRoot!.childElementCount === 1, 'the view');
        check(element.isConnected, 'the element is gone');
      });

      it('keeps its view when it is moved', async () => {
        const element = put(filled(spec));
        const view = await waitUntil(() => element.shadowRoot!.firstElementChild, 'the view');
        await frames();
        const settled = element.shadowRoot!.firstElementChild ?? view;
        const box = put(document.createElement('section'));
        box.append(element);
        document.body.prepend(element);
        await frames();
        check(element.shadowRoot!.firstElementChild === settled, 'the view was replaced');
      });

      it('is hidden by the `hidden` attribute', async () => {
        const element = put(filled(spec));
        element.hidden = true;
        same(
          [getComputedStyle(element).display, element.getBoundingClientRect().height],
          ['none', 0],
        );
        element.hidden = false;
        check(getComputedStyle(element).display !== 'none', 'still hidden');
      });

      it('is light or dark by its `theme` attribute, or follows the page', async () => {
        const box = put(document.createElement('div'));
        box.style.colorScheme = 'dark';
        const element = put(filled(spec), box);
        const scheme = () => getComputedStyle(element).colorScheme;
        const ink = () => getComputedStyle(element).color;
        same(scheme(), 'dark');
        const dark = ink();
        element.setAttribute('theme', 'light');
        same(scheme(), 'light');
        // The workbench renders nothing itself, so it has no text colour.
        if (tag !== 'tiding-workbench')
          check(ink() !== dark, 'the same text colour in light and dark');
        element.setAttribute('theme', 'dark');
        same([scheme(), ink()], ['dark', dark]);
        element.setAttribute('theme', 'auto');
        same(scheme(), 'dark');
      });

      if (tag !== 'tiding-workbench')
        it("looks the same regardless of the page's style sheets", async () => {
          const element = put(filled(spec));
          await waitUntil(() => element.shadowRoot!.firstElementChild, 'the view');
          await frames();
          await frames();
          const parts = () =>
            [
              element.shadowRoot!.firstElementChild!,
              ...element.shadowRoot!.querySelectorAll('p, button, a, h1, h2, input, pre, li'),
            ].slice(0, 40);
          const look = () =>
            parts().map((part) => {
              const style = getComputedStyle(part);
              return [
                part.tagName,
                part.className.toString(),
                style.color,
                style.fontSize,
                style.fontFamily,
                style.fontStyle,
                style.lineHeight,
                style.letterSpacing,
                style.textTransform,
                style.textAlign,
                style.display,
                style.visibility,
                style.whiteSpace,
                style.wordSpacing,
                style.textIndent,
                style.cursor,
                style.listStyleType,
              ].join(' ');
            });
          const before = look();
          const sheet = put(document.createElement('style'));
          sheet.textContent = `* {
            color: red; font: italic 40px/3 fantasy; letter-spacing: 3px; word-spacing: 9px;
            text-transform: uppercase; text-align: right; text-indent: 30px; white-space: pre;
            cursor: crosshair; list-style-type: square; visibility: visible;
          }
          button, p, h1 { display: none; } input { border: 9px solid red; }`;
          await frames();
          const after = look();
          same(
            after.filter((line, index) => line !== before[index]).slice(0, 3),
            [],
            'styles changed by the page',
          );
          same(after.length, before.length);
        });

      it('leaves no React root or listener after 200 insertions and removals', async () => {
        // Once before counting, for listeners that stay forever, such as React's own on the
        // document.
        put(filled(spec));
        await waitUntil(() => roots.size > 0, 'a root');
        await frames();
        made.pop()!.remove();
        await frames();
        const isReleased = () =>
          roots.size === 0 && Object.keys(server.client.state.open).length === 0;
        await waitUntil(isReleased, 'the first one is released');
        const before = total();
        for (let n = 0; n < 200; n += 1) {
          const element = put(filled(spec));
          if (n % 20 === 0) await frames();
          element.remove();
        }
        made.length = 0;
        await frames();
        await waitUntil(isReleased, 'everything is released');
        same(total(), before, `listeners ${JSON.stringify([...listeners])}`);
      });
    });
  }

  it("does not style the page's content if it only wraps it", async () => {
    const box = put(document.createElement('div'));
    Object.assign(box.style, {
      color: 'rgb(1, 2, 3)',
      font: 'italic 22px serif',
      letterSpacing: '2px',
      textAlign: 'right',
      whiteSpace: 'pre',
    });
    const element = put(make('tiding-workbench'), box);
    element.innerHTML = '<p>of the page</p>';
    await waitUntil(
      () => element.shadowRoot!.querySelector('slot')?.assignedElements().length === 1,
      'the slot',
    );
    const { color, fontSize, fontStyle, letterSpacing, textAlign, whiteSpace } = getComputedStyle(
      element.querySelector('p')!,
    );
    same(
      [color, fontSize, fontStyle, letterSpacing, textAlign, whiteSpace],
      ['rgb(1, 2, 3)', '22px', 'italic', '2px', 'right', 'pre'],
    );
  });

  it("keeps Shift+Enter and typed text in its code editor from the page's shortcuts", async () => {
    const element = put(filled(elements.find(({ tag }) => tag === 'tiding-paragraph')!));
    const closed = await waitUntil(
      () => element.shadowRoot!.querySelector<HTMLElement>('[role=textbox]'),
      'the code',
    );
    const keys: string[] = [];
    const listen = ({ key }: KeyboardEvent) => keys.push(key);
    document.addEventListener('keydown', listen);
    closed.focus();
    closed.click();
    const editor = await waitUntil(
      () => element.shadowRoot!.querySelector<HTMLElement>('.cm-content'),
      'the editor',
    );
    press(editor, 'H');
    press(editor, 'Enter', { shiftKey: true });
    await waitUntil(() => server.received.some(({ op }) => op === 'RUN_PARAGRAPH'), 'the run');
    document.removeEventListener('keydown', listen);
    same(keys, [], 'keys on the page');
  });
});
