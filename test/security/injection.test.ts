/**
 * Puts the vectors of `vectors.ts` everywhere that pages show text of a note, of a name or of a
 * server. None may become script outside a frame, none may become active markup, and nothing may
 * reach another host. The browser first ignores the page's content security policy, so that the
 * pages themselves are tested; then everything runs again with the policy.
 *
 * By default each vector is put in one place of a paragraph, so that every place shows several
 * vectors of different kinds, and every sixth is a name and a message. `npm run test:long --
 * injection` puts each vector in every place, which takes minutes.
 */

import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, signIn } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { vectors as all } from './vectors.ts';

const batchSize = 32;
const isComplete = Boolean(process.env['ALL_VECTORS']);
/** Vectors in names and messages. */
const sample = isComplete ? all : all.filter((_, index) => index % 6 === 0);
/** Collects what a frame can access, and posts it to the surrounding page. */
const spy = `<script>
  const got = (what) => { try { return String(what()); } catch (error) { return 'refused'; } };
  parent.postMessage({ stolen: [
    got(() => document.cookie), got(() => localStorage.length),
    got(() => sessionStorage.length), got(() => parent.document.title),
    got(() => top.location.href), got(() => parent.hit = -1), got(() => frameElement), origin,
  ] }, '*');
</script>`;
const notes: string[] = [];

const tsv = (text: string): string => text.replace(/[\t\n]/g, ' ');
/** The text as a path segment, without characters that a name can't contain. */
const name = (text: string): string =>
  [...text.replace(/[/\\\p{C}\p{Zl}\p{Zp}]/gu, ' ')].slice(0, 60).join('').trim() || 'x';

/** A paragraph that asks for the vector of each of its places. */
function paragraphOf(vector: () => string, index: number): object {
  const [name, option, label] = [vector(), vector(), vector()];
  const form = {
    type: 'Select',
    name,
    displayName: vector(),
    options: [{ value: option, displayName: vector() }],
    defaultValue: option,
    hidden: false,
  };
  return {
    id: `20260101-000000_${index}`,
    title: vector(),
    text: `%md\n${vector()}`,
    status: index % 8 === 7 ? 'ERROR' : 'FINISHED',
    config: { title: true, enabled: true },
    settings: { params: { [name]: option }, forms: { [name]: form } },
    results: {
      code: 'SUCCESS',
      msg: [
        { type: 'TEXT', data: `${vector()}\n` },
        {
          type: 'TABLE',
          data: `${tsv(vector())}\tb\n%html ${tsv(vector())}\t${tsv(vector())}\n\n${vector()}`,
        },
        { type: 'HTML', data: `<div class="markdown-body">${vector()}</div>` },
        { type: 'HTML', data: vector() },
        { type: 'ANGULAR', data: vector() },
        {
          type: 'NETWORK',
          data: JSON.stringify({
            nodes: [
              { id: 1, label, data: { [vector()]: vector() } },
              { id: 2, label: 'x' },
            ],
            edges: [{ id: 1, source: 1, target: 2, label: vector() }],
            labels: { [label]: '#ff0000' },
            types: [vector()],
            directed: true,
          }),
        },
        { type: 'SVG', data: `<svg xmlns="http://www.w3.org/2000/svg">${vector()}</svg>` },
        { type: 'IMG', data: vector() },
        { type: vector().slice(0, 40), data: vector() },
        { type: 'TEXT', data: `Traceback (most recent call last):\n  ${vector()}\n${vector()}` },
      ],
    },
  };
}

const paragraphs: object[] = [];
if (isComplete) paragraphs.push(...all.map((vector, index) => paragraphOf(() => vector, index)));
else {
  let used = 0;
  const next = () => all[used++ % all.length]!;
  while (used < all.length) paragraphs.push(paragraphOf(next, paragraphs.length));
}
const batches = Array.from({ length: Math.ceil(paragraphs.length / batchSize) }, (_, index) =>
  paragraphs.slice(index * batchSize, (index + 1) * batchSize),
);

const embedded = untilEnd(await startEmbedded({ shell: false, maxOutputBytes: 10_000_000 }));
const client = untilEnd(await adminClient(embedded.server.url));
for (const [index, batch] of batches.entries()) {
  const names = sample.slice(index * batchSize, (index + 1) * batchSize);
  const shown = [...batch];
  if (index === 0)
    shown.unshift({
      id: '20260101-000000_spy',
      text: 'x',
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [
          { type: 'HTML', data: spy },
          { type: 'ANGULAR', data: `${spy}{{1}}` },
        ],
      },
    });
  notes.push(
    await client.call('importNote', {
      body: {
        name: `${name(names[0]!)}/${name(names[1]!)} ${index}`,
        paragraphs: shown,
      },
    }),
  );
  await client.call('setTrust', { params: { noteId: notes.at(-1)! }, body: { trusted: true } });
  await client.call('setPermissions', {
    params: { noteId: notes.at(-1)! },
    body: {
      owners: ['admin', ...names.slice(0, 4)],
      readers: names.slice(4, 8),
      runners: [],
      writers: names.slice(8, 12),
    },
  });
}
// Names alone.
for (const [index, vector] of sample.entries())
  await client.notes.create({
    path: `names/${name(vector)}/${name(sample.at(-1 - index)!)} ${index}`,
  });
const browser = untilEnd(await launchChromium());

interface Opened {
  page: Page;
  /** Requested hosts other than the server's. */
  foreign: string[];
  close(): Promise<void>;
}

/** Signs in on a page in a new context. */
async function signedIn(options: BrowserContextOptions = {}): Promise<Opened> {
  const { page, close } = await openPage(browser, options);
  const foreign = await watch(page);
  await signIn(page, embedded.server.url, 'admin', ADMIN_PASSWORD);
  return { page, foreign, close };
}

/** Opens another page with the session of one that is signed in. */
async function another({ page }: Opened): Promise<Opened> {
  const next = await page.context().newPage();
  return { page: next, foreign: await watch(next), close: () => next.close() };
}

/** Collects what frames of a page post, and returns the requests to other hosts as they come. */
async function watch(page: Page): Promise<string[]> {
  const foreign: string[] = [];
  const left = (request: Request): void => {
    const { host, protocol } = new URL(request.url());
    // Requests stopped by the policy are reported too, but never leave.
    if (
      /^(https?|wss?):$/.test(protocol) &&
      host !== new URL(embedded.server.url).host &&
      request.failure()?.errorText !== 'csp'
    )
      foreign.push(`${request.url()} ${request.failure()?.errorText ?? ''}`);
  };
  page.on('requestfinished', left);
  page.on('requestfailed', left);
  page.on('dialog', (dialog) => void dialog.dismiss());
  await page.addInitScript(() => {
    if (window !== window.parent) return;
    const log: unknown[] = [];
    Object.assign(window, { stolen: log });
    window.addEventListener(
      'message',
      ({ data }) =>
        (data as { stolen?: unknown } | null)?.stolen &&
        log.push((data as { stolen: unknown }).stolen),
    );
  });
  return foreign;
}

/**
 * Active parts of the page, in every shadow root: handlers, executable addresses, and elements that
 * load or send.
 */
const acting = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walk = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        for (const { name, value } of element.attributes) {
          if (/^on/i.test(name)) found.push(element.outerHTML.slice(0, 200));
          if (
            /^(?:href|src|action|formaction|data|xlink:href|srcdoc|to|values)$/i.test(name) &&
            /^[\s\0-\x20]*(?:j\s*a\s*v\s*a\s*script|vbscript|data:text)/i.test(value)
          )
            found.push(element.outerHTML.slice(0, 200));
          // A picture loads nothing.
          if (
            /evil\.example/.test(value) &&
            !value.startsWith('data:image/') &&
            /^(?:href|src|action|formaction|data|poster|background|srcset)$/i.test(name) &&
            element.localName !== 'a'
          )
            found.push(element.outerHTML.slice(0, 200));
        }
        if (
          /^(?:object|embed|applet|base|frame|frameset|meta|marquee|portal)$/.test(
            element.localName,
          ) &&
          !element.closest('head')
        )
          found.push(element.outerHTML.slice(0, 200));
        if (
          element.localName === 'iframe' &&
          (!/^\/output-frame\//.test(new URL((element as HTMLIFrameElement).src).pathname) ||
            element.getAttribute('sandbox') !== 'allow-scripts')
        )
          found.push(element.outerHTML.slice(0, 200));
      }
    };
    walk(document.body);
    return found;
  });
const hit = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as { hit?: unknown }).hit);

async function unharmed({ page }: Opened, where: string): Promise<void> {
  expect(await acting(page), where).toEqual([]);
  expect(await hit(page), `a vector ran: ${where}`).toBeUndefined();
  expect(page.url().startsWith(embedded.server.url), `${where} led to ${page.url()}`).toBe(true);
}

/** Scrolls every paragraph into view, so that all of it is rendered. */
async function readThrough(page: Page, count: number): Promise<void> {
  await page.locator('article').first().waitFor();
  await expect.poll(() => page.locator('article').count()).toBeGreaterThanOrEqual(count);
  for (let index = 0; index < count; index += 2) {
    await page
      .locator('article')
      .nth(index)
      .evaluate((article) => article.scrollIntoView({ block: 'start' }))
      .catch(() => undefined);
    await page.waitForTimeout(120);
  }
  await page.waitForTimeout(400);
}

it('has vectors of every kind', () => {
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(new Set(all).size).toBe(all.length);
});

describe.each([
  ['without the page policy', { bypassCSP: true }],
  ['with the page policy', {}],
] as const)('%s', (_, options) => {
  let opened: Opened;
  beforeAll(async () => void (opened = await signedIn(options)));
  afterAll(async () => opened?.close());

  it('names of notes and folders are shown as text [S29]', async () => {
    await opened.page.goto(`${embedded.server.url}/#/`);
    await opened.page
      .getByRole('textbox', { name: /filter/i })
      .first()
      .fill('a');
    await opened.page.waitForTimeout(1_000);
    await unharmed(opened, 'home');
  });

  it.each(
    batches.map(
      (batch, index) => [index * batchSize + 1, index * batchSize + batch.length, index] as const,
    ),
  )('vectors of paragraphs %i to %i are text, or in a frame [S29]', async (_from, _to, index) => {
    const { page } = opened;
    await page.goto(`${embedded.server.url}/#/notebook/${notes[index]}`);
    await readThrough(page, batches[index]!.length);
    await unharmed(opened, `note ${index}`);
  });

  it('messages of a server are shown as text [S29]', async () => {
    const { page, close } = await another(opened);
    const say: ((text: string) => void)[] = [];
    await page.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      say.push((text) => socket.send(text));
      socket.onMessage((message) => server.send(message));
      server.onMessage((message) => socket.send(message));
    });
    await page.goto(`${embedded.server.url}/#/notebook/${notes[0]}`);
    await page.locator('article').first().waitFor();
    for (const [index, vector] of sample.entries()) {
      const op = ['ERROR_INFO', 'NOTICE'][index % 2]!;
      for (const each of say)
        each(
          JSON.stringify({
            op,
            data: { info: vector, notice: vector, code: 500 },
            ticket: 'anonymous',
            principal: 'anonymous',
            roles: '',
          }),
        );
    }
    await page.waitForTimeout(1_000);
    await unharmed({ page, foreign: [], close }, 'messages');
    await close();
  });

  it('no other host is contacted', () => {
    // Without its own policy the frame may load anything, but the page never does.
    if (!('bypassCSP' in options)) expect(opened.foreign).toEqual([]);
  });
});

it('the checks detect a vector that runs', async () => {
  const opened = await signedIn({ bypassCSP: true });
  await opened.page.evaluate(
    (markup) => document.body.insertAdjacentHTML('beforeend', markup),
    '<img src="data:," onerror="parent.hit = 1">',
  );
  await expect.poll(() => hit(opened.page)).toBe(1);
  expect(await acting(opened.page)).toHaveLength(1);
  await opened.close();
});

it('a frame can access nothing and reach nothing [S29]', async () => {
  const opened = await signedIn();
  const { page } = opened;
  await page.goto(`${embedded.server.url}/#/notebook/${notes[0]}`);
  const stolen = () => page.evaluate(() => (window as unknown as { stolen: unknown[] }).stolen);
  await expect.poll(async () => (await stolen()).length).toBeGreaterThanOrEqual(2);
  for (const each of await stolen())
    expect(each).toEqual([...Array<string>(6).fill('refused'), 'null', 'null']);
  await unharmed(opened, 'the spy');
  await opened.close();
});
