/**
 * The entry points `@tiding/elements/<tag>`, each of which registers a single element. They are
 * derived from the element specs in the sources, so that a new element needs no entry.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The sources below a folder, without tests. */
export const sources = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)(node_modules|dist)\//.test(path),
    )
    .map((path) => join(folder, path));

/** `tiding-job-graph` → `TidingJobGraphElement`. */
export const classNameOf = (tag) =>
  `${tag.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())}Element`;

/** `tiding-job-graph` → `JobGraph`, the name of its React component. */
export const componentNameOf = (tag) => classNameOf(tag).replace(/^Tiding|Element$/g, '');

/** Each tag with the module and the expression that yield its spec. */
export function tagEntries() {
  const entries = [];
  for (const path of sources(join(root, 'elements'))) {
    const code = readFileSync(path, 'utf8');
    for (const [, spec, tag] of code.matchAll(
      /export const (\w+)(?:: ElementSpec)? = \{\s*tag: '(tiding-[\w-]+)'/g,
    ))
      entries.push({ tag, path, imported: spec, spec });
    const [, family] = /export const (\w+Elements)\b/.exec(code) ?? [];
    const [, maker] = /export function (\w+Element)\(\): ElementSpec/.exec(code) ?? [];
    if (family === undefined && maker === undefined) continue;
    for (const [, tag] of code.matchAll(/^\s+'(tiding-[\w-]+)'[:,]/gm))
      entries.push({
        tag,
        path,
        imported: family ?? maker,
        spec: family ? `${family}.find(({ tag }) => tag === '${tag}')` : `${maker}()`,
      });
  }
  return entries.map(({ tag, path, imported, spec }) => ({
    tag,
    name: tag.replace(/^tiding-/, ''),
    code: [
      `import { register } from ${JSON.stringify(join(root, 'elements/register.ts'))};`,
      `import { ${imported} } from ${JSON.stringify(path)};`,
      `export const ${classNameOf(tag)} = register(${spec});`,
      '',
    ].join('\n'),
    declaration: [
      `import type { ${classNameOf(tag)} as Element } from '../types/elements.js';`,
      `/** Importing this module registers \`<${tag}>\`. \`undefined\` on a server. */`,
      `export declare const ${classNameOf(tag)}: (new () => Element) | undefined;`,
      `export type ${classNameOf(tag)} = Element;`,
      '',
    ].join('\n'),
  }));
}
