/**
 * Takes pictures of the pages, and of all their states in the folder `every-state` (without names
 * or with that name): `npm run pictures [folder] [names]` (default `dist/pictures`). The pictures
 * are for people and not compared; the accessibility test visits the same states.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from '../../scripts/build.mjs';
import { makeNotes } from './note.mjs';

const [folder = 'dist/pictures', ...only] = process.argv.slice(2);
const out = resolve(folder);
mkdirSync(out, { recursive: true });
await build({ say: console.error });
const { createServer } = await import('tiding/server');
const { createClient } = await import('@tiding/client');
const { launchChromium } = await import('../../dist/pictures.chromium.mjs').catch(async () => {
  const { build: bundle } = await import('esbuild');
  await bundle({
    entryPoints: [join(import.meta.dirname, '../support/chromium.ts')],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile: join(import.meta.dirname, '../../dist/pictures.chromium.mjs'),
  });
  return import('../../dist/pictures.chromium.mjs');
});

/** Bundles a module of the tests for Node and imports it. */
const bundled = async (name) => {
  const { build: bundle } = await import('esbuild');
  const outfile = join(import.meta.dirname, `../../dist/pictures.${name}.mjs`);
  await bundle({
    entryPoints: [join(import.meta.dirname, `../support/${name}.ts`)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile,
  });
  return import(outfile);
};
const { writePackages } = await bundled('package-samples');
const { makeJobRuns } = await bundled('job-runs');

const data = await mkdtemp(join(tmpdir(), 'tiding-pictures-'));
const password = 'only-for-pictures';
const server = await createServer({
  port: 0,
  data,
  adminPassword: password,
  logLevel: 'error',
  shell: true,
});
const client = createClient({ server: server.url });
await client.session.login('admin', password);
const note = await makeNotes(client);
// Needs no Spark: one local cluster and one that is unreachable.
const clusters = [
  {
    name: 'training',
    description: 'Course sandbox, reset every Monday.',
    sparkHome: data,
    workers: 2,
    cores: 2,
    memory: '2g',
  },
  {
    name: 'forecast',
    description: 'Demand models and hyper-parameter sweeps.',
    master: 'http://127.0.0.1:9',
  },
];
await writeFile(join(data, 'clusters.json'), JSON.stringify(clusters));
await client.clusters.use('local');
const byTitle = (title) =>
  note.paragraphs.find((paragraph) => paragraph.state.server.title === title).id;
const noteUrl = `${server.url}/#/notebook/${note.id}`;
const browser = await launchChromium();

const wide = { width: 1440, height: 900 };
const ways = {
  light: { viewport: wide, colorScheme: 'light' },
  dark: { viewport: wide, colorScheme: 'dark' },
  'forced-colors': { viewport: wide, forcedColors: 'active' },
  contrast: { viewport: wide, contrast: 'more' },
  'contrast-dark': { viewport: wide, contrast: 'more', colorScheme: 'dark' },
  '390-light': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  '390-dark': {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  },
  rtl: { viewport: wide, rtl: true },
};
const everywhere = Object.keys(ways);
const plain = ['light', 'dark', '390-light'];

const command = async (page, name) => {
  await page.keyboard.press('Control+Alt+p');
  await page.locator('[role=dialog]').getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
};
const opened = async (page) => {
  await page.goto(noteUrl);
  await page.locator('article').nth(10).waitFor();
  await page.getByRole('grid').first().waitFor();
  await page.locator('article [class*=chart] svg').first().waitFor();
  await page.waitForTimeout(600);
};
const focused = (page) => page.locator(`article[data-paragraph="${byTitle('Worst airports')}"]`);
const dialog = (page) => page.locator('[role=dialog], [role=alertdialog]').first().waitFor();
const panel = (name) => async (page) => {
  await opened(page);
  await command(page, name);
  await page.locator('.panel .panel-foot').waitFor();
};
const overNote = (open) => async (page) => {
  await opened(page);
  await focused(page).locator('.paragraph-head').click();
  await open(page);
};

/** For each picture its variants and how to open it. `whole` captures the full page height. */
const pictures = {
  notebook: {
    in: everywhere,
    open: async (page) => {
      await opened(page);
      await focused(page).locator('.paragraph-head').click();
    },
  },
  'notebook-whole': {
    in: ['light', 'dark', '390-light', 'forced-colors'],
    whole: true,
    open: opened,
  },
  states: {
    in: ['light', 'dark', '390-light', 'rtl'],
    open: async (page) => {
      await opened(page);
      await page
        .locator(`article[data-paragraph="${byTitle('Join weather')}"]`)
        .evaluate((element) => element.scrollIntoView({ block: 'start' }));
    },
  },
  'states-end': {
    in: plain,
    open: async (page) => {
      await opened(page);
      await page
        .locator('article')
        .last()
        .evaluate((element) => element.scrollIntoView({ block: 'end' }));
    },
  },
  permissions: { in: plain, open: panel('Note Permissions') },
  bindings: { in: plain, open: panel('Interpreter binding') },
  menu: {
    in: ['light', 'dark', 'forced-colors', 'rtl'],
    open: overNote(async (page) => {
      await focused(page).getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menu').waitFor();
    }),
  },
  palette: {
    in: plain,
    open: overNote((page) => page.keyboard.press('Control+Alt+p').then(() => dialog(page))),
  },
  shortcuts: {
    in: plain,
    open: overNote((page) =>
      command(page, 'Keyboard shortcuts').then(() => page.locator('.shortcut').first().waitFor()),
    ),
  },
  question: {
    in: ['light', 'dark', 'forced-colors', '390-light'],
    open: overNote((page) => page.keyboard.press('Control+Alt+d').then(() => dialog(page))),
  },
  'run-from': {
    in: ['light'],
    open: overNote((page) => page.keyboard.press('Control+Shift+Enter').then(() => dialog(page))),
  },
  clone: {
    in: ['light', '390-light'],
    open: overNote((page) =>
      command(page, 'Clone this note').then(() => page.locator('.dialog-form').waitFor()),
    ),
  },
  schedule: {
    in: plain,
    open: overNote((page) =>
      command(page, 'Schedule').then(() =>
        page.locator('[role=dialog]').locator('.next-runs, .segments').first().waitFor(),
      ),
    ),
  },
  home: {
    in: ['light', 'dark', '390-light', 'rtl', 'forced-colors'],
    open: async (page) => {
      await page.goto(`${server.url}/#/`);
      await page.getByRole('treeitem').first().waitFor();
    },
  },
  // The notes menu on a wide page, the main menu on a narrow one.
  navigation: {
    in: ['light', 'dark', '390-light', '390-dark', 'rtl', 'forced-colors'],
    open: async (page) => {
      await opened(page);
      await page.goto(`${server.url}/#/clusters`);
      await page.locator('tiding-clusters article').first().waitFor();
      const bar = page.locator('tiding-navigation.mainnav');
      await bar
        .getByRole('button', { name: 'Notes' })
        .or(bar.getByRole('button', { name: 'Menu', exact: true }))
        .first()
        .click();
      await page.getByRole('menu').waitFor();
    },
  },
  jobs: {
    in: ['light', 'dark', '390-light', '390-dark', 'rtl', 'forced-colors'],
    open: async (page) => {
      await page.goto(`${server.url}/#/jobmanager`);
      await page.locator('tiding-job-manager .job').nth(9).waitFor();
    },
  },
  'job-runs': {
    in: ['light', 'dark', '390-light', '390-dark', 'rtl', 'forced-colors'],
    open: async (page) => {
      const id = await makeJobRuns(client);
      await page.goto(`${server.url}/#/jobmanager`);
      const row = page.locator(`tiding-job-manager .job[data-job="${id}"]`);
      await row.locator('.job-when .button').click();
      await page.locator('.job-runs .run-list li').last().waitFor();
      await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    },
  },
  clusters: {
    in: ['light', 'dark', '390-light', '390-dark', 'rtl', 'forced-colors'],
    open: async (page) => {
      await page.goto(`${server.url}/#/clusters`);
      await page.locator('tiding-clusters article').nth(clusters.length).waitFor();
      await page.locator('tiding-clusters article.current').waitFor();
    },
  },
  interpreters: {
    in: ['light', 'dark', '390-light', '390-dark', 'rtl', 'forced-colors'],
    whole: true,
    open: async (page) => {
      await page.goto(`${server.url}/#/interpreter`);
      await page.getByRole('button', { name: 'Edit python' }).click();
      const form = page.getByRole('form', { name: 'Edit python' });
      await form.getByLabel('Instantiated').selectOption('Per Note');
      await form.getByLabel('Set permission').check();
      await form.getByRole('combobox', { name: 'Owners' }).fill('ana,');
      await page.getByRole('heading', { name: 'Interpreters' }).click();
    },
  },
  'interpreters-create': {
    in: plain,
    whole: true,
    open: async (page) => {
      await page.goto(`${server.url}/#/interpreter`);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByLabel('Interpreter group').selectOption('sql');
    },
  },
  search: {
    in: plain,
    open: async (page) => {
      await page.goto(`${server.url}/#/search/arr_delay`);
      await page.locator('.hit').first().waitFor();
    },
  },
  packages: {
    in: [...plain, 'rtl', 'forced-colors'],
    open: async (page) => {
      await writePackages(data);
      for (const [name, version] of [
        ['hexbin-map', '1.2.0'],
        ['sunburst', '0.9.4'],
      ])
        await client.packages.enable(name, `${name}@${version}`);
      await page.goto(`${server.url}/#/helium`);
      await page.locator('.package').first().waitFor();
    },
  },
  'revision-control': {
    in: plain,
    open: async (page) => {
      await page.goto(`${server.url}/#/revision-control`);
      await page.locator('form.remote').waitFor();
    },
  },
  login: {
    in: ['light', 'dark', '390-light', 'rtl'],
    out: true,
    open: async (page) => {
      await page.goto(`${server.url}/#/`);
      await page.getByLabel('User Name').waitFor();
    },
  },
  'access-tokens': {
    in: ['light', 'dark', '390-light', '390-dark', 'forced-colors', 'rtl'],
    open: async (page) => {
      for (const { tokenId } of await client.tokens.list()) await client.tokens.remove(tokenId);
      await client.tokens.create({ description: 'Dashboard refresh', expiresInDays: 1 });
      await client.tokens.create({ description: 'CI smoke tests', expiresInDays: 21 });
      await client.tokens.setStatus(
        (await client.tokens.create({ description: 'Laptop', expiresInDays: 58 })).tokenId,
        'disabled',
      );
      await page.goto(`${server.url}/#/account`);
      await page.getByRole('switch').nth(2).waitFor();
    },
  },
  credentials: {
    in: plain,
    open: async (page) => {
      await client.credentials.put('jdbc.warehouse', 'ann', 'only-for-pictures');
      await client.credentials.put('sql.sql', 'bea', '');
      await page.goto(`${server.url}/#/credential`);
      await page.getByText('jdbc.warehouse').waitFor();
    },
  },
  configuration: {
    in: plain,
    open: async (page) => {
      await page.goto(`${server.url}/#/configuration`);
      await page.locator('.storage').first().waitFor();
    },
  },
  simple: {
    in: plain,
    open: async (page) => {
      await note.configure({ looknfeel: 'simple' });
      await opened(page);
    },
  },
  report: {
    in: ['light', 'dark', '390-light'],
    open: async (page) => {
      await note.configure({ looknfeel: 'report' });
      await page.goto(noteUrl);
      await page.getByRole('grid').first().waitFor();
      await page.waitForTimeout(800);
    },
  },
  paragraph: {
    in: plain,
    open: async (page) => {
      await page.goto(`${server.url}/#/notebook/${note.id}/paragraph/${byTitle('Worst airports')}`);
      await page.getByRole('grid').first().waitFor();
    },
  },
  embed: {
    in: plain,
    open: async (page) => {
      const id = byTitle('Average delay by hour');
      await page.goto(`${server.url}/#/notebook/${note.id}/paragraph/${id}?asIframe`);
      await page.locator('article [class*=chart] svg').first().waitFor();
    },
  },
  print: {
    in: ['light'],
    whole: true,
    open: async (page) => {
      await opened(page);
      await page.emulateMedia({ media: 'print' });
    },
  },
};

try {
  for (const [name, { in: wanted, open, whole = false, out: signedOut = false }] of Object.entries(
    pictures,
  )) {
    if (
      only.length > 0 &&
      !only.some((each) => name === each || wanted.some((way) => `${name}-${way}` === each))
    )
      continue;
    for (const way of wanted) {
      if (only.length > 0 && !only.includes(name) && !only.includes(`${name}-${way}`)) continue;
      const { rtl, ...options } = ways[way];
      const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      if (rtl)
        await page.addInitScript(() =>
          document.addEventListener('DOMContentLoaded', () =>
            document.documentElement.setAttribute('dir', 'rtl'),
          ),
        );
      try {
        if (!signedOut) {
          await page.goto(server.loginLink());
          await page.locator('tiding-home').waitFor();
        }
        await open(page);
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(out, `${name}-${way}.png`), fullPage: whole });
      } catch (error) {
        console.error(`${name}-${way}: ${error.message.split('\n')[0]}`);
        process.exitCode = 1;
      }
      await context.close();
    }
    if (name === 'simple' || name === 'report') await note.configure({ looknfeel: 'default' });
  }
} finally {
  await browser.close();
  client.close();
  await server.close();
  await rm(data, { recursive: true, force: true });
}
if (only.length === 0 || only.includes('every-state')) {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--retry=0', 'test/pictures'],
    {
      stdio: 'inherit',
      env: { ...process.env, TIDING_PICTURES: out },
      cwd: join(import.meta.dirname, '../..'),
    },
  );
  if (status !== 0) process.exitCode = 1;
}
console.error(`Pictures are in ${out}`);
