/**
 * The gallery shows one element at a time in all its states, with its description from the
 * manifest. It is a plain page that builds everything with the DOM.
 */
import { elementIn, statesOf } from './gallery-states.js';

const json = (name) => fetch(name).then((response) => response.json());
const [manifest, names] = await Promise.all([json('custom-elements.json'), json('widgets.json')]);
const payloads = new Map(
  await Promise.all(names.map(async (name) => [name, await json(`widgets/${name}.json`)])),
);
const { declarations } = manifest.modules[0];
const elements = declarations.filter(({ customElement }) => customElement);
const common = declarations.find(({ customElement }) => !customElement);

/** `make('a', { href: '#x' }, 'text')` creates an element; strings become text, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const figure = ({ tagName }, [title, state], theme) =>
  make(
    'figure',
    { 'data-state': title },
    make('figcaption', {}, title),
    make('div', { class: 'stage' }, elementIn(tagName, state, theme)),
  );

/** Returns a table of the manifest, or nothing if there are no rows. */
function table(title, heads, rows) {
  if (rows.length === 0) return [];
  const cells = (tag, texts) =>
    make(
      'tr',
      {},
      ...texts.map((text, at) =>
        make(
          tag,
          tag === 'th' ? { scope: 'col' } : {},
          at === 0 && tag === 'td' ? make('code', {}, text) : text,
        ),
      ),
    );
  return [
    make('h3', {}, title),
    make(
      'div',
      { class: 'table', tabindex: '0', role: 'region', 'aria-label': title },
      make(
        'table',
        {},
        make('thead', {}, cells('th', heads)),
        make('tbody', {}, ...rows.map((row) => cells('td', row))),
      ),
    ),
  ];
}
const described = ({ description = '' }) => description;
const reference = (of) => [
  ...table(
    'Attributes',
    ['Name', 'Type', 'Description'],
    (of.attributes ?? []).map((each) => [each.name, each.type.text, described(each)]),
  ),
  ...table(
    'Properties',
    ['Name', 'Type', 'Description'],
    (of.members ?? [])
      .filter(({ kind }) => kind === 'field')
      .map((each) => [each.name, each.type.text, described(each)]),
  ),
  ...table(
    'Methods',
    ['Name', 'Answers', 'Description'],
    (of.members ?? [])
      .filter(({ kind }) => kind === 'method')
      .map((each) => [`${each.name}()`, each.return.type.text, described(each)]),
  ),
  ...table(
    'Events',
    ['Name', 'Description'],
    (of.events ?? []).map((each) => [each.name, described(each)]),
  ),
  ...table(
    'Slots',
    ['Name'],
    (of.slots ?? []).map(({ name }) => [name || '(without a name)']),
  ),
  ...table(
    'Parts',
    ['Name'],
    (of.cssParts ?? []).map(({ name }) => [name]),
  ),
  ...table(
    'Custom properties',
    ['Name', 'Default'],
    (of.cssProperties ?? []).map(({ name, default: value = '' }) => [name, value]),
  ),
];

const looks = document.querySelector('#looks');
const shown = document.querySelector('#shown');
const all = [...elements, { ...common, tagName: 'all-elements' }];
document
  .querySelector('#tags')
  .append(
    make(
      'ul',
      {},
      ...all.map(({ tagName }) =>
        make(
          'li',
          {},
          make(
            'a',
            { href: `#${tagName}` },
            tagName === 'all-elements' ? 'Common to all' : `<${tagName}>`,
          ),
        ),
      ),
    ),
  );

function show() {
  const tag = location.hash.slice(1) || elements[0].tagName;
  const of = all.find(({ tagName }) => tagName === tag) ?? all[0];
  const { theme, width } = Object.fromEntries(new FormData(looks));
  document.documentElement.classList.toggle('dark', theme === 'dark');
  shown.className = width ? 'narrow' : '';
  for (const link of document.querySelectorAll('#tags a')) {
    if (link.hash === `#${of.tagName}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  shown.replaceChildren(
    make('h2', {}, of.customElement ? `<${of.tagName}>` : 'Common to all elements'),
    make('p', {}, of.description),
    ...(of.customElement ? statesOf(of, payloads).map((state) => figure(of, state, theme)) : []),
    ...reference(of),
  );
  shown.dataset.tag = of.tagName;
}
addEventListener('hashchange', show);
looks.addEventListener('change', show);
show();
