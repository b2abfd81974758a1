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

/**
 * Small modules that many pages share, one file for each group: a file for each module would be
 * more requests than a page can afford. None of them may import anything large, or
 * anything that imports them: chunks that import each other fail at the first `createContext`.
 */
const groups = {
  react: /\/node_modules\/(?:react|react-dom|scheduler)\//,
  shared: new RegExp(
    '/elements/(?:ui/menu/menu-button|runtime/(?:client-view|app-url|note-right|use-note-rights)' +
      '|text/(?:fill|note/(?:note|rights)))\\.',
  ),
  model: /\/client\/model\/(?:notes\/note-|text\/date-)/,
  home: new RegExp(
    '/elements/(?:notes/(?:home-view|note-list-view|note-dialogs|tree|actions|recent)' +
      '|shell/(?:navigation-view|navigation(?=\\.css)|menus|cluster-menu)' +
      '|clusters/cluster-(?:store|text)' +
      '|text/pages/clusters)\\.',
  ),
  'paragraph-texts': new RegExp(
    '/elements/text/(?:note/(?:paragraph|announce|collaboration|drag|editor)' +
      '|results/(?:result|packages))\\.',
  ),
  'note-texts': /\/elements\/text\/note\/(?:panels|shortcuts|find|revisions)\./,
};

/** Icons that a page needs later are in the file of the first of these pages that shows them. */
const iconGroups = {
  icons: /\/elements\/(?:notes|shell|ui)\//,
  'note-icons': /\/elements\/(?:note|editor|result)\//,
};
const isIcon = (id) => id.includes('/lucide-react/');

/** Whether a pattern matches one of the modules that import an icon. */
const isShownBy = (icon, pattern, context, seen = new Set()) => {
  if (seen.has(icon)) return false;
  seen.add(icon);
  return (context.getModuleInfo(icon)?.importers ?? []).some((id) =>
    isIcon(id) ? isShownBy(id, pattern, context, seen) : pattern.test(id),
  );
};
const iconGroup = {
  test: isIcon,
  name: (id, context) =>
    Object.keys(iconGroups).find((name) => isShownBy(id, iconGroups[name], context)) ?? null,
};

/** Whether a module is in a group, or only modules of the group import it, such as its styles. */
const belongsTo = (pattern, id, context, seen = new Set()) => {
  if (pattern.test(id) || seen.has(id)) return true;
  seen.add(id);
  const { isEntry, importers, dynamicImporters } = context.getModuleInfo(id);
  return (
    !isEntry &&
    !dynamicImporters.length &&
    importers.length > 0 &&
    importers.every((importer) => belongsTo(pattern, importer, context, seen))
  );
};
const groupOf = (id, context) =>
  Object.keys(groups).find((name) => belongsTo(groups[name], id, context)) ?? null;

/**
 * Modules that are loaded together, each with the modules that it imports: a file for each module
 * would be more requests than a page can afford. Modules that other pages import too are left out.
 */
const loadedTogether = {
  'open-note': ['client/note/index.ts'],
  paragraph: ['elements/note/paragraph/paragraph-view.tsx'],
  protocol: ['client/protocol-module.ts', 'client/areas.ts'],
};
/** Modules that may load all of the above, although some of them need only a part. */
const mayLoadAll = [
  ...Object.values(loadedTogether).flat(),
  'elements/note/notebook-view.tsx',
  'elements/note/dialogs/shortcuts.tsx',
  'client/channel/rest-transport.ts',
];

/**
 * Puts the modules that every page loads into one file, and those that are loaded together. A first
 * pass finds them: before unused imports are removed, they can't be told from those of pages that
 * are loaded later.
 *
 * @param appOutput returns the output options with these groups
 */
export async function splitApp(build, appOutput) {
  const { output } = await build.generate(appOutput([{ test: groups.react, name: 'react' }]));
  const chunks = Object.fromEntries(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const fileOf = (source) => {
    const id = join(root, source);
    const found = Object.values(chunks).find(({ modules }) => Object.hasOwn(modules, id));
    if (!found) throw new Error(`No page loads ${source}`);
    return found.fileName;
  };
  const modulesOf = (names) => new Set(names.flatMap((name) => Object.keys(chunks[name].modules)));
  const loadedWith = (source) => modulesOf(staticImports(chunks, fileOf(source)));
  const first = loadedWith('elements/define.ts');
  const elsewhere = modulesOf(withLazy(chunks, new Set(mayLoadAll.map(fileOf))));
  const paragraph = loadedWith('elements/note/paragraph/paragraph-view.tsx');
  const names = new Map();
  for (const [name, sources] of Object.entries(loadedTogether))
    for (const source of sources)
      for (const id of loadedWith(source))
        if (!first.has(id) && !elsewhere.has(id) && !names.has(id)) names.set(id, name);
  return appOutput([
    { test: groups.react, name: 'react', priority: 3 },
    { test: (id) => first.has(id), name: 'common', priority: 2 },
    { test: (id) => names.has(id), name: (id) => names.get(id), priority: 1 },
    { test: (id) => isIcon(id) && paragraph.has(id), name: 'paragraph-icons', priority: 1 },
    iconGroup,
    { name: groupOf },
  ]);
}

/** All files that the entries load at some time, except through the files in `without`. */
function withLazy(chunks, without) {
  const seen = new Set(without);
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const { imports, dynamicImports } = chunks[name];
    for (const each of [...imports, ...dynamicImports]) visit(each);
  };
  for (const { isEntry, fileName } of Object.values(chunks)) if (isEntry) visit(fileName);
  return [...seen].filter((name) => !without.has(name));
}
