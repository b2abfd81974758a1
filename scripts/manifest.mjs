/**
 * The custom elements manifest (schema 2) of the package, `dist/lib/custom-elements.json`: every element with its attributes, properties,
 * methods, events, slots and parts, out of the descriptions of the elements and their sources. What all elements have, the custom
 * properties among it, stands once, in the class they come from.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const types = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  json: 'object',
};
const base = { name: 'TidingElement', module: 'dist/lib/define.js' };

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}
const texts = new Map();
const textOf = (path) => texts.get(path) ?? texts.set(path, readFileSync(path, 'utf8')).get(path);

/** Files that a file needs, at once or later, itself among them. Not through the table of widgets: each of them is one element's. */
function reach(path, found = new Set()) {
  if (found.has(path) || !existsSync(path) || /\/widgets\/registry\.ts$/.test(path)) return found;
  found.add(path);
  for (const [, at] of textOf(path).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g))
    reach(join(dirname(path), at), found);
  return found;
}

/** The files that draw an element: those of its description, and of its widget. */
function filesOf({ tag, widget }, all) {
  const described = all.filter((path) => new RegExp(`tag: '${tag}'`).test(textOf(path)));
  const drawn =
    widget === undefined
      ? []
      : all.flatMap((path) => {
          const [, at] =
            new RegExp(`^  '?${widget}'?: \\(\\) => import\\('(\\./[^']+)'\\)`, 'm').exec(
              /widgets\/[\w-]+\/index\.ts$/.test(path) ? textOf(path) : '',
            ) ?? [];
          return at ? [join(dirname(path), at)] : [];
        });
  const frame = widget === undefined ? [] : [join(root, 'elements/widgets/widget-view.tsx')];
  const files = new Set();
  for (const path of [...described, ...drawn, ...frame]) reach(path, files);
  return [...files];
}

const sorted = (names) => [...new Set(names)].sort();
/** Names that stand in the markup of these files. */
const inMarkup = (files, pattern) =>
  sorted(
    files.flatMap((path) =>
      [...textOf(path).matchAll(pattern)].flatMap(([, names]) => (names ?? '').split(' ')),
    ),
  );

/** `--tiding-…` with what they are where nobody sets them. */
function customProperties() {
  const found = new Map();
  for (const file of ['tokens.css', 'base.css']) {
    for (const [, name, fallback] of textOf(join(root, 'elements/theme', file)).matchAll(
      /var\((--tiding-[\w-]+)(?:,\s*((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*))?\)/g,
    )) {
      if (!found.has(name)) found.set(name, fallback?.replace(/\s+/g, ' ').trim());
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, fallback]) => ({ name, ...(fallback ? { default: fallback } : {}) }));
}

const field = ([name, { kind, doc }]) => ({
  kind: 'field',
  name,
  type: { text: `${types[kind]} | undefined` },
  description: doc,
  ...(kind === 'object' ? {} : { attribute: kebab(name) }),
});
const attribute = ([name, { kind, doc }]) => ({
  name: kebab(name),
  fieldName: name,
  type: { text: kind === 'json' ? 'string' : types[kind] },
  description: kind === 'json' ? `${doc} As JSON.` : doc,
});
const attributes = (properties) =>
  Object.entries(properties)
    .filter(([, { kind }]) => kind !== 'object')
    .map(attribute);
const className = (tag) =>
  tag
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

/** The manifest of these descriptions. */
export function manifest(elements, common, { version }) {
  const all = [...sources(join(root, 'elements'))];
  const own = {
    kind: 'class',
    name: base.name,
    description:
      'What every element has. Each takes its colours, sizes and faces from the custom properties, wherever a page sets them.',
    attributes: [
      ...attributes(common),
      {
        name: 'theme',
        type: { text: "'light' | 'dark' | 'auto'" },
        default: "'auto'",
        description: 'Light or dark; auto: as the page is.',
      },
    ],
    members: Object.entries(common).map(field),
    cssProperties: customProperties(),
  };
  const declarations = elements.map((spec) => {
    const files = filesOf(spec, all);
    const parts = inMarkup(files, /\bpart="([^"]+)"/g);
    const slots = inMarkup(files, /<slot(?: name="([^"]+)")?[ />]/g);
    return {
      kind: 'class',
      customElement: true,
      name: className(spec.tag),
      tagName: spec.tag,
      description: spec.doc,
      superclass: base,
      attributes: attributes(spec.properties),
      members: [
        ...Object.entries(spec.properties).map(field),
        ...(spec.methods ?? []).map(({ name, doc, returns }) => ({
          kind: 'method',
          name,
          description: doc,
          parameters: [],
          return: { type: { text: returns } },
        })),
      ],
      events: (spec.events ?? []).map(({ name, doc }) => ({
        name,
        type: { text: 'CustomEvent' },
        description: doc,
      })),
      cssParts: parts.map((name) => ({ name })),
      slots: slots.map((name) => ({ name })),
      ...(spec.widget === undefined ? {} : { widget: spec.widget }),
    };
  });
  return {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    package: { version },
    modules: [
      {
        kind: 'javascript-module',
        path: base.module,
        declarations: [own, ...declarations],
        exports: elements.map(({ tag }) => ({
          kind: 'custom-element-definition',
          name: tag,
          declaration: { name: className(tag), module: base.module },
        })),
      },
    ],
  };
}

/** Writes it beside the library, which has been built. */
export async function writeManifest() {
  const { elements, commonProperties } = await import(join(root, 'dist/lib/elements.js'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(root, 'dist/lib/custom-elements.json');
  writeFileSync(
    file,
    `${JSON.stringify(manifest(elements, commonProperties, { version }), null, 1)}\n`,
  );
  return relative(root, file);
}

if (process.argv[1] === import.meta.filename) console.error(`Written: ${await writeManifest()}`);
