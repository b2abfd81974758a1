/** What the packages lack before they can be published. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Largest size of each tarball, in MB. */
const LIMITS = { client: 0.5, elements: 1, server: 10, 'create-tiding': 0.03 };
const IN_ALL = ['package.json', 'README.md', 'LICENSE'];
/** `NOTICE` has the licenses of what is built in. */
const IN_SOME = {
  elements: ['dist/NOTICE', 'dist/index.d.ts'],
  server: ['dist/NOTICE', 'dist/docs/index.html.br', 'dist/docs/llms.txt.br'],
  client: ['dist/index.d.ts'],
};
/** Fields that the owner fills in, in the package.json of the repository. */
export const OWNER_FIELDS = ['author', 'bugs', 'homepage', 'repository'];

const read = (path) => readFileSync(join(root, path), 'utf8');
const targetsOf = (exported) =>
  typeof exported === 'string' ? [exported] : Object.values(exported ?? {}).flatMap(targetsOf);

function output(command, ...args) {
  try {
    return { text: execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }) };
  } catch (error) {
    return { error: `${error.stdout}${error.stderr}`.trim().split('\n').slice(-15).join('\n') };
  }
}

/** What is missing in the repository, one sentence each. */
export function repositoryProblems() {
  const manifest = JSON.parse(read('package.json'));
  const license = read('LICENSE');
  const pending = readdirSync(join(root, '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  return [
    output('git', 'status', '--porcelain').text !== '' && 'Commit or remove your changes.',
    pending.length > 0 &&
      `Run npx changeset version: ${pending.length} changesets have no version yet.`,
    ...OWNER_FIELDS.map((field) => !manifest[field] && `package.json has no ${field}.`),
    ...Object.keys(LIMITS).flatMap((name) => [
      !existsSync(join(root, name, 'CHANGELOG.md')) &&
        `${name} has no CHANGELOG.md; npx changeset version writes it.`,
      read(`${name}/LICENSE`) !== license &&
        `The LICENSE of ${name} is not that of the repository.`,
      !read(`${name}/README.md`).includes('```') && `The README of ${name} has no example.`,
    ]),
  ].filter(Boolean);
}

/** What is wrong with a tarball, one sentence each. */
export function tarballProblems(name, file) {
  const paths = output('tar', 'tzf', file).text.split('\n');
  const manifest = JSON.parse(output('tar', 'xzOf', file, 'package/package.json').text);
  const has = (path) => paths.includes(`package/${path.replace(/^\.\//, '')}`);
  const bytes = statSync(file).size;
  const targets = targetsOf(manifest.exports).filter((path) => !path.includes('*'));
  const attw = 'node_modules/@arethetypeswrong/cli/dist/index.js';
  return [
    bytes > LIMITS[name] * 1e6 && `It has ${bytes} bytes, of at most ${LIMITS[name]} MB.`,
    ...[...IN_ALL, ...(IN_SOME[name] ?? []), ...targets].map(
      (path) => !has(path) && `It has no ${path}.`,
    ),
    ...paths.map((path) => /\.(?:map|gz|parquet)$|\.test\./.test(path) && `It has ${path}.`),
    output(process.execPath, 'node_modules/publint/src/cli.js', '--strict', file).error,
    output(process.execPath, attw, file, '--profile', 'esm-only', '--format', 'ascii').error,
  ].filter(Boolean);
}
