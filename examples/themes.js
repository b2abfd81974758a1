/**
 * The theme editor: fields for the custom properties of elements, which a few real elements show at
 * once. It starts from a ready theme, and its style sheet contains what differs from the defaults.
 */
import { elementIn, statesOf } from './gallery-states.js';
import {
  contrasts,
  MIN_CONTRAST,
  readTheme,
  themeNames,
  valuesOf,
  writeTheme,
} from './theme-css.js';

/** Elements of the preview, with the title of their state. */
const PREVIEW = [
  ['tiding-paragraph', 'a paragraph'],
  ['tiding-job-graph'],
  ['tiding-schema'],
  ['tiding-validation-suite'],
  ['tiding-profile'],
  ['tiding-note-list'],
];
/** Groups of properties, by what their names begin with after `--tiding-`. */
const GROUPS = [
  ['Surfaces', /^(?:canvas|surface)/],
  ['Text', /^text(?:$|-(?:secondary|tertiary|disabled|inverse|link|on-))/],
  ['Accent', /^(?:accent|focus$)/],
  ['Lines', /^border/],
  ['States', /^(?:success|info|neutral|warning|danger)/],
  ['Code', /^(?:code-(?!line$)|diff|find)/],
  ['Charts', /^chart/],
  ['Fonts and text sizes', /^(?:unit|font|text-|leading|weight)/],
  ['Sizes and shape', /^(?:control|item|row|bar|notebar|panel|nav|icon|radius|focus-)/],
  ['Motion', /^(?:duration|ease)/],
];

const json = (name) => fetch(name).then((response) => response.json());
const [manifest, names] = await Promise.all([json('custom-elements.json'), json('widgets.json')]);
const payloads = new Map(
  await Promise.all(names.map(async (name) => [name, await json(`widgets/${name}.json`)])),
);
const { declarations } = manifest.modules[0];
const common = declarations.find(({ customElement }) => !customElement);
const short = (name) => name.slice('--tiding-'.length);
/** A default as a page can write it: without the private properties of the elements. */
const plain = (text) =>
  text.replace(/^calc\((\d+) \* var\(--_unit\)\)$/, '$1px').replace(/^var\(--_.*$/, '');
/** The properties that the editor offers, with their defaults. */
const defaults = new Map(
  common.cssProperties
    .filter(({ name }) => GROUPS.some(([, pattern]) => pattern.test(short(name))))
    .map(({ name, default: text = '' }) => [name, valuesOf(plain(text))]),
);

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
const start = document.querySelector('#start');
const form = document.querySelector('#properties');
let theme = new Map();
const scheme = () => start.elements.scheme.value;
const colourOf = (name) => (theme.get(name) ?? defaults.get(name))[scheme()];

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const isColour = (text) => /^#[\da-f]{6}$/i.test(text);

/** A field for a property, and a button that restores its default. */
function field(name) {
  const type = isColour(defaults.get(name).light) ? 'color' : 'text';
  const input = make('input', { name, type, autocomplete: 'off', spellcheck: 'false' });
  const reset = make('button', { type: 'button', value: name, class: 'reset' }, 'Reset');
  reset.setAttribute('aria-label', `Reset ${short(name)}`);
  const label = make('label', {}, make('span', {}, short(name)), input);
  return make('div', { class: 'property' }, label, make('output', {}), reset);
}

for (const [title, pattern] of GROUPS) {
  const own = [...defaults.keys()].filter(
    (name) => GROUPS.find(([, each]) => each.test(short(name)))[1] === pattern,
  );
  form.append(
    make(
      'details',
      {},
      make('summary', {}, title),
      ...own.sort(byLength).map((name) => field(name)),
    ),
  );
}
form.querySelector('details').open = true;

/** `text` before `text-link`. */
function byLength(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

const ratioText = (ratio) => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;

/** Applies the theme to the page, and shows its values, its contrast and its style sheet. */
function apply() {
  const css = writeTheme(theme);
  sheet.replaceSync(css);
  document.querySelector('#css').textContent = css;
  document.querySelector('#copy').textContent = 'Copy CSS';
  const found = contrasts(colourOf);
  for (const box of form.querySelectorAll('.property')) {
    const input = box.querySelector('input');
    const { name } = input;
    if (input !== document.activeElement || input.type === 'color') input.value = colourOf(name);
    box.querySelector('button').hidden = !theme.has(name);
    const output = box.querySelector('output');
    const lowest = found.find(({ text }) => text === name);
    output.value = lowest ? ratioText(lowest.ratio) : '';
    output.title = lowest ? `Lowest contrast, on ${short(lowest.surface)}` : '';
    output.classList.toggle('low', lowest !== undefined && lowest.ratio < MIN_CONTRAST);
  }
  const low = found.filter(({ ratio }) => ratio < MIN_CONTRAST);
  const verdict = document.querySelector('#verdict');
  verdict.classList.toggle('low', low.length > 0);
  verdict.textContent =
    low.length === 0
      ? `Lowest contrast of text: ${ratioText(found[0].ratio)}`
      : `Too little contrast: ${low
          .slice(0, 3)
          .map(
            ({ text, surface, ratio }) => `${short(text)} on ${short(surface)} ${ratioText(ratio)}`,
          )
          .join(', ')}${low.length > 3 ? ` and ${low.length - 3} more` : ''}`;
}

/** Sets a property in the colours that are shown; sizes and fonts in both. */
function change(name, value) {
  const before = theme.get(name) ?? defaults.get(name);
  const after = isColour(value) ? { ...before, [scheme()]: value } : { light: value, dark: value };
  const { light, dark } = defaults.get(name);
  if (value.trim() === '' || (after.light === light && after.dark === dark)) theme.delete(name);
  else theme.set(name, after);
  apply();
}

async function load(name) {
  if (name === '') theme = new Map();
  else {
    const read = readTheme(await (await fetch(`themes/${name}.css`)).text());
    // A faster choice may have been made meanwhile.
    if (start.elements.theme.value !== name) return;
    theme = read;
  }
  document.documentElement.dataset.theme = name || 'default';
  apply();
}

function show() {
  document.documentElement.classList.toggle('dark', scheme() === 'dark');
  document.querySelector('#shown').replaceChildren(
    ...PREVIEW.map(([tag, title]) => {
      const of = declarations.find(({ tagName }) => tagName === tag);
      const states = statesOf(of, payloads);
      const [, state] = states.find(([each]) => each === title) ?? states[0];
      return make('div', { class: 'stage' }, elementIn(tag, state, scheme()));
    }),
  );
}

start.elements.theme.append(
  make('option', { value: '' }, 'Default'),
  ...themeNames.map((name) =>
    make('option', { value: name }, name.charAt(0).toUpperCase() + name.slice(1).replace('-', ' ')),
  ),
);
start.elements.theme.addEventListener('change', ({ target }) => void load(target.value));
start.elements.scheme.addEventListener('change', () => {
  show();
  apply();
});
for (const each of [start, form])
  each.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('input', ({ target }) => change(target.name, target.value));
form.addEventListener('click', ({ target }) => {
  if (!target.classList.contains('reset')) return;
  theme.delete(target.value);
  apply();
  target.closest('.property').querySelector('input').focus();
});
const find = document.querySelector('#find');
find.addEventListener('input', () => {
  const term = find.value.trim().toLowerCase();
  for (const group of form.querySelectorAll('details')) {
    for (const box of group.querySelectorAll('.property'))
      box.hidden = !box.querySelector('input').name.includes(term);
    const isEmpty = group.querySelector('.property:not([hidden])') === null;
    group.hidden = isEmpty;
    if (term !== '' && !isEmpty) group.open = true;
  }
});
document.querySelector('#copy').addEventListener('click', ({ target }) =>
  navigator.clipboard.writeText(writeTheme(theme)).then(
    () => (target.textContent = 'Copied'),
    () => getSelection().selectAllChildren(document.querySelector('#css')),
  ),
);
document.querySelector('#download').addEventListener('click', () => {
  const address = URL.createObjectURL(new Blob([writeTheme(theme)], { type: 'text/css' }));
  make('a', { href: address, download: 'tiding-theme.css' }).click();
  URL.revokeObjectURL(address);
});
show();
await load(start.elements.theme.value);
