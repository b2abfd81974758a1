import { elementClass } from '../element-class.ts';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { portal } from './bus.ts';
import { LOOK_EVENT } from './look-event.ts';

const tag = 'tiding-themed-under-test';
const by = { by: 'the test' };
const bus = portal('themed');
const looks = new Map<Element, CSSStyleDeclaration>();
const lookOf = (element: Element) =>
  looks.get(element) ?? looks.set(element, getComputedStyle(element)).get(element)!;
const scheme = (element: Element) => lookOf(element).colorScheme;
const accent = (element: Element) => lookOf(element).getPropertyValue('--tiding-accent').trim();

function put(attributes: Record<string, string> = { portal: 'themed' }, name = tag): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  document.querySelector('#themed')!.append(element);
  return element;
}

describe('the theme of a portal', () => {
  before(() => {
    const box = document.body.appendChild(document.createElement('div'));
    box.id = 'themed';
    box.style.colorScheme = 'light';
    customElements.define(
      tag,
      elementClass({ tag, doc: '', view: () => <p>shown</p>, properties: {} }),
    );
  });
  afterEach(() => {
    document.querySelector('#themed')!.replaceChildren();
    bus.clear(undefined, by);
    looks.clear();
  });
  after(() => document.querySelector('#themed')!.remove());

  it('applies to elements of two servers, and to no element outside', async () => {
    const [one, other] = ['http://one.example', 'http://two.example'].map((server) =>
      put({ portal: 'themed', server }),
    );
    const outside = put({ portal: 'another' });
    bus.set('theme', 'dark', by);
    await waitUntil(() => scheme(one!) === 'dark' && scheme(other!) === 'dark', 'dark');
    same(scheme(outside), 'light');
    bus.clear('theme', by);
    await waitUntil(() => scheme(one!) === 'light' && scheme(other!) === 'light', 'as before');
  });

  it('applies if it was set before the element was defined', async () => {
    bus.set('theme', 'dark', by);
    const late = `${tag}-late` as const;
    const element = put({ portal: 'themed' }, late);
    customElements.define(
      late,
      elementClass({ tag: late, doc: '', view: () => <p>shown</p>, properties: {} }),
    );
    await waitUntil(() => scheme(element) === 'dark', 'dark');
  });

  it('can be each ready theme, and changes back without a rest', async () => {
    const element = put();
    const sheets = element.shadowRoot!.adoptedStyleSheets.length;
    const seen: string[] = [];
    for (const name of ['neutral', 'high-contrast', 'warm', 'cool']) {
      bus.set('theme', name, by);
      await waitUntil(
        () => accent(element) !== '' && !seen.includes(accent(element)),
        `the theme ${name}`,
      );
      seen.push(accent(element));
      same(element.shadowRoot!.adoptedStyleSheets.length, sheets + 1);
    }
    bus.set('theme', 'compact', by);
    await waitUntil(() => lookOf(element).getPropertyValue('--tiding-row') === '24px', 'compact');
    same(accent(element), '');
    bus.set('theme', 'acme', by);
    await waitUntil(
      () => element.shadowRoot!.adoptedStyleSheets.length === sheets,
      'no theme for a name that only the page knows',
    );
  });

  it('keeps the last of several changes', async () => {
    const element = put();
    for (const name of ['warm', 'dark', 'cool', 'light', 'dark']) bus.set('theme', name, by);
    await waitUntil(() => scheme(element) === 'dark', 'dark');
    await frames();
    same([scheme(element), accent(element)], ['dark', '']);
  });

  it('gives way to the attribute `theme`', async () => {
    const own = put({ portal: 'themed', theme: 'light' });
    const auto = put({ portal: 'themed', theme: 'auto' });
    const element = put();
    bus.set('theme', 'dark', by);
    await waitUntil(() => scheme(element) === 'dark', 'dark');
    await frames();
    same([scheme(own), scheme(auto)], ['light', 'light']);
    own.removeAttribute('theme');
    await waitUntil(() => scheme(own) === 'dark', 'the theme of the portal');
    own.setAttribute('theme', 'light');
    same(scheme(own), 'light');
  });

  it('follows the attribute `portal`, and elements that are removed and put back', async () => {
    const element = put();
    bus.set('theme', 'dark', by);
    await waitUntil(() => scheme(element) === 'dark', 'dark');
    element.removeAttribute('portal');
    await waitUntil(() => scheme(element) === 'light', 'as before');
    element.setAttribute('portal', 'themed');
    await waitUntil(() => scheme(element) === 'dark', 'dark again');
    element.remove();
    await frames();
    bus.clear('theme', by);
    document.querySelector('#themed')!.append(element);
    looks.clear();
    await waitUntil(() => scheme(element) === 'light', 'as before, after its return');
    bus.set('theme', 'dark', by);
    await waitUntil(() => scheme(element) === 'dark', 'dark after its return');
  });

  it('reports a change after it is applied, for canvases that redraw', async () => {
    // The elements of other tests report that they are as before.
    await frames();
    const element = put();
    const seen: string[] = [];
    const listen = () => seen.push(scheme(element));
    document.addEventListener(LOOK_EVENT, listen);
    bus.set('theme', 'dark', by);
    await waitUntil(() => seen.length > 0, 'the report');
    document.removeEventListener(LOOK_EVENT, listen);
    same(seen, ['dark']);
    check(element.isConnected, 'the element is gone');
  });
});
