/**
 * The custom elements manifest (schema 2) of the package, `elements/dist/custom-elements.json`:
 * every element with its attributes, properties, methods, events, slots and parts, from the element
 * specs and their sources. Common members and custom properties are listed once, in the base class.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAngularDirectives } from './angular-directives.mjs';
import { typeOfProperty, valueTypeOf, writeElementTypes } from './element-types.mjs';
import { classNameOf, sources } from './tag-entries.mjs';

const root = join(import.meta.dirname, '..');
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const base = { name: 'TidingElement', module: 'dist/define.js' };

const texts = new Map();
const textOf = (path) => texts.get(path) ?? texts.set(path, readFileSync(path, 'utf8')).get(path);

/**
 * A file and all files it imports, statically or dynamically. Skips the widget registry, which
 * imports the files of every widget.
 */
function reach(path, found = new Set()) {
  if (found.has(path) || !existsSync(path) || /\/widgets\/registry\.ts$/.test(path)) return found;
  found.add(path);
  for (const [, at] of textOf(path).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g))
    reach(join(dirname(path), at), found);
  return found;
}

/** The files that draw an element: those that its spec imports and those of its widget. */
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
/** Names that match a pattern in the markup of these files. */
const inMarkup = (files, pattern) =>
  sorted(
    files.flatMap((path) =>
      [...textOf(path).matchAll(pattern)].flatMap(([, names]) => (names ?? '').split(' ')),
    ),
  );

/** The `--tiding-…` properties with their defaults. */
function customProperties() {
  const theme = join(root, 'elements/theme');
  const names = readdirSync(theme).filter((name) => name.endsWith('.css'));
  // The first default wins: that of the tokens, not of a theme.
  const sheets = new Set(['tokens.css', ...names]);
  const found = new Map();
  const reference =
    /var\(\s*(--tiding-[\w-]+)\s*(?:,\s*((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*))?\)/g;
  for (const file of sheets) {
    for (const [, name, fallback] of textOf(join(theme, file)).matchAll(reference)) {
      if (!found.has(name)) found.set(name, fallback?.replace(/\s+/g, ' ').trim());
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, fallback]) => ({ name, ...(fallback ? { default: fallback } : {}) }));
}

const field = ([name, property]) => ({
  kind: 'field',
  name,
  type: { text: typeOfProperty(property) },
  description: property.doc,
  ...(property.kind === 'object' ? {} : { attribute: kebab(name) }),
});
const attribute = ([name, property]) => ({
  name: kebab(name),
  fieldName: name,
  type: { text: property.kind === 'json' ? 'string' : valueTypeOf(property) },
  description: property.kind === 'json' ? `${property.doc} As JSON.` : property.doc,
});
const attributes = (properties) =>
  Object.entries(properties)
    .filter(([, { kind }]) => kind !== 'object')
    .map(attribute);

/** The parameters of a method: `a: string, b?: number`. Types must not contain `, name:`. */
const parametersOf = (text = '') =>
  [...text.matchAll(/(\w+)(\??): (.+?)(?=, \w+\??: |$)/g)].map(([, name, mark, type]) => ({
    name,
    type: { text: type },
    ...(mark ? { optional: true } : {}),
  }));

export function manifest(elements, common, { version }) {
  const all = [...sources(join(root, 'elements'))];
  const own = {
    kind: 'class',
    name: base.name,
    description:
      'Members of every element. Custom properties, which a page can set anywhere, define ' +
      'the colours, sizes and fonts.',
    attributes: [
      ...attributes(common),
      {
        name: 'theme',
        type: { text: "'light' | 'dark' | 'auto'" },
        default: "'auto'",
        description: 'Light or dark; auto follows the page.',
      },
      {
        name: 'density',
        type: { text: "'compact' | 'comfortable'" },
        description: 'Smaller or larger controls and rows; without it the standard size.',
      },
      {
        name: 'contrast',
        type: { text: "'more'" },
        description: 'High contrast; without it the system setting applies.',
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
      name: classNameOf(spec.tag),
      tagName: spec.tag,
      description: spec.doc,
      superclass: base,
      attributes: attributes(spec.properties),
      members: [
        ...Object.entries(spec.properties).map(field),
        ...(spec.methods ?? []).map(({ name, doc, parameters, returns }) => ({
          kind: 'method',
          name,
          description: doc,
          parameters: parametersOf(parameters),
          return: { type: { text: returns } },
        })),
      ],
      events: (spec.events ?? []).map(({ name, doc }) => ({
        name,
        type: { text: `TidingEvent<'${name}'>` },
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
          declaration: { name: classNameOf(tag), module: base.module },
        })),
      },
    ],
  };
}

/** Writes the manifest, the declarations and the data of editors beside the built library. */
export async function writeManifest() {
  const dist = join(root, 'elements/dist');
  const { elements, commonProperties } = await import(join(dist, 'index.js'));
  const packageJson = JSON.parse(readFileSync(join(root, 'elements/package.json'), 'utf8'));
  const described = manifest(elements, commonProperties, packageJson);
  writeFileSync(join(dist, 'custom-elements.json'), `${JSON.stringify(described, null, 1)}\n`);
  writeElementTypes(dist, { elements, commonProperties, manifest: described, packageJson });
  writeAngularDirectives(dist, elements, commonProperties);
}
