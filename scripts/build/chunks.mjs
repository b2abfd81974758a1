/** Which modules of the app share a file. */
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A file with all files that it imports statically. */
export function staticImports(bundle, name, seen = new Set()) {
  if (seen.has(name)) return [...seen];
  seen.add(name);
  for (const imported of bundle[name].imports) staticImports(bundle, imported, seen);
  return [...seen];
}

/** The modules that each page loads, with all that they import. */
const pages = {
  home: ['elements/notes/home-view.tsx', 'elements/shell/navigation-view.tsx'],
  paragraph: ['elements/note/paragraph/paragraph-view.tsx', 'client/note/index.ts'],
  reader: [
    'elements/note/paragraph/paragraph-card.tsx',
    'elements/note/paragraph/fixed-code-part.tsx',
  ],
  card: ['elements/note/paragraph/paragraph-card.tsx', 'elements/note/paragraph/code-part.tsx'],
  note: ['elements/note/notebook-view.tsx', 'elements/shell/navigation-view.tsx'],
};
/** The same for what pages load at the beginning or on demand. */
const parts = {
  start: ['elements/define.ts'],
  views: ['elements/bridge.tsx', 'elements/shell/workbench-view.tsx'],
  protocol: ['client/session/protocol-module.ts', 'client/common-areas.ts'],
  table: ['elements/result/displays/table-result/table-display.tsx'],
  grid: ['elements/result/visualizations/table/index.tsx'],
  ordering: ['elements/result/visualizations/table/state/ordering.ts'],
  menus: ['elements/ui/menu/menu-list.tsx', 'elements/result/parts/base-menu.tsx'],
  editor: ['elements/editor/code-editor.tsx', 'node_modules/@codemirror/language/dist/index.js'],
};
/** The folders of the elements from the ground up, see `test/rooms.test.ts`; `*` are pages. */
export const elementFloors =
  'text theme runtime ui portal editor result note-list note filter * shell widgets wording ' +
  'react snapshot';
const shared = elementFloors.split(' ').filter((name) => name !== '*' && name !== 'widgets');
/** Folders of pages and widgets: all that neither home nor notes nor every page needs. */
const otherPages = new RegExp(
  `/elements/(?!(?:${[...shared, 'notes', 'themes'].join('|')})/)[\\w-]+/`,
);
/** Widgets that host pages show alone: they load nothing for the sake of other pages. */
const smallWidgets =
  /\/(?:widget-view|data-set-profile|cluster-card-view|widgets\/profiles\/index)\.tsx?$/;
/** The page's own data, which host pages show alone as well: its rows with charts, and the rest. */
const ownData = /\/elements\/output\//;
const ownRows = /\/(?:output-view|visualizations\/[\w-]*chart\/(?:index|kind|pivot-chart))\.tsx?$/;
const shownWithWidgets = new Set(['paragraph', 'reader', 'card', 'table', 'grid']);
/** What several of them share is in the file of the first one: the others load it as well. */
const order = [
  ...['paragraph', 'reader', 'card', 'note', 'home'],
  ...['table', 'grid', 'ordering', 'menus', 'editor'],
];
/** What schemas are made with. */
const schemas = /\/node_modules\/zod\/|\/client\/protocol\/define\.ts$/;
/** What the protocol and pages need: neither loads the other for it. */
const constants = /\/client\/protocol\/constants\.ts$/;
/** Everything else that is loaded on demand, each by itself: other pages, and parts of pages. */
const loadedLater = {
  widgets: (id) => smallWidgets.test(id),
  others: (id) => otherPages.test(id) && !smallWidgets.test(id) && !ownData.test(id),
  rows: (id) => ownRows.test(id),
  later: (id) => !otherPages.test(id) || (ownData.test(id) && !ownRows.test(id)),
};
/** Text of dialogs and panels of a note, one file for all of them. */
const noteTexts =
  /\/note\/(?:(?:panels|schedule|forms|find|revisions)\/|dialogs\/(?:palette|shortcut)-)texts\./;

/** Icons that a page needs later are in the file of the first of these pages that shows them. */
const iconGroups = {
  icons: /\/elements\/(?:notes|shell|ui)\//,
  'note-icons': /\/elements\/(?:note|editor|result)\//,
};
const isIcon = (id) => id.includes('/lucide-react/');
/** What renders views with React, without what writes markup, which only exports need. */
const isRenderer = (id) => /\/node_modules\/(?:react-dom|scheduler)\/(?!.*server)/.test(id);

/** Whether a pattern matches one of the modules that import an icon. */
const isShownBy = (icon, pattern, context, seen = new Set()) => {
  if (seen.has(icon)) return false;
  seen.add(icon);
  return (context.getModuleInfo(icon)?.importers ?? []).some((id) =>
    isIcon(id) ? isShownBy(id, pattern, context, seen) : pattern.test(id),
  );
};
const iconGroupOf = (id, context) =>
  isIcon(id) && Object.keys(iconGroups).find((name) => isShownBy(id, iconGroups[name], context));

/**
 * Puts modules that the same pages load into one file: a file for each module would be more
 * requests than a page can afford. What is also imported by code that is loaded later is in files
 * of its own, so that this code doesn't load a page that isn't shown.
 *
 * A module is loaded wherever the modules that import it are, so that files never import each
 * other: such files fail at the first `createContext`.
 *
 * A first output, which is not written, shows what is loaded together: before unused imports are
 * removed, modules can't be told from those of pages that are loaded later.
 *
 * @param appOutput returns the output options for a function that names the file of a module
 * @returns the options of both outputs
 */
export function splitApp(appOutput) {
  let fileNameOf;
  let resolve;
  const found = new Promise((done) => (resolve = done));
  return [
    {
      ...appOutput((id) => (isRenderer(id) ? 'views' : null)),
      plugins: [
        {
          name: 'find-pages',
          generateBundle(_options, bundle) {
            fileNameOf = namesOfFiles(Object.values(bundle));
            for (const name of Object.keys(bundle)) delete bundle[name];
            resolve();
          },
        },
      ],
    },
    appOutput(
      (id, context) => fileNameOf(id, context),
      // Rollup calls this hook before it assigns modules to files.
      { name: 'after-find-pages', renderStart: () => found },
    ),
  ];
}

/** Returns a function that names the file of a module. */
function namesOfFiles(output) {
  const chunks = Object.fromEntries(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const fileOf = (source) => {
    const id = join(root, source);
    const found = Object.values(chunks).find(({ modules }) => Object.hasOwn(modules, id));
    if (!found) throw new Error(`No page loads ${source}`);
    return found.fileName;
  };
  const known = Object.entries({ ...parts, ...pages }).map(([name, sources]) => [
    name,
    sources.map(fileOf),
  ]);
  const entries = new Set(known.flatMap(([, files]) => files));
  const later = Object.values(chunks).filter(
    ({ isDynamicEntry, fileName }) => isDynamicEntry && !entries.has(fileName),
  );
  /** What loads each module. */
  const users = new Map();
  const use = (name, files) => {
    for (const file of new Set(files.flatMap((entry) => staticImports(chunks, entry))))
      for (const id of Object.keys(chunks[file].modules))
        users.set(id, [...(users.get(id) ?? []), name]);
  };
  for (const [name, files] of known) use(name, files);
  for (const [name, isOne] of Object.entries(loadedLater))
    use(
      name,
      later
        .filter(({ facadeModuleId }) => isOne(facadeModuleId ?? ''))
        .map(({ fileName }) => fileName),
    );
  const nameOf = (id) => {
    const names = users.get(id) ?? [];
    if (names.includes('start') || constants.test(id)) return 'start';
    if (names.includes('views')) return 'views';
    // Widgets check the data of a page without a server.
    if (schemas.test(id)) return 'schemas';
    // Every client loads the protocol. Which other code loads parts of it differs between builds.
    if (names.includes('protocol') && !names.some((each) => each in pages)) return 'protocol';
    const first = order.find((name) => names.includes(name));
    if (first === undefined) return null;
    const also = ['widgets', 'others', 'rows'].find((name) => names.includes(name));
    // Home and paragraphs share little: one file for it costs others less than more requests.
    if (first !== 'home' && first !== 'note' && names.includes('home')) return 'home-paragraph';
    // Small widgets share even less with what they don't show.
    if (also === 'widgets' && shownWithWidgets.has(first)) return 'widget-parts';
    return [...(first !== 'home' && names.includes('home') ? ['home'] : []), first, also]
      .filter(Boolean)
      .join('-');
  };
  return (id, context) =>
    nameOf(id) ?? (iconGroupOf(id, context) || (noteTexts.test(id) ? 'note-texts' : null));
}
