/**
 * The theme editor: a ready theme and a change of a property are visible at once in real elements,
 * and the copied style sheet looks the same on another page.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { contentTypes } from '../../server/http/content-types.ts';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { openPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { untilEnd } from '../support/until-end.ts';

const folder = join(root, 'dist/gallery');
/** Colours of parts inside the shadow root of an element. */
const coloursOf = (page: Page) =>
  page
    .locator('tiding-job-graph .flow-node')
    .first()
    .evaluate((node) => {
      const { backgroundColor, borderTopColor, color, borderTopLeftRadius } =
        getComputedStyle(node);
      const host = (node.getRootNode() as ShadowRoot).host;
      const surface = getComputedStyle(host).getPropertyValue('--_surface');
      return { backgroundColor, borderTopColor, color, borderTopLeftRadius, surface };
    });

describe('the theme editor', () => {
  let browser: Browser;
  let origin: string;
  /** Documents of other pages, by path. */
  const documents = new Map<string, string>();

  beforeAll(async () => {
    origin = await serve(async (request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://gallery').pathname);
      const file =
        documents.get(path) ?? (await readFile(join(folder, path)).catch(() => undefined));
      if (file === undefined)
        return void response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
      return void response
        .writeHead(200, { 'Content-Type': contentTypes[extname(path)] ?? 'text/html' })
        .end(file);
    });
    browser = untilEnd(await launchChromium());
  });

  async function open(width = 1440) {
    const opened = await openPage(browser, {
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.page.goto(`${origin}/themes.html`);
    await opened.page.locator('html[data-theme="default"]').waitFor();
    await opened.page.locator('tiding-job-graph .flow-node').first().waitFor();
    return opened;
  }
  async function choose(page: Page, theme: string) {
    await page.getByLabel('Start from').selectOption(theme);
    await page.locator(`html[data-theme="${theme}"]`).waitFor();
  }

  it('shows a theme and a change at once, and copies CSS that looks the same', async () => {
    const { page, complaints, close } = await open();
    const before = await coloursOf(page);
    await choose(page, 'warm');
    const warm = await coloursOf(page);
    expect(warm).not.toEqual(before);
    expect(warm.surface).toContain('#fffcf9');

    await page.getByRole('searchbox', { name: 'Find' }).fill('surface');
    await page.getByLabel('surface', { exact: true }).fill('#f0e0c0');
    await page.getByRole('searchbox', { name: 'Find' }).fill('radius-md');
    await page.getByLabel('radius-md', { exact: true }).fill('0px');
    const changed = await coloursOf(page);
    expect(changed).not.toEqual(warm);
    expect(changed.surface).toContain('#f0e0c0');

    await page.getByRole('button', { name: 'Copy CSS' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const css = await page.evaluate(() => navigator.clipboard.readText());
    expect(await page.locator('#css').textContent()).toBe(css);
    expect(css).toContain('--tiding-surface: light-dark(#f0e0c0, #1a1612);');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSS' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('tiding-theme.css');
    expect(await readFile(await download.path(), 'utf8')).toBe(css);

    const names = JSON.parse(await readFile(join(folder, 'widgets.json'), 'utf8')) as string[];
    const name = names.find((each) => each.startsWith('job-graph'))!;
    const data = await readFile(join(folder, `widgets/${name}.json`), 'utf8');
    const other = (sheet: string) =>
      `<!doctype html><title>Other</title><style>${sheet}</style>` +
      '<script type="module" src="tiding.js"></script><tiding-job-graph theme="light">' +
      `<script type="application/json">${data.replaceAll('<', '\\u003c')}</script>` +
      '</tiding-job-graph>';
    documents.set('/other.html', other(css));
    documents.set('/plain.html', other(''));
    for (const [path, expected] of [
      ['other', changed],
      ['plain', before],
    ] as const) {
      await page.goto(`${origin}/${path}.html`);
      await page.locator('tiding-job-graph .flow-node').first().waitFor();
      expect(await coloursOf(page)).toEqual(expected);
    }
    expect(complaints).toEqual([]);
    await close();
  });

  it('warns of too little contrast, and restores a default', async () => {
    const { page, complaints, close } = await open();
    const verdict = page.getByRole('status').and(page.locator('#verdict'));
    expect(await verdict.textContent()).toMatch(/^Lowest contrast of text: \d+\.\d : 1$/);
    await page.getByRole('searchbox', { name: 'Find' }).fill('text-link');
    await page.getByLabel('text-link', { exact: true }).fill('#aaccdd');
    expect(await verdict.textContent()).toMatch(/^Too little contrast: text-link on /);
    await page.getByLabel('Colours').selectOption('dark');
    expect(await verdict.textContent()).toMatch(/^Lowest contrast/);
    await page.getByLabel('Colours').selectOption('light');
    await page.getByRole('button', { name: 'Reset text-link' }).click();
    expect(await verdict.textContent()).toMatch(/^Lowest contrast/);
    expect(await page.locator('#css').textContent()).toBe(':root {\n}\n');
    expect(complaints).toEqual([]);
    await close();
  });

  // One look; `ALL_LOOKS=1` checks four.
  const looks: [number, string][] = [
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
  ];
  it.each(process.env['ALL_LOOKS'] ? looks : looks.slice(0, 1))(
    'has no violations at %d px in %s colours',
    async (width, scheme) => {
      const { page, complaints, close } = await open(width);
      await page.getByLabel('Colours').selectOption(scheme);
      const axe = await readFile(
        createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
        'utf8',
      );
      await page.evaluate(axe);
      const findings = () =>
        page.evaluate(async () => {
          const { axe: tool } = window as unknown as {
            axe: {
              run(
                context: object,
                options: object,
              ): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
            };
          };
          // Elements that are pages of the app are beside each other here.
          const rules = Object.fromEntries(
            ['page-has-heading-one', 'heading-order', 'region', 'landmark-unique'].map((rule) => [
              rule,
              { enabled: false },
            ]),
          );
          const { violations } = await tool.run(document.body, { rules });
          const { scrollWidth, clientWidth } = document.documentElement;
          return [
            ...(scrollWidth > clientWidth ? [`${scrollWidth} px wide in ${clientWidth}`] : []),
            ...violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes[0]?.target)}`),
          ];
        });
      const found: string[] = [];
      for (const theme of ['neutral', 'high-contrast', 'warm', 'cool', 'compact']) {
        await choose(page, theme);
        await page.locator('tiding-job-graph .flow-node').first().waitFor();
        await page.locator('tiding-paragraph').getByRole('article').waitFor();
        found.push(...(await findings()).map((finding) => `${theme}: ${finding}`));
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});

it('a server serves the themes to pages of other origins', async () => {
  const { server, stop } = await startEmbedded({ web: join(root, 'server/dist/web') });
  const response = await fetch(`${server.url}/themes/warm.css`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.text()).toBe(
    await readFile(join(root, 'elements/themes/warm.css'), 'utf8'),
  );
  await stop();
});
