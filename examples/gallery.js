/**
 * The gallery shows one element at a time in all its states, with its description from the
 * manifest. It is a plain page that builds everything with the DOM.
 */
import { codeOf, elementIn, statesOf } from './gallery-states.js';

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

/** A folded box with the code of a state and a button that copies it; `show` replaces the code. */
function codeBox(code) {
  const copy = make('button', { type: 'button' }, 'Copy');
  const shownCode = make('code', {}, code);
  const box = make(
    'details',
    {},
    make('summary', {}, 'Code'),
    copy,
    make('pre', { tabindex: '0', role: 'region', 'aria-label': 'Code' }, shownCode),
  );
  copy.addEventListener('click', () =>
    navigator.clipboard.writeText(shownCode.textContent).then(
      () => copy.replaceChildren('Copied'),
      () => getSelection().selectAllChildren(shownCode),
    ),
  );
  const show = (next) => {
    shownCode.replaceChildren(next);
    copy.replaceChildren('Copy');
  };
  return { box, show };
}

/** Returns the field that changes an attribute; its type in the manifest decides which. */
function knob({ name, type: { text } }, value) {
  const choices = [...text.matchAll(/'([^']*)'/g)].map(([, choice]) => choice);
  if (choices.length > 0)
    return make(
      'select',
      { name },
      ...['', ...choices].map((choice) =>
        make(
          'option',
          { value: choice, ...(choice === (value ?? '') ? { selected: '' } : {}) },
          choice || '(not set)',
        ),
      ),
    );
  if (/\bboolean\b/.test(text))
    return make('input', {
      name,
      type: 'checkbox',
      ...(value === undefined ? {} : { checked: '' }),
    });
  const type = /\bnumber\b/.test(text) ? 'number' : 'text';
  return make('input', { name, type, autocomplete: 'off', value: value ?? '' });
}

/** The attributes of an element that fields change. Server and theme are the page's. */
const knobsOf = ({ attributes = [] }) =>
  [...attributes, ...common.attributes].filter(({ name }) => !['server', 'theme'].includes(name));

/** Returns a folded form with a field for each of these attributes. */
function knobBox(attributes, element, onChange) {
  const form = make(
    'form',
    { class: 'knobs' },
    ...attributes.map((each) =>
      make('label', {}, `${each.name} `, knob(each, element.getAttribute(each.name) ?? undefined)),
    ),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', ({ target: { name, type, checked, value } }) => {
    const isSet = type === 'checkbox' ? checked : value !== '';
    if (isSet) element.setAttribute(name, type === 'checkbox' ? '' : value);
    else element.removeAttribute(name);
    onChange();
  });
  return make('details', {}, make('summary', {}, 'Attributes'), form);
}

/** Returns a folded list of the events that an element emits, newest first. */
function eventBox(element, events) {
  const count = make('span', {}, 'none yet');
  const list = make('ol', { reversed: '' });
  for (const { name } of events)
    element.addEventListener(name, ({ detail }) => {
      list.prepend(make('li', {}, make('code', {}, `${name} ${shortJson(detail)}`)));
      count.replaceChildren(String(list.childElementCount));
    });
  return make('details', {}, make('summary', {}, 'Events: ', count), list);
}

/** A detail may contain objects that refer to each other, such as clients. */
function shortJson(detail) {
  try {
    return JSON.stringify(detail).slice(0, 400);
  } catch {
    return String(detail);
  }
}

function figure(of, [title, state], { theme, direction }) {
  const { events = [], tagName } = of;
  const attributes = knobsOf(of);
  const element = elementIn(tagName, state, theme);
  const own = () =>
    Object.fromEntries(
      [...element.attributes]
        .filter(({ name }) => attributes.some((each) => each.name === name))
        .map(({ name, value }) => [name, value]),
    );
  const code = codeBox(codeOf(tagName, state));
  // An attribute that the state doesn't set replaces the property of the same name.
  const onChange = () =>
    code.show(codeOf(tagName, { ...state, attributes: { ...state.attributes, ...own() } }));
  return make(
    'figure',
    { 'data-state': title },
    make('figcaption', {}, title),
    make('div', { class: 'stage', dir: direction }, element),
    code.box,
    knobBox(attributes, element, onChange),
    ...(events.length > 0 ? [eventBox(element, events)] : []),
  );
}

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
  const { direction, theme, width } = Object.fromEntries(new FormData(looks));
  document.documentElement.classList.toggle('dark', theme === 'dark');
  shown.className = width ? 'narrow' : '';
  for (const link of document.querySelectorAll('#tags a')) {
    if (link.hash === `#${of.tagName}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  shown.replaceChildren(
    make('h2', {}, of.customElement ? `<${of.tagName}>` : 'Common to all elements'),
    make('p', {}, of.description),
    ...(of.customElement
      ? statesOf(of, payloads).map((state) => figure(of, state, { direction, theme }))
      : []),
    ...reference(of),
  );
  shown.dataset.tag = of.tagName;
}
const find = document.querySelector('#find');
function filter() {
  const term = find.value.trim().toLowerCase();
  for (const item of document.querySelectorAll('#tags li'))
    item.hidden = !item.textContent.toLowerCase().includes(term);
}
find.addEventListener('input', filter);
// The reader may have typed before the script ran.
filter();
addEventListener('hashchange', show);
looks.addEventListener('change', show);
show();
