import { check, pause, same, waitUntil } from '../result/test-support.tsx';
import { fill } from '../text/fill.ts';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal } from '../ui/testing/test-rest.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { search } from './search.tsx';

const text = await loadTexts();

const page = testPage<{ term: string }>(search);
const { root, all, words } = page;
const open = (term: string, answer: (query: string) => unknown) =>
  page.open(
    ({ path, query }) => (path === '/notebook/search' ? answer(query.get('q') ?? '') : undefined),
    { term, ready: null },
  );
const found = [
  {
    id: 'n1/paragraph/p1',
    name: 'Air/Winter delays',
    snippet: '%sql\nselect <B>arr_delay</B> from flights',
    text: '%sql\nselect arr_delay from flights',
    header: 'Worst <B>arr_delay</B>',
  },
  {
    id: 'n1/paragraph/p2',
    name: 'Air/Winter delays',
    snippet: 'val <B>arr_delay</B> = "<img src=x onerror=alert(1)>"',
    text: 'val arr_delay = "<img src=x onerror=alert(1)>"',
    header: '',
  },
  { id: '2KQ4', name: '', snippet: '<B>arr_delay</B>', text: 'arr_delay', header: '' },
];

describe('<tiding-search>', () => {
  it('shows a card per result with name, link, title and marked text [W39 D5 D46]', async () => {
    await open('arr_delay', () => found);
    await waitUntil(() => all('.hit').length === 3, 'the cards');
    same(
      all('h2').map(({ textContent }) => textContent),
      ['Winter delays', 'Winter delays', 'Note 2KQ4'],
    );
    same(
      all('h2 a').map((link) => link.getAttribute('href')!.replace(/^[^#]*/, '')),
      [
        '#/notebook/n1?paragraph=p1&term=arr_delay',
        '#/notebook/n1?paragraph=p2&term=arr_delay',
        '#/notebook/2KQ4',
      ],
    );
    same(
      all('.hit-code')[0]!.textContent!.replace('12%sql', '%sql'),
      'Worst arr_delay\n\n%sql\nselect arr_delay from flights',
    );
    same(
      all('.find-match')
        .map(({ textContent }) => textContent)
        .join(' '),
      'arr_delay arr_delay arr_delay arr_delay',
    );
    check(words().includes(text.search.found(3, 2)), 'the count');
    check(!root().querySelector('img'), 'markup in a text became an element');
    // SQL by its magic prefix, Scala without one.
    await waitUntil(
      () => all('.hit-code')[0]!.querySelector('.tok-keyword')?.textContent === 'select',
      'SQL',
    );
    await waitUntil(
      () => all('.hit-code')[1]!.querySelector('.tok-keyword')?.textContent === 'val',
      'Scala',
    );
    const colour = (part: HTMLElement) => getComputedStyle(part).backgroundColor;
    const [header, match] = [
      root().querySelector<HTMLElement>('.hit-header')!,
      root().querySelector<HTMLElement>('.find-match')!,
    ];
    page.shown.setAttribute('theme', 'light');
    same([colour(header), colour(match)], ['rgb(236, 244, 255)', 'rgb(250, 236, 182)']);
  });

  it('shows the specified message when nothing matches, the term as text [D66]', async () => {
    await open('<b>zzz</b> $&', () => []);
    await waitUntil(
      () => words().includes("We couldn’t find any notebook matching '<b>zzz</b> $&'"),
      'the sentence',
    );
    same(all('.hit').length, 0);
  });

  it('announces the selected note to the host, which can prevent the navigation', async () => {
    await open('x', () => found);
    await waitUntil(() => all('.hit').length === 3, 'the cards');
    const heard: unknown[] = [];
    page.shown.addEventListener('tiding-open-note', (event) => {
      heard.push((event as CustomEvent).detail);
      event.preventDefault();
    });
    const before = location.href;
    all('h2 a')[0]!.click();
    all('h2 a')[2]!.click();
    same(heard, [{ noteId: 'n1', paragraphId: 'p1' }, { noteId: '2KQ4' }]);
    same(location.href, before);
  });

  it('searches again for another term, and never shows an older answer for it', async () => {
    let release: (() => void) | undefined;
    await open('slow', (query) =>
      query === 'slow' ? new Promise((resolve) => (release = () => resolve(found))) : [found[2]],
    );
    await waitUntil(() => release, 'the first question');
    page.shown.term = 'quick';
    await waitUntil(() => all('.hit').length === 1, 'the second answer');
    release!();
    await pause(50);
    same([all('h1')[0]!.textContent, all('.hit').length], ['quick', 1]);
  });

  it('shows why a search failed, and retries', async () => {
    let fails = true;
    await open('x', () =>
      fails ? refusal(400, 'A query may have at most 1000 characters.') : found,
    );
    await waitUntil(
      () => words().includes('A query may have at most 1000 characters.'),
      'the reason',
    );
    fails = false;
    all('[role=alert] button')[0]!.click();
    await waitUntil(() => all('.hit').length === 3, 'the cards');
  });

  it('sends no request without a term', async () => {
    await open('  ', () => found);
    await waitUntil(() => words().includes(text.search.noTerm), 'the sentence');
    same(page.server.calls.length, 0);
    check(fill(text.search.none, { term: 'a' }).includes("'a'"), 'the term is not in the sentence');
  });
});
