/** The program `create-tiding`, which `npm create tiding` runs. */
import { basename, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import {
  DEFAULT_SERVER,
  isFree,
  packages,
  templates,
  version,
  writeProject,
} from './templates.mjs';

const DEFAULT_NAME = 'tiding-app';
const DEFAULT_TEMPLATE = 'vanilla';
/** Longest name of a package in the npm registry. */
const LONGEST_NAME = 214;

/** The server that this package came from. */
const packagesServer = packages?.replace(/\/packages$/, '');

const NAMES = Object.keys(templates);
const width = Math.max(...NAMES.map((name) => name.length));
const LIST = Object.entries(templates)
  .map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
  .join('\n');
const HELP = `Usage: npm create tiding [folder] -- [options]

Creates a project that shows or runs Tiding notes. The folder must be new or empty; its name
becomes the name of the project.

Options:
  -t, --template NAME  which project to create
  -s, --server URL     address of the Tiding server (default: ${packagesServer ?? DEFAULT_SERVER})
  -r, --registry URL   registry that has the packages of Tiding (default: the server that this
                       program came from)
  -y, --yes            ask nothing (defaults: ${DEFAULT_NAME}, ${DEFAULT_TEMPLATE})
  -h, --help           show this help
  -v, --version        show the version

Templates:
${LIST}
`;

/** A mistake in the command or in an answer; its message is all that the user sees. */
class UsageError extends Error {}

/**
 * What the program reads and writes: the process, or streams of a test.
 *
 * @typedef {object} Surroundings
 * @property {NodeJS.ReadableStream & { isTTY?: boolean }} stdin
 * @property {NodeJS.WritableStream} stdout
 * @property {NodeJS.WritableStream} stderr
 * @property {() => string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @param {string} folder path of the project
 * @returns {string} its name, if a project can be created there
 */
function checkFolder(folder) {
  const name = basename(folder);
  if (
    !/^[a-z0-9][a-z0-9._~-]*$/.test(name) ||
    name.length > LONGEST_NAME ||
    name === 'node_modules'
  )
    throw new UsageError(
      `'${name}' can't be the name of a project: use lower-case letters, digits, '-', '.' and ` +
        `'_', and start with a letter or a digit.`,
    );
  if (!isFree(folder))
    throw new UsageError(`${folder} isn't empty: choose a new folder, or empty this one first.`);
  return name;
}

/** @param {string} template */
function checkTemplate(template) {
  if (!Object.hasOwn(templates, template))
    throw new UsageError(
      `There is no template '${template}'. Choose one of these: ${NAMES.join(', ')}.`,
    );
  return template;
}

/**
 * @param {string} text
 * @param {string} what
 * @param {string} example
 * @returns {string} the address without a final slash
 */
function checkAddress(text, what = 'server', example = DEFAULT_SERVER) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new UsageError(`'${text}' is not the address of a ${what}: use one such as ${example}.`);
  return url.href.replace(/\/+$/, '');
}

/** @param {readonly string[]} args */
function readArguments(args) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't' },
        server: { type: 'string', short: 's', default: packagesServer ?? DEFAULT_SERVER },
        registry: { type: 'string', short: 'r' },
        yes: { type: 'boolean', short: 'y', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    });
    if (positionals.length > 1)
      throw new Error(`There are ${positionals.length} folders: name one.`);
    return { ...values, target: positionals[0] };
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/**
 * Asks until the answer is accepted. Rejects if the input ends.
 *
 * @template T
 * @param {Surroundings} io
 * @param {string} question
 * @param {(answer: string) => T} accept
 * @returns {Promise<T>}
 */
async function ask({ stdin, stdout, stderr }, question, accept) {
  const lines = createInterface({ input: stdin, output: stdout });
  const closed = new Promise((_, reject) =>
    lines.once('close', () => reject(new UsageError('Nothing was created.'))),
  );
  // It also closes after an answer, when nobody waits for this promise any more.
  closed.catch(() => {});
  try {
    for (;;) {
      const answer = await /** @type {Promise<string>} */ (
        Promise.race([lines.question(question), closed])
      );
      try {
        return accept(answer.trim());
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        stderr.write(`${error.message}\n`);
      }
    }
  } finally {
    lines.close();
  }
}

/**
 * The program that runs this one, such as `npm` or `pnpm`.
 *
 * @param {NodeJS.ProcessEnv} env
 */
const packageManager = ({ npm_config_user_agent: agent = '' }) =>
  /^(?:npm|pnpm|yarn|bun)(?=\/)/.exec(agent)?.[0] ?? 'npm';

/**
 * @param {readonly string[]} args
 * @param {Surroundings} io
 */
async function create(args, io) {
  const options = readArguments(args);
  if (options.help) return void io.stdout.write(HELP);
  if (options.version) return void io.stdout.write(`${version}\n`);
  // Everything that was typed is checked before the first question.
  const server = checkAddress(options.server);
  const registry =
    options.registry === undefined
      ? {}
      : { registry: checkAddress(options.registry, 'registry', 'https://registry.npmjs.org') };
  if (options.template !== undefined) checkTemplate(options.template);
  /** @param {string} answer */
  const accept = (answer) => {
    const folder = resolve(io.cwd(), answer || DEFAULT_NAME);
    return { folder, name: checkFolder(folder) };
  };
  let project =
    options.target === undefined && !options.yes ? undefined : accept(options.target ?? '');
  let { template = options.yes ? DEFAULT_TEMPLATE : undefined } = options;
  if ((!project || !template) && !io.stdin.isTTY)
    throw new UsageError(
      'Name the folder and the template, or use --yes: npm create tiding my-app -- ' +
        `--template ${DEFAULT_TEMPLATE}. 'npm create tiding -- --help' lists the templates.`,
    );
  project ??= await ask(io, `Name of the project (${DEFAULT_NAME}): `, accept);
  template ??= await ask(io, `${LIST}\nTemplate (${DEFAULT_TEMPLATE}): `, (answer) =>
    checkTemplate(answer || DEFAULT_TEMPLATE),
  );
  writeProject({ ...project, template, server, ...registry });

  const folder = relative(io.cwd(), project.folder);
  const manager = packageManager(io.env);
  const enter = folder === '' ? '' : `cd ${/\s/.test(folder) ? `"${folder}"` : folder} && `;
  const { script } = /** @type {import('./templates.mjs').Template} */ (templates[template]);
  const start = script === 'start' ? script : `run ${script}`;
  io.stdout.write(
    `Created ${project.folder} from the template '${template}'.\n\n` +
      'Fill in the file .env; README.md says where its values come from. Then run:\n\n' +
      `  ${enter}${manager} install\n  ${manager} ${start}\n`,
  );
}

/**
 * Runs the program and returns its exit code: 0, or 2 for a mistake in the command.
 *
 * @param {readonly string[]} args
 * @param {Surroundings} io
 */
export async function main(args, io) {
  try {
    await create(args, io);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr.write(`create-tiding: ${error.message}\n`);
    return 2;
  }
}
