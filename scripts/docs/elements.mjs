/**
 * A page for each custom element, from the custom elements manifest and the example payloads; and
 * an overview of all elements.
 */
import { code, fence, page, section, sentence, table } from './markdown.mjs';

const SERVER = 'http://127.0.0.1:8080';
/** Example values of attributes without which an element shows nothing. */
const samples = {
  note: '2ABCDEFGH',
  paragraph: '20261121-070135_35893072',
  cluster: 'main_cluster',
  'reset-token': '…',
  term: 'trips',
};
const needed = {
  'tiding-notebook': ['note'],
  'tiding-paragraph': ['note', 'paragraph'],
  'tiding-paragraph-frame': ['note', 'paragraph'],
  'tiding-cluster-card': ['cluster'],
  'tiding-password-reset': ['reset-token'],
  'tiding-search': ['term'],
};
/** Widgets whose data are files on a server. */
const withServer = new Set(['tiding-exported-result', 'tiding-exported-file']);

const script = `<script type="module" src="${SERVER}/tiding.js"></script>`;
const indent = (text, by) =>
  text
    .split('\n')
    .map((line) => by + line)
    .join('\n');

/** The markup to copy. `payloads` holds example data by file name. */
function markupOf({ tagName, widget }, payloads) {
  if (tagName === 'tiding-workbench')
    return [
      script,
      `<tiding-workbench server="${SERVER}">`,
      '  <tiding-note-list></tiding-note-list>',
      '</tiding-workbench>',
    ].join('\n');
  const isWidget = widget !== undefined || tagName === 'tiding-widget';
  const server = !isWidget || withServer.has(tagName) ? ` server="${SERVER}"` : '';
  const attributes = (needed[tagName] ?? []).map((name) => ` ${name}="${samples[name]}"`).join('');
  if (!isWidget) return `${script}\n<${tagName}${server}${attributes}></${tagName}>`;
  const id = widget ?? 'table';
  const data =
    payloads[id] ?? payloads[Object.keys(payloads).find((name) => name.startsWith(`${id}-`))];
  const which = widget === undefined ? ` widget="${id}"` : '';
  if (data === undefined) return `${script}\n<${tagName}${server}${which}></${tagName}>`;
  const json = indent(JSON.stringify(data, null, 2), '    ').replaceAll('</', '<\\/');
  return [
    script,
    `<${tagName}${server}${which}>`,
    `  <script type="application/json">\n${json}\n  </script>`,
    `</${tagName}>`,
  ].join('\n');
}

const described = ({ description }) => sentence(description ?? '');
const fields = (of) => (of.members ?? []).filter(({ kind }) => kind === 'field');

/** Attributes and properties in one table: most are both. */
function properties(of) {
  const rows = fields(of).map(({ name, type, description, attribute }) => [
    attribute ? code(attribute) : '',
    code(name),
    code(type.text.replace(' | undefined', '')),
    sentence(description ?? ''),
  ]);
  const known = new Set(fields(of).map(({ attribute }) => attribute));
  const others = (of.attributes ?? [])
    .filter(({ name }) => !known.has(name))
    .map((each) => [code(each.name), '', code(each.type.text), described(each)]);
  return table(['Attribute', 'Property', 'Type', 'Description'], [...rows, ...others]);
}

const reference = (of) => [
  ...section('Attributes and properties', properties(of)),
  ...section(
    'Methods',
    table(
      ['Method', 'Returns', 'Description'],
      (of.members ?? [])
        .filter(({ kind }) => kind === 'method')
        .map((each) => [code(`${each.name}()`), code(each.return.type.text), described(each)]),
    ),
  ),
  ...section(
    'Events',
    table(
      ['Event', 'Description'],
      (of.events ?? []).map((each) => [code(each.name), described(each)]),
    ),
  ),
  ...section(
    'Slots',
    table(
      ['Slot', 'Description'],
      (of.slots ?? []).map((each) => [each.name ? code(each.name) : '(default)', described(each)]),
    ),
  ),
  ...section(
    'Parts',
    (of.cssParts ?? []).length > 0
      ? `Style these with \`::part(name)\`: ${of.cssParts
          .map(({ name }) => code(name))
          .join(', ')}.`
      : '',
  ),
];

const groupOf = ({ widget, tagName }) =>
  widget !== undefined || tagName === 'tiding-widget' ? 'Display widgets' : 'Workbench elements';

/** The pages of all elements, by their path within the documentation folder. */
export function elementPages(manifest, payloads) {
  const { declarations } = manifest.modules[0];
  const elements = declarations.filter(({ customElement }) => customElement);
  const common = declarations.find(({ customElement }) => !customElement);
  const pages = new Map();
  elements.forEach((of, index) => {
    const tag = of.tagName;
    pages.set(
      `elements/${tag}.md`,
      page(
        {
          title: tag,
          order: 100 + index,
          group: groupOf(of),
          description: of.description,
          pageClass: 'wide',
        },
        [
          described(of),
          // At the width of a page, the panel of a notebook covers its paragraphs.
          section(
            'Example',
            `<LiveExample tag="${tag}"${tag === 'tiding-notebook' ? ' first="bare"' : ''} />`,
            groupOf(of) === 'Display widgets' ? '' : 'The example runs on a server in this page.',
          ),
          section(
            'Code',
            fence('html', markupOf(of, payloads)),
            'With a bundler, import the element instead of the script tag:',
            fence('ts', `import '@tiding/elements/${tag}';`),
          ),
          reference(of),
          section(
            'Custom properties',
            'Colors, sizes and fonts come from the ' +
              '[custom properties of all elements](./common.md#custom-properties).',
          ),
        ],
      ),
    );
  });
  pages.set(
    'elements/common.md',
    page(
      {
        title: 'What all elements share',
        order: 2,
        description:
          'Attributes, properties and CSS custom properties that every Tiding element has.',
      },
      [
        'Every Tiding element has these attributes, properties and CSS custom properties.',
        reference(common),
        section(
          'Custom properties',
          'Set them on the element or on any ancestor. ' +
            'The default of a color has two values: light and dark.',
          table(
            ['Property', 'Default'],
            (common.cssProperties ?? []).map(({ name, default: value }) => [
              code(name),
              code(value ?? ''),
            ]),
          ),
        ),
      ],
    ),
  );
  const list = (name) =>
    table(
      ['Element', 'Shows'],
      elements
        .filter((of) => groupOf(of) === name)
        .map((of) => [`[${code(`<${of.tagName}>`)}](./${of.tagName}.md)`, described(of)]),
    );
  pages.set(
    'elements/index.md',
    page(
      {
        title: 'All elements',
        order: 1,
        description: 'Every custom element of Tiding, with a live example on each page.',
      },
      [
        [
          'Each page shows the element live, its code to copy, and its attributes, events and',
          'parts. The same description is published as a custom elements manifest,',
          '`@tiding/elements/manifest`, which editors read for completion.',
        ].join(' '),
        section(
          'Workbench elements',
          'They show notes and the pages of a server, and need a connection to one: ' +
            'the attribute `server`, or a `<tiding-workbench>` around them.',
          list('Workbench elements'),
        ),
        section(
          'Display widgets',
          'They show plain data, without a server, a note or a sign-in.',
          list('Display widgets'),
        ),
      ],
    ),
  );
  return pages;
}
