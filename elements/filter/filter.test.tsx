import { sendKeys } from '@web/test-runner-commands';
import axe from 'axe-core';
import { elementClass } from '../element-class.ts';
import { portal } from '../portal/bus.ts';
import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { strictPage } from '../ui/testing/test-setup.ts';
import { filterElement } from './filter.tsx';
import { quickRanges } from './quick-ranges.ts';

const tag = 'tiding-filter-under-test';
type Shown = HTMLElement & Record<string, unknown>;
const by = { by: 'the test' };
const sales = portal('sales');
let shown: Shown | undefined;
const root = () => shown!.shadowRoot!;
const all = <Found extends HTMLElement = HTMLElement>(selector: string) => [
  ...root().querySelectorAll<Found>(selector),
];
const boxes = () => all<HTMLInputElement>('[type=checkbox]');
const named = (name: string) => all(`[aria-label="${name}"]`)[0]!;
const button = (name: string) => all('button').find(({ textContent }) => textContent === name)!;

async function open(properties: Record<string, unknown>, width = 280): Promise<void> {
  shown = Object.assign(document.createElement(tag), {
    portal: 'sales',
    ...properties,
  }) as unknown as Shown;
  shown.style.cssText = `display: block; width: ${width}px`;
  document.body.append(document.createElement('main'));
  document.querySelector('main')!.append(shown);
  await waitUntil(() => all('fieldset').length === 1, 'the filter');
  if (properties['type'] && properties['type'] !== 'values')
    await waitUntil(() => all('input').length === 2, 'the fields');
}

before(() =>
  customElements.define(tag, elementClass({ ...filterElement, tag: tag as `tiding-${string}` })),
);

describe('<tiding-filter>', () => {
  strictPage();
  afterEach(() => {
    shown?.remove();
    document.querySelector('main')?.remove();
    sales.clear(undefined, by);
  });

  it('sends the chosen values, and follows what others send', async () => {
    await open({ column: 'region', options: ['EU', { value: 'US', label: 'America' }, null] });
    const details: unknown[] = [];
    shown!.addEventListener('tiding-filter-changed', (event) =>
      details.push((event as CustomEvent).detail),
    );
    same(
      all('.filter-option').map(({ textContent }) => textContent),
      ['EU', 'America', 'no value'],
    );
    boxes()[1]!.click();
    boxes()[2]!.click();
    same(sales.get('selection', 'region'), { column: 'region', values: ['US', null] });
    same(sales.history().at(-1)!.by.name, tag);
    await waitUntil(() => boxes()[2]!.checked, 'the check mark');
    same(
      boxes().map(({ checked }) => checked),
      [false, true, true],
    );
    sales.set('selection', { column: 'region', values: ['Asia', 'EU'] }, by);
    await waitUntil(() => boxes().length === 4, 'a value that is not offered');
    same(
      boxes().map(({ checked }) => checked),
      [true, false, false, true],
    );
    named('Clear the filter region').click();
    same(sales.get('selection', 'region'), undefined);
    same(details, [
      { portal: 'sales', column: 'region', values: ['US'] },
      { portal: 'sales', column: 'region', values: ['US', null] },
      { portal: 'sales', column: 'region' },
    ]);
  });

  it('adds a value that is chosen before the first one is shown', async () => {
    await open({ column: 'region', options: ['EU', 'US', 'Asia'] });
    shown!.addEventListener('tiding-filter-changed', () => boxes()[2]!.click(), { once: true });
    boxes()[1]!.click();
    same(sales.get('selection', 'region')?.values, ['US', 'Asia']);
    await waitUntil(() => boxes()[2]!.checked, 'the check mark');
    same(
      boxes().map(({ checked }) => checked),
      [false, true, true],
    );
  });

  it('reads options from an attribute', async () => {
    await open({ column: 'year' });
    shown!.setAttribute('options', '[2023, 2024, {"wrong": true}]');
    await waitUntil(() => boxes().length === 2, 'the options');
    boxes()[1]!.click();
    same(sales.get('selection', 'year'), { column: 'year', values: [2024] });
  });

  it('is used with the keyboard', async () => {
    await open({ column: 'city', options: Array.from({ length: 12 }, (_, at) => `City ${at}`) });
    named('Search city').focus();
    await sendKeys({ press: 'Tab' });
    check(root().activeElement === boxes()[0], 'the first box has the focus');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'End' });
    check(root().activeElement === boxes()[11], 'the last box has the focus');
    await sendKeys({ press: 'Space' });
    same(sales.get('selection', 'city')!.values, ['City 11']);
    await sendKeys({ press: 'Shift+Tab' });
    check(root().activeElement === named('Search city'), 'the list is one stop of the Tab key');
  });

  it('finds values by typing', async () => {
    await open({ column: 'city', options: Array.from({ length: 300 }, (_, at) => `City ${at}`) });
    same(boxes().length, 200);
    check(
      root().textContent!.includes('The first 200 of 300 values.'),
      'says that some are hidden',
    );
    type(named('Search city') as HTMLInputElement, '29');
    await waitUntil(() => boxes().length === 13, 'the matches');
    type(named('Search city') as HTMLInputElement, 'x');
    await waitUntil(() => root().textContent!.includes('No value matches.'), 'the note');
  });

  it('sends a range of numbers, and says why a range is wrong', async () => {
    await open({ column: 'price', type: 'range', label: 'Price' });
    const [from, to] = all<HTMLInputElement>('input');
    same(
      all('label').map(({ textContent }) => textContent),
      ['From', 'To'],
    );
    type(from!, '10.5');
    await waitUntil(() => sales.get('range', 'price')?.from === 10.5, 'the lower bound');
    type(to!, '2');
    await waitUntil(() => all('[role=alert]').length === 1, 'the problem');
    same(all('[role=alert]')[0]!.textContent, 'The range ends before it begins.');
    same(to!.getAttribute('aria-invalid'), 'true');
    same(sales.get('range', 'price'), { column: 'price', from: 10.5 });
    type(to!, 'many');
    await waitUntil(() => root().textContent!.includes('Type a number.'), 'the other problem');
    type(to!, '20');
    await waitUntil(() => sales.get('range', 'price')?.to === 20, 'the upper bound');
    sales.clear('range', by);
    await waitUntil(() => from!.value === '' && to!.value === '', 'empty fields');
  });

  it('sends a range of dates, also a usual one', async () => {
    await open({ column: 'day', type: 'date' });
    const [from] = all<HTMLInputElement>('[type=date]');
    type(from!, '2024-05-01');
    await waitUntil(() => sales.get('range', 'day')?.from === '2024-05-01', 'the first day');
    const year = quickRanges(new Date()).find(({ label }) => label === 'This year')!;
    button('This year').click();
    same(sales.get('range', 'day'), { column: 'day', from: year.from, to: year.to });
    await waitUntil(() => button('This year').ariaPressed === 'true', 'the pressed button');
    button('This year').click();
    same(sales.get('range', 'day'), undefined);
  });

  it('keeps what is typed as soon as a field is shown', async () => {
    const opened = open({ column: 'price', type: 'range' });
    const typed = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        const [from] = all<HTMLInputElement>('input');
        if (!from) return;
        observer.disconnect();
        type(from, '7');
        resolve();
      });
      observer.observe(root(), { childList: true, subtree: true });
    });
    await Promise.all([opened, typed]);
    await waitUntil(() => sales.get('range', 'price')?.from === 7, 'the lowest number');
  });

  it('counts usual ranges of dates from today', () => {
    same(
      quickRanges(new Date(2024, 2, 2, 23, 30)).map(({ label, from, to }) => [label, from, to]),
      [
        ['Today', '2024-03-02', '2024-03-02'],
        ['Last 7 days', '2024-02-25', '2024-03-02'],
        ['Last 30 days', '2024-02-02', '2024-03-02'],
        ['This month', '2024-03-01', '2024-03-31'],
        ['This year', '2024-01-01', '2024-12-31'],
      ],
    );
  });

  it('says what is missing', async () => {
    shown = Object.assign(document.createElement(tag), { portal: 'sales' }) as unknown as Shown;
    document.body.append(shown);
    await waitUntil(
      () => root().textContent!.includes('Set the attributes portal and column.'),
      'the message',
    );
  });

  for (const theme of ['light', 'dark'])
    for (const kind of ['values', 'range', 'date'])
      it(`is accessible and fits into 280 px: ${kind}, ${theme}`, async () => {
        const options = Array.from({ length: 12 }, (_, at) => `A city with a long name ${at}`);
        await open({ column: 'city', type: kind, options });
        shown!.setAttribute('theme', theme);
        shown!.style.background = theme === 'dark' ? '#0b1012' : '#f4f6f7';
        const { violations: found } = await axe.run(document.querySelector('main')!, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
        });
        same(
          found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          [],
        );
        check(shown!.scrollWidth <= 280, `it is ${shown!.scrollWidth} px wide`);
      });
});
