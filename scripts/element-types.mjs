/**
 * What editors and compilers know about the elements, from their specs, in `elements/dist/types`:
 * declarations for the DOM and for the JSX or templates of frameworks. And custom data of editors:
 * `vscode.html-custom-data.json` and `web-types.json`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classNameOf, componentNameOf } from './tag-entries.mjs';

const kinds = { string: 'string', number: 'number', boolean: 'boolean' };

export const valueTypeOf = ({ kind, valueType }) => valueType ?? kinds[kind] ?? 'unknown';

/** The type of a property that may be unset. */
export const typeOfProperty = (property) =>
  `${valueTypeOf(property)}${property.kind === 'boolean' ? '' : ' | undefined'}`;

const comment = (text, indent) => `${indent}/** ${text.replaceAll('*/', '*\\/')} */`;
/** Properties that `HTMLElement` declares already. */
const ofEveryElement = new Set(['title']);
const union = (names) => names.map((name) => `'${name}'`).join(' | ') || 'never';

/** `elements.d.ts`: an interface for each element, and the global maps of the DOM. */
function elementDeclarations(elements, commonNames) {
  const own = ({ properties }) =>
    Object.entries(properties).filter(([name]) => !commonNames.has(name));
  const interfaces = elements.map((spec) =>
    [
      comment(spec.doc, ''),
      `export interface ${classNameOf(spec.tag)} extends TidingElement {`,
      ...own(spec).flatMap(([name, property]) =>
        ofEveryElement.has(name)
          ? []
          : [comment(property.doc, '  '), `  ${name}: ${typeOfProperty(property)};`],
      ),
      ...(spec.methods ?? []).flatMap(({ name, doc, parameters = '', returns }) => [
        comment(doc, '  '),
        `  ${name}(${parameters}): ${returns};`,
      ]),
      '}',
    ].join('\n'),
  );
  const rows = elements.map(
    (spec) =>
      `  '${spec.tag}': {
    element: ${classNameOf(spec.tag)};
    properties: ${union([...commonNames, ...own(spec).map(([name]) => name)])};
    events: ${union((spec.events ?? []).map(({ name }) => name))};
  };`,
  );
  return `import type { Client, RunResult } from '@tiding/client';
import type { WidgetId } from '@tiding/client/widgets';
import type {
  ChartColumns,
  FilterOption,
  NavigationPage,
  OutputConfig,
  OutputData,
  RowData,
  TidingElement,
  TidingEvent,
  TidingEventName,
  TokenSource,
  WidgetInput,
} from '@tiding/elements';

${interfaces.join('\n\n')}

/** Elements by tag, with the names of their properties and events. */
export interface TidingElements {
${rows.join('\n')}
}

/** Tag of an element. */
export type TidingTag = keyof TidingElements;

/** Properties of an element, all optional, and the attributes that every element has. */
export type TidingProperties<Tag extends TidingTag> = Partial<
  Pick<
    TidingElements[Tag]['element'],
    TidingElements[Tag]['properties'] & keyof TidingElements[Tag]['element']
  >
> & {
  /** Light or dark; \`auto\` follows the page. */
  theme?: 'light' | 'dark' | 'auto' | undefined;
  /** Smaller or larger controls and rows. */
  density?: 'compact' | 'comfortable' | undefined;
  /** High contrast; without it the system setting applies. */
  contrast?: 'more' | undefined;
};

/** Listeners of an element's events, with a prefix such as \`on\` before the name. */
export type TidingListeners<Tag extends TidingTag, Prefix extends string> = {
  [Name in TidingElements[Tag]['events'] as \`\${Prefix}\${Name}\`]?:
    | ((event: TidingEvent<Name>) => void)
    | undefined;
};

type CamelCase<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\`
  ? \`\${First}\${Capitalize<CamelCase<Rest>>}\`
  : Name;
/** Listeners of an element's events in camel case, such as \`onTidingReady\`. */
export type TidingCallbacks<Tag extends TidingTag> = {
  [Name in TidingElements[Tag]['events'] as \`on\${Capitalize<CamelCase<Name>>}\`]?:
    | ((event: TidingEvent<Name>) => void)
    | undefined;
};

type TagNames = { [Tag in TidingTag]: TidingElements[Tag]['element'] };
type Events = { [Name in TidingEventName]: TidingEvent<Name> };

declare global {
  interface HTMLElementTagNameMap extends TagNames {}
  interface HTMLElementEventMap extends Events {}
}
`;
}

/**
 * Declares the tags to a framework that has a map of its elements. `attributes`: those of its other
 * elements. `listener`: prefix of the names of listeners.
 */
const frameworkMap = ({ imports, attributes, listener, declaration }) => `${imports}
import type { TidingElements, TidingListeners, TidingProperties, TidingTag } from './elements.js';

type Attributes<Tag extends TidingTag> = Omit<
  ${attributes},
  keyof TidingProperties<Tag>
> &
  TidingProperties<Tag> &
  TidingListeners<Tag, ${listener}>;
type Intrinsic = { [Tag in TidingTag]: Attributes<Tag> };

${declaration}
`;
const element = "TidingElements[Tag]['element']";
const jsxOf = (name) => `declare module '${name}' {
  namespace JSX {
    interface IntrinsicElements extends Intrinsic {}
  }
}`;

/** Declarations of the frameworks that check their own markup. */
const frameworks = {
  react: frameworkMap({
    imports: "import type { DetailedHTMLProps, HTMLAttributes } from 'react';",
    attributes: `DetailedHTMLProps<HTMLAttributes<${element}>, ${element}>`,
    listener: "'on'",
    declaration: jsxOf('react'),
  }),
  preact: frameworkMap({
    imports: "import type { HTMLAttributes } from 'preact';",
    attributes: `HTMLAttributes<${element}>`,
    listener: "'on'",
    declaration: jsxOf('preact'),
  }),
  solid: frameworkMap({
    imports: "import type { JSX } from 'solid-js';",
    attributes: `JSX.HTMLAttributes<${element}>`,
    listener: "'on:'",
    declaration: jsxOf('solid-js'),
  }),
  svelte: frameworkMap({
    imports: "import type { HTMLAttributes } from 'svelte/elements';",
    attributes: `HTMLAttributes<${element}>`,
    listener: "'on' | 'on:'",
    declaration: `declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Intrinsic {}
}`,
  }),
  vue: `import type { HTMLAttributes, PublicProps } from 'vue';
import type { TidingCallbacks, TidingProperties, TidingTag } from './elements.js';

type Component<Tag extends TidingTag> = new () => {
  $props: Omit<HTMLAttributes, keyof TidingProperties<Tag>> &
    TidingProperties<Tag> &
    TidingCallbacks<Tag> &
    PublicProps;
};
type Components = { [Tag in TidingTag]: Component<Tag> };

declare module 'vue' {
  interface GlobalComponents extends Components {}
}
`,
};

/** `components.d.ts`: the React component of each element. */
const componentDeclarations = (elements) => `import type {
  DetailedHTMLProps,
  HTMLAttributes,
  ReactElement,
} from 'react';
import type { TidingCallbacks, TidingElements, TidingProperties, TidingTag } from './elements.js';

/** Props of an element's component: its properties, its events, and those of every HTML element. */
export type TidingComponentProps<Tag extends TidingTag> = Omit<
  DetailedHTMLProps<HTMLAttributes<${element}>, ${element}>,
  keyof TidingProperties<Tag>
> &
  TidingProperties<Tag> &
  TidingCallbacks<Tag>;
/** Component of an element. It loads and registers the element when it is in the page. */
export type TidingComponent<Tag extends TidingTag> = (
  props: TidingComponentProps<Tag>,
) => ReactElement;

${elements
  .map(
    ({ tag, doc }) => `${comment(doc, '')}
export declare const ${componentNameOf(tag)}: TidingComponent<'${tag}'>;`,
  )
  .join('\n')}
`;

/** `react/properties.js`: the names of all properties, which components set on elements. */
const propertyNames = (elements, commonNames) =>
  `export const elementProperties = new Set(${JSON.stringify([
    ...new Set([...commonNames, ...elements.flatMap(({ properties }) => Object.keys(properties))]),
  ])});\n`;

const tagsOf = ({ modules: [{ declarations }] }) => {
  const common = declarations.find(({ customElement }) => !customElement);
  return declarations
    .filter(({ customElement }) => customElement)
    .map((declaration) => ({
      ...declaration,
      attributes: [
        ...common.attributes,
        ...declaration.attributes.filter(
          ({ name }) => !common.attributes.some((shared) => shared.name === name),
        ),
      ],
    }));
};
/** The texts that an attribute can have, if its type is a union of texts. */
const choicesOf = ({ type: { text } }) =>
  /^'[^']+'( \| '[^']+')*$/.test(text) ? text.split(' | ').map((each) => each.slice(1, -1)) : [];

/** Custom data for the HTML editor of VS Code. */
const vsCodeData = (manifest) => ({
  version: 1.1,
  tags: tagsOf(manifest).map(({ tagName, description, attributes }) => ({
    name: tagName,
    description,
    attributes: attributes.map((attribute) => ({
      name: attribute.name,
      description: attribute.description,
      ...(attribute.type.text === 'boolean' ? { valueSet: 'v' } : {}),
      ...(choicesOf(attribute).length > 0
        ? { values: choicesOf(attribute).map((name) => ({ name })) }
        : {}),
    })),
  })),
});

/** Web types for the editors of JetBrains. */
const webTypes = (manifest, { name, version }) => ({
  $schema: 'https://json.schemastore.org/web-types',
  name,
  version,
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: tagsOf(manifest).map(({ tagName, description, attributes, members, events }) => ({
        name: tagName,
        description,
        attributes: attributes.map((attribute) => ({
          name: attribute.name,
          description: attribute.description,
          value: { type: attribute.type.text },
        })),
        js: {
          properties: members
            .filter(({ kind }) => kind === 'field')
            .map((member) => ({
              name: member.name,
              description: member.description,
              type: member.type.text,
            })),
          events: events.map((event) => ({ name: event.name, description: event.description })),
        },
      })),
    },
  },
});

/** Writes the declarations and the data of editors beside the built elements. */
export function writeElementTypes(dist, { elements, commonProperties, manifest, packageJson }) {
  const folder = join(dist, 'types');
  mkdirSync(folder, { recursive: true });
  const commonNames = new Set(Object.keys(commonProperties));
  const files = {
    elements: elementDeclarations(elements, commonNames),
    components: componentDeclarations(elements),
    ...frameworks,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, `${name}.d.ts`), text);
  writeFileSync(join(dist, 'react/properties.js'), propertyNames(elements, commonNames));
  // For programs in this repository. `npm run build -- --types` replaces it.
  writeFileSync(
    join(dist, 'react.d.ts'),
    "export * from '../react/index.ts';\nexport * from './types/components.js';\n",
  );
  const data = {
    'vscode.html-custom-data': vsCodeData(manifest),
    'web-types': webTypes(manifest, packageJson),
  };
  for (const [name, value] of Object.entries(data))
    writeFileSync(join(dist, `${name}.json`), `${JSON.stringify(value, null, 1)}\n`);
}
