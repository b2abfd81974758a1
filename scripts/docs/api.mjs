/**
 * The reference of the TypeScript API: TypeDoc's pages, and a page for each entry that lists its
 * exports.
 */
import { join } from 'node:path';
import { entries, paths, root } from './layout.mjs';
import { code, page, sentence, table } from './markdown.mjs';

/** Section titles in order, by TypeDoc's name of the kind. */
const kinds = {
  Function: 'Functions',
  Class: 'Classes',
  Interface: 'Interfaces',
  TypeAlias: 'Types',
  Variable: 'Values',
  Enum: 'Enums',
  Namespace: 'Namespaces',
};

/** The first sentence of a comment. */
function summaryOf(reflection) {
  const { comment } = reflection.signatures?.[0]?.comment ? reflection.signatures[0] : reflection;
  const text = (comment?.summary ?? [])
    .map(({ text: part }) => part)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text;
}

/** Writes TypeDoc's pages and returns the pages that link to them. Throws on TypeDoc warnings. */
export async function writeApi(folder) {
  const { Application, ReflectionKind } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins({
    options: join(root, 'typedoc.json'),
    out: folder,
    readme: 'none',
    hideGenerator: true,
    favicon: join(root, paths.icon),
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the sources');
  app.validate(project);
  const urls = new Map();
  app.renderer.on('endRender', ({ pages: all }) => {
    for (const { model, url } of all) urls.set(model, url);
  });
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('TypeDoc reported warnings; see above');
  /** Resolves a re-exported name to its declaration. */
  const meant = (reflection) =>
    reflection.isReference?.() ? reflection.getTargetReflectionDeep() : reflection;
  const urlOf = (reflection) => {
    const url = urls.get(meant(reflection));
    if (!url) throw new Error(`TypeDoc wrote no page for ${reflection.getFullName()}`);
    return url;
  };
  const known = entries();
  const pages = new Map();
  const list = [];
  const placeOf = (module) =>
    known.findIndex(({ local, name }) => module.name === local || module.name === name);
  for (const module of [...(project.children ?? [])].sort((a, b) => placeOf(a) - placeOf(b))) {
    const entry = known[placeOf(module)];
    if (!entry) throw new Error(`The module ${module.name} is not an entry of any package`);
    const file = `reference/api/${entry.name.replace('@', '').replaceAll('/', '-')}.md`;
    const linkTo = (reflection, text) =>
      `<a href="/docs/reference/typedoc/${urlOf(reflection)}" target="_self">${text}</a>`;
    const link = (reflection) => linkTo(reflection, code(reflection.name));
    const groups = Object.entries(kinds).map(([kind, title]) => [
      title,
      module.children
        .filter((each) => ReflectionKind[meant(each).kind] === kind)
        .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
    ]);
    const description = summaryOf(module);
    list.push([
      `[${code(entry.name)}](./${file.split('/').at(-1)})`,
      sentence(description),
      String(module.children.length),
    ]);
    pages.set(
      file,
      page(
        {
          title: entry.name,
          heading: code(entry.name),
          order: 20 + list.length,
          group: 'TypeScript API',
          description: description || `Exports of ${entry.name}.`,
        },
        [
          sentence(description),
          `Each name links to its full description in the ${linkTo(module, 'TypeDoc reference')}.`,
          ...groups.flatMap(([title, members]) =>
            members.length === 0
              ? []
              : [
                  `## ${title}`,
                  table(
                    ['Name', 'Description'],
                    members.map((each) => [link(each), sentence(summaryOf(meant(each)))]),
                  ),
                ],
          ),
        ],
      ),
    );
  }
  pages.set(
    'reference/api/index.md',
    page(
      {
        title: 'Packages and entries',
        order: 20,
        group: 'TypeScript API',
        description: 'What you can import from Tiding, by package and entry.',
      },
      [
        'Import only the entries you need. None of them loads entries that you do not use.',
        table(['Import', 'Content', 'Exports'], list),
        'The <a href="/docs/reference/typedoc/index.html" target="_self">TypeDoc reference</a> ' +
          'describes every exported name with its members.',
      ],
    ),
  );
  return pages;
}
