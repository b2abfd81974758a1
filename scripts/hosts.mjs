/**
 * `npm run test:hosts`: packs the published packages and uses them in projects of other people:
 * installs each folder of `test/hosts`, and each starter of `create-tiding`, outside of this
 * repository, checks its types, builds it, and looks at it in a browser in front of an installed
 * server. `--only html,starter-next` chooses some.
 * Needs the package registry. `--keep` leaves the projects where they are.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { run, start, succeed } from './hosts/commands.mjs';
import {
  expectLines,
  expectPage,
  expectPrinted,
  expectSnapshot,
  policyOf,
} from './hosts/expectations.mjs';
import {
  createStarter,
  expectReport,
  expectStarterPage,
  fillIn,
  makeReportNote,
  valuesOf,
} from './hosts/starters.mjs';
import { hosts } from './hosts/table.mjs';
import { packPackages } from './packages/pack.mjs';
import {
  launchBrowser,
  serveAnswers,
  startInstalledServer,
  weatherIds,
} from './packages/servers.mjs';
import { freePort } from './test/free-port.mjs';
import { endAll, endOnSignals } from './test/processes.mjs';
import { namesToRun, printRows, secondsSince } from './test/rows.mjs';

/** Time limit of each host, from its installation to the last look, in ms. */
const LIMIT_MS = 540_000;
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});
const chosen = namesToRun(hosts, values.only?.split(',') ?? [], 'host');
endOnSignals();

const work = mkdtempSync(join(tmpdir(), 'tiding-hosts-'));
const tarballs = await packPackages(work);

/** Makes an installed server, a portal in front of the built pages, and a browser. */
async function surroundings() {
  const folder = join(work, 'server');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await succeed('npm', ['install', '--prefer-offline', tarballs.client, tarballs.server], {
    cwd: folder,
    deadline: Date.now() + LIMIT_MS,
  });
  const around = { pages: undefined };
  const portal = await serveAnswers(async (name) => {
    if (name === 'my-backend/token') return { body: await around.makeToken(portal.origin) };
    return { body: readFileSync(join(around.pages, name)), headers: around.headers };
  });
  const port = await freePort();
  const ownOrigin = `http://127.0.0.1:${port}`;
  // Starters are opened at this address; the development server of Next.js refuses others.
  const starterOrigin = `http://localhost:${port}`;
  const origins = [portal.origin, ownOrigin, starterOrigin];
  const server = await startInstalledServer(folder, join(work, 'data'), origins);
  const ids = await weatherIds(server);
  const { createClient } = await import(
    pathToFileURL(join(folder, 'node_modules/@tiding/client/dist/index.js')).href
  );
  const client = createClient({ server: server.origin, auth: { token: server.token } });
  await makeReportNote(client);
  return Object.assign(around, {
    server,
    ids,
    port,
    ownOrigin,
    starterOrigin,
    portal: portal.origin,
    browser: await launchBrowser(),
    async makeToken(origin) {
      const made = await client.embedTokens.create({
        noteId: ids.note,
        paragraphId: ids.paragraph,
        scope: 'run',
        ...(origin ? { origin } : {}),
      });
      return made.token;
    },
    async stop() {
      await around.browser.close();
      client.close();
      portal.server.close();
      portal.server.closeAllConnections();
      await server.stop();
    },
  });
}

/** Writes the project of a starter, with its settings for this run. */
async function makeStarter(name, around, deadline) {
  const { template } = hosts[name];
  const folder = await createStarter(name, template, {
    work,
    tarball: tarballs['create-tiding'],
    server: around.server.origin,
    deadline,
  });
  fillIn(folder, valuesOf(template, around));
  return folder;
}

/** Copies a project, with the addresses and ids of this run instead of those of the docs. */
function copyProject(name, { server, ids, portal, ownOrigin }) {
  const folder = join(work, name);
  cpSync(join(root, 'test/hosts', name), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8')
      .replaceAll('https://notes.example.org', server.origin)
      .replaceAll('wss://notes.example.org', server.origin.replace('http', 'ws'))
      .replaceAll('https://portal.example.org', hosts[name].starts ? ownOrigin : portal)
      .replaceAll('2XAB9NJRE', ids.note)
      .replaceAll('20261121-070135_35893072', ids.paragraph);
    writeFileSync(path, text);
  }
  return folder;
}

/** Installs the tarballs in place of packages of the registry. Returns the project's scripts. */
async function install(folder, options) {
  let project;
  try {
    project = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return {};
  }
  const own = Object.keys({ ...project.dependencies, ...project.devDependencies });
  const files = own.includes('@tiding/elements')
    ? [tarballs.client, tarballs.elements]
    : [tarballs.client];
  await succeed('npm', ['install', '--prefer-offline', ...files], options);
  return project.scripts ?? {};
}

/** A change that is wrong must fail the type check; it is undone. */
async function expectWrong({ file, from, to, error }, options) {
  const path = join(options.cwd, file);
  const right = readFileSync(path, 'utf8');
  if (!right.includes(from)) throw new Error(`${file} does not contain '${from}'`);
  writeFileSync(path, right.replace(from, to));
  const { code, output } = await run('npm', ['run', 'check'], options);
  writeFileSync(path, right);
  if (code === 0) throw new Error(`'${to}' passes the type check`);
  if (!error.test(output)) throw new Error(`'${to}' fails for another reason:\n${output}`);
}

/** Starts the host's own server; resolves when it answers. */
async function startHost(script, address, host, around, options) {
  const more = {
    PORT: String(around.port),
    // Starters read the others from their file.
    ...(!host.template && {
      HOSTNAME: '127.0.0.1',
      TIDING_SERVER: around.server.origin,
      TIDING_TOKEN: around.server.token,
    }),
  };
  const started = start('npm', ['run', script], { cwd: options.cwd, more });
  const answers = () =>
    fetch(address).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (Date.now() > options.deadline || started.child.exitCode !== null) {
      await started.end();
      throw new Error(`'npm run ${script}' does not serve:\n${started.output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return started;
}

async function look(host, around, options) {
  const { browser, server } = around;
  const expectation = { tiding: server.origin, hasWorker: host.hasWorker ?? true };
  if (host.starts) {
    const address = host.template ? around.starterOrigin : around.ownOrigin;
    for (const script of host.develops ? ['start', 'dev'] : ['start']) {
      const started = await startHost(script, address, host, around, options);
      try {
        if (host.template)
          await expectStarterPage(host.template, browser, { ...expectation, address });
        else await expectPage(browser, { ...expectation, address });
        if (host.snapshot) await expectSnapshot(address + host.snapshot);
      } catch (error) {
        error.message += `\nOutput of 'npm run ${script}':\n${started.output}`;
        throw error;
      } finally {
        await started.end();
      }
    }
  } else if (host.pages) {
    around.pages = join(options.cwd, host.pages);
    around.headers = host.hasOwnPolicy
      ? {}
      : { 'Content-Security-Policy': policyOf(server.origin, host.hasTrustedTypes) };
    if (host.prints) await expectLines(browser, around.portal);
    else await expectPage(browser, { ...expectation, address: around.portal });
  } else if (host.template) {
    expectReport(options.cwd, await succeed('npm', ['start'], options));
  } else {
    const more = { TIDING_SERVER: server.origin, TIDING_TOKEN: await around.makeToken() };
    expectPrinted(await succeed('npm', ['start'], { ...options, more }));
  }
}

/** Versions of some packages that are installed in a project. */
const versionsIn = (folder, names) =>
  names
    .map((name) => {
      const file = join(folder, 'node_modules', name, 'package.json');
      return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
    })
    .join(', ');

async function runHost(name, around) {
  const host = hosts[name];
  const deadline = Date.now() + LIMIT_MS;
  const folder = host.template
    ? await makeStarter(name, around, deadline)
    : copyProject(name, around);
  const options = { cwd: folder, deadline };
  const scripts = await install(folder, options);
  if (scripts.build) await succeed('npm', ['run', 'build'], options);
  if (scripts.check) {
    await succeed('npm', ['run', 'check'], options);
    await expectWrong(host.wrong, options);
  }
  await look(host, around, options);
  return versionsIn(folder, host.versions);
}

const table = [];
try {
  const around = await surroundings();
  for (const name of chosen) {
    const startedAt = Date.now();
    let row;
    try {
      row = ['passed', await runHost(name, around)];
    } catch (error) {
      console.error(`✗ ${name}: ${error.message}\n`);
      row = ['FAILED', ''];
    }
    const seconds = secondsSince(startedAt);
    table.push([name, row[0], seconds, [hosts[name].about, row[1]].filter(Boolean).join('; ')]);
    console.log(`${row[0]}: ${name} (${seconds})`);
  }
  await around.stop();
} finally {
  await endAll();
  if (values.keep) console.log(`The projects are in ${work}`);
  else rmSync(work, { recursive: true, force: true });
}
process.exit(printRows(table));
