/** The templates and the files that each project gets. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A template: what it is for, the script that starts the project, and the folder of `shared` with
 * the files that it has in common with others.
 *
 * @typedef {{ about: string, script: string, shared?: string }} Template
 */

/** @type {Readonly<Record<string, Template>>} */
export const templates = {
  vanilla: {
    about: 'a page with the script tag, without a framework',
    script: 'dev',
    shared: 'vite',
  },
  react: { about: 'React with Vite', script: 'dev', shared: 'vite' },
  vue: { about: 'Vue with Vite', script: 'dev', shared: 'vite' },
  next: { about: 'Next.js, rendered on the server and then live', script: 'dev' },
  portal: {
    about: 'a Node server that issues tokens, and a page with several elements',
    script: 'start',
  },
  report: { about: 'a Node program that runs a note and writes HTML and CSV', script: 'start' },
};

/** Address of a server that was started without options. */
export const DEFAULT_SERVER = 'http://127.0.0.1:8080';

/** npm obeys a `.gitignore` and leaves it out of packages: templates have it under another name. */
const RENAMED = new Map([['_gitignore', '.gitignore']]);

/**
 * The version of this package; all packages of Tiding have the same one. `packages`: the address of
 * the server that this package came from, below which the others are.
 *
 * @type {{ version: string, packages?: string }}
 */
export const { version, packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
);

/** @param {string} name */
const isOwnPackage = (name) => name.startsWith('@tiding/') || name === 'tiding';

/**
 * Where a project gets a package of Tiding from: the server that this package came from, or else a
 * registry.
 *
 * @param {string} name
 * @param {string | undefined} registry
 */
const sourceOf = (name, registry) =>
  packages === undefined || registry !== undefined
    ? `^${version}`
    : `${packages}/${name.replace('@tiding/', 'tiding-')}-${version}.tgz`;

/**
 * The manifest of a project: its name, and packages of Tiding in the version of this package.
 *
 * @param {string} text the manifest of the template
 * @param {string} name
 * @param {string | undefined} registry
 */
function manifestOf(text, name, registry) {
  const manifest = JSON.parse(text);
  for (const field of ['dependencies', 'devDependencies'])
    for (const dependency of Object.keys(manifest[field] ?? {}))
      if (isOwnPackage(dependency)) manifest[field][dependency] = sourceOf(dependency, registry);
  return `${JSON.stringify({ ...manifest, name }, null, 2)}\n`;
}

/**
 * Whether a project can be written to a folder: it is missing, or has nothing but a repository.
 *
 * @param {string} folder
 */
export function isFree(folder) {
  return !existsSync(folder) || readdirSync(folder).every((name) => name === '.git');
}

/**
 * Writes a project. `.env` starts as a copy of `.env.example` and is not committed.
 *
 * @param {{ template: string, folder: string, name: string, server: string, registry?: string }}
 * project `registry`: where its packages come from, including those of Tiding
 */
export function writeProject({ template, folder, name, server, registry }) {
  const { shared } = /** @type {Template} */ (templates[template]);
  mkdirSync(folder, { recursive: true });
  const sources = [
    ...(shared ? [join(import.meta.dirname, 'shared', shared)] : []),
    join(import.meta.dirname, 'templates', template),
  ];
  for (const source of sources)
    for (const file of readdirSync(source))
      cpSync(join(source, file), join(folder, RENAMED.get(file) ?? file), { recursive: true });
  const manifest = join(folder, 'package.json');
  writeFileSync(manifest, manifestOf(readFileSync(manifest, 'utf8'), name, registry));
  if (registry) writeFileSync(join(folder, '.npmrc'), `registry=${registry}\n`);
  const example = join(folder, '.env.example');
  const env = readFileSync(example, 'utf8').replaceAll(DEFAULT_SERVER, server);
  for (const file of [example, join(folder, '.env')]) writeFileSync(file, env);
}
