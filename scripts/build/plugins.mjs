/** Plugins of the builds that change or add modules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { transform as css } from 'lightningcss';
import { componentNameOf, tagEntries } from '../tag-entries.mjs';
import { staticImports } from './chunks.mjs';

/**
 * Imports each icon from its own file. The package's index imports all 1,700 icons and would slow
 * down every build.
 */
const icons = (code) =>
  code.replace(/import \{([^}]+)\} from ['"]lucide-react['"];?/g, (_, names) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
      .map((each) => {
        const [name, local = name] = each.split(/ as /);
        const file = name
          .replace(/([a-z])([A-Z\d])/g, '$1-$2')
          .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
          .toLowerCase();
        return `import ${local} from 'lucide-react/icons/${file}';`;
      })
      .join(' '),
  );

export const singleIcons = {
  name: 'single-icons',
  transform: {
    filter: { id: /\.tsx?$/, code: /lucide-react/ },
    handler: (code) => ({ code: icons(code), map: null }),
  },
};

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/.source;
/** A string, or several that are added. */
const STRINGS = `(?:${STRING})(?:\\s*\\+\\s*(?:${STRING}))*`;
const DOC = new RegExp(`\\b(?:doc|valueType|parameters|returns):\\s*${STRINGS},?`, 'g');
/** The description of a widget, in a call of `widgetElement` or a table of `widgetElements`. */
const WIDGET_DOC = new RegExp(`(^\\s+'tiding-[\\w-]+'[:,]\\s*)${STRINGS}`, 'gm');

/**
 * Leaves out the descriptions and types of elements: the manifest, the docs and the declarations
 * need them, pages don't.
 */
export const withoutDocs = {
  name: 'without-docs',
  transform: {
    filter: { id: /\/elements\/.*\.tsx?$/, code: /ElementSpec|PropertySpec|widgetElements/ },
    handler: (code) => ({
      code: code.replace(DOC, '').replace(WIDGET_DOC, "$1''"),
      map: null,
    }),
  },
};

/** What only servers and descriptions need in a row of the protocol. */
const SERVER_ONLY = ['right', 'embed', 'audit', 'verb', 'sample', 'query'];

/** Leaves out of the protocol what only servers and descriptions need. */
export const withoutServerRules = {
  name: 'without-server-rules',
  transform: {
    filter: { id: /\/client\/protocol\/.*\.ts$/, code: /\b(?:sent|received|endpoint)\(/ },
    handler(code) {
      const cuts = [];
      const visit = (node) => {
        if (node === null || typeof node !== 'object') return;
        const options = node.type === 'CallExpression' ? node.arguments.at(-1) : undefined;
        const isRow = ['sent', 'received', 'endpoint'].includes(node.callee?.name);
        if (isRow && options?.type === 'ObjectExpression') {
          for (const [at, { key, start }] of options.properties.entries())
            if (SERVER_ONLY.includes(key?.name))
              cuts.push([start, options.properties[at + 1]?.start ?? options.end - 1, '']);
          // The client needs to know that there is a body, not which.
          const body = options.properties.find(({ key }) => key?.name === 'body');
          if (body) cuts.push([body.value.start, body.value.end, 'true']);
        }
        for (const child of Object.values(node)) visit(child);
      };
      visit(this.parse(code));
      return { code: replaced(code, cuts), map: null };
    },
  },
};

/** Replaces ranges that don't overlap. */
const replaced = (code, cuts) =>
  cuts
    .sort(([one], [other]) => other - one)
    .reduce((text, [start, end, by]) => text.slice(0, start) + by + text.slice(end), code);

/**
 * Gives the patches of texts their own copy of the library that compares texts. It is one module,
 * of which open notes need only half; patches are loaded once several users have a note open.
 */
export const patchesApart = {
  name: 'patches-apart',
  resolveId: {
    filter: { id: /^diff-match-patch-es$/ },
    async handler(source, importer) {
      if (!importer?.endsWith('/text-patch.ts')) return null;
      const { id } = await this.resolve(source, importer, { skipSelf: true });
      return `${id}?patches`;
    },
  },
  load: {
    filter: { id: /\?patches$/ },
    handler: (id) => readFileSync(id.replace('?patches', ''), 'utf8'),
  },
};

/** Imports a stylesheet as its minified text. */
export const stylesheet = {
  name: 'stylesheet',
  resolveId: {
    filter: { id: /^[^.].*\.css$/ },
    handler: (source) => createRequire(import.meta.url).resolve(source),
  },
  load: {
    filter: { id: /\.css$/ },
    handler(id) {
      const { code } = css({ filename: id, code: readFileSync(id), minify: true });
      return { code: `export default ${JSON.stringify(code.toString())}`, moduleType: 'js' };
    },
  },
};

/** Emits `x.worker.ts` in `new URL('./x.worker.ts', import.meta.url)` as a separate chunk. */
export const workers = {
  name: 'workers',
  transform(code, id) {
    if (!/\.tsx?$/.test(id) || !code.includes('.worker.ts')) return null;
    // Skips comments that show the syntax.
    const found =
      /(?<!^\s*(?:\*|\/[/*]).*)new URL\((['"])(\.[^'"]+\.worker\.ts)\1, import\.meta\.url\)/gm;
    return {
      code: code.replace(found, (_, __, file) => {
        const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), file) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      }),
      map: null,
    };
  },
  // Bundlers of hosts recognize a worker only by one URL, with a relative path.
  renderChunk(code) {
    const nested = /new URL\(new URL\((["'])([^"']+)\1, import\.meta\.url\)\.href\)/g;
    return nested.test(code)
      ? { code: code.replace(nested, 'new URL("./$2", import.meta.url)'), map: null }
      : null;
  },
};

/** Inserts the comments of the protocol as the descriptions that the server publishes. */
export const protocolDocs = {
  name: 'protocol-docs',
  async transform(_, id) {
    if (!id.endsWith('/describe/docs.ts')) return null;
    const { protocolDocs: read } = await import('../protocol-docs.mjs');
    return { code: `export const docs = ${JSON.stringify(read())};`, map: null };
  },
};

/** Generates `tags/paragraph`, which registers `<tiding-paragraph>`, with its declaration. */
export const tags = () => {
  const entries = tagEntries();
  const prefix = '\0tag:';
  return {
    input: Object.fromEntries(entries.map(({ name }) => [`tags/${name}`, `${prefix}${name}`])),
    plugin: {
      name: 'tags',
      resolveId: (id) => (id.startsWith(prefix) ? { id, moduleSideEffects: true } : null),
      load: (id) =>
        id.startsWith(prefix)
          ? entries.find(({ name }) => name === id.slice(prefix.length)).code
          : null,
      generateBundle() {
        for (const { name, declaration } of entries)
          this.emitFile({ type: 'asset', fileName: `tags/${name}.d.ts`, source: declaration });
      },
    },
  };
};

/**
 * Adds a component for each tag to the entry `@tiding/elements/react`. Each is a file of its own,
 * so that bundlers leave out the elements that a page does not use. The names of properties are in
 * a module that is written with the manifest, because only the built specs have them.
 */
export const reactComponents = (entry) => {
  const id = '\0react';
  const names = './properties.js';
  const maker = JSON.stringify(join(dirname(entry), 'element-component.ts'));
  const components = tagEntries().map(({ tag, name }) => ({
    id: `\0component:${name}`,
    name,
    exported: componentNameOf(tag),
    make: `elementComponent('${tag}', elementProperties, () => import('\0tag:${name}'))`,
  }));
  const modules = new Map([
    ...components.map((each) => [
      each.id,
      `import { elementComponent } from ${maker};
       import { elementProperties } from '${names}';
       export const ${each.exported} = /* @__PURE__ */ ${each.make};`,
    ]),
    [
      id,
      [
        `export * from ${JSON.stringify(entry)};`,
        ...components.map((each) => `export { ${each.exported} } from '${each.id}';`),
      ].join('\n'),
    ],
  ]);
  return {
    input: {
      react: id,
      ...Object.fromEntries(components.map((each) => [`react/${each.name}`, each.id])),
    },
    plugin: {
      name: 'react-components',
      resolveId: (source) =>
        modules.has(source) ? source : source === names ? { id: names, external: true } : null,
      load: (source) => modules.get(source) ?? null,
    },
  };
};

/**
 * Fails if two files import each other: one of them would run before the values that it reads are
 * there, depending on which one a page loads first.
 */
export const noCycles = {
  name: 'no-cycles',
  generateBundle(_options, bundle) {
    const path = [];
    const done = new Set();
    const visit = (name) => {
      const at = path.indexOf(name);
      if (at >= 0) this.error(`These files import each other: ${path.slice(at).join(', ')}`);
      if (done.has(name)) return;
      done.add(name);
      path.push(name);
      for (const imported of bundle[name].imports) visit(imported);
      path.pop();
    };
    for (const { type, fileName } of Object.values(bundle)) if (type === 'chunk') visit(fileName);
  },
};

/**
 * Requests a file that is loaded on demand, and the file that host pages name, together with all
 * files that it imports. A browser otherwise finds each level of them only after the one above has
 * arrived. Files don't import each other in a circle, so it doesn't matter which arrives first.
 */
export const importsAtOnce = {
  name: 'imports-at-once',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const loaded = new Set(staticImports(bundle, chunk.fileName));
      chunk.code = chunk.code.replace(/\bimport\((["'`])(\.[^"'`]+)\1\)/g, (call, _quote, path) => {
        const target = posix.join(posix.dirname(chunk.fileName), path);
        if (!bundle[target]) return call;
        const files = staticImports(bundle, target).filter((name) => !loaded.has(name));
        if (files.length < 2) return call;
        const calls = files.map((name) => {
          const from = posix.relative(posix.dirname(chunk.fileName), name);
          return `import("${from.startsWith('.') ? from : `./${from}`}")`;
        });
        return `Promise.all([${calls}]).then(e=>e[0])`;
      });
      if (chunk.fileName === 'tiding.js') {
        const nested = [...loaded].filter(
          (name) => ![chunk.fileName, ...chunk.imports].includes(name),
        );
        chunk.code = nested.map((name) => `import"./${name}";`).join('') + chunk.code;
      }
    }
  },
};
