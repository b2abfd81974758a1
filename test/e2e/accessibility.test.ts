/**
 * Every state of the pages, in light, dark and forced colours, wide, at 200 % zoom, at 320 px and from right to left: axe-core
 * finds nothing, and no page scrolls sideways.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { walkEverything } from '../support/every-state.ts';
import { writePackages } from '../support/package-samples.ts';
import { makeWorld, network, type World } from '../support/states.ts';

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{
    violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[];
  }>;
}

const wide = { width: 1440, height: 900 };
const narrow = { width: 320, height: 640 };
type Way = readonly [string, BrowserContextOptions & { rtl?: boolean }];
/** How the pages are looked at; with `ALL_LOOKS=1` in every way, else in the first, the farthest from what one has before the eyes at work. */
const all: readonly Way[] = [
  [
    '320 px, dark, from right to left',
    { viewport: narrow, colorScheme: 'dark', reducedMotion: 'reduce', rtl: true },
  ],
  ['light', { viewport: wide, colorScheme: 'light' }],
  ['forced colours', { viewport: wide, forcedColors: 'active', reducedMotion: 'reduce' }],
  ['dark', { viewport: wide, colorScheme: 'dark', reducedMotion: 'reduce' }],
  ['320 px', { viewport: narrow, colorScheme: 'light', reducedMotion: 'reduce', hasTouch: true }],
  [
    '200 % zoom, more contrast',
    {
      viewport: { width: 720, height: 450 },
      deviceScaleFactor: 2,
      contrast: 'more',
      reducedMotion: 'reduce',
    },
  ],
  ['from right to left', { viewport: wide, reducedMotion: 'reduce', rtl: true }],
];
const ways = process.env['ALL_LOOKS'] ? all : [all[0]!];

describe('accessibility', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let world: World;
  let axe: string;

  beforeAll(async () => {
    embedded = await startEmbedded({ shell: true });
    world = await makeWorld(embedded.server.url);
    await writePackages(embedded.data);
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    world?.client.close();
    await browser?.close();
    await embedded?.stop();
  });

  const findings = async (page: Page, state: string): Promise<string[]> => {
    // Open and close of menus and dialogs fade: a colour half-way is nobody's.
    await page.waitForTimeout(300);
    const sideways = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth
        ? [`the page is ${scrollWidth} px wide in ${clientWidth}`]
        : [];
    });
    // What is open can be reached as a whole.
    const outside = await page.evaluate(() => {
      const open: Element[] = [];
      const look = (root: ParentNode): void => {
        for (const element of root.querySelectorAll('*')) {
          if (
            element.matches(
              '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], .toast, .dialog-actions > *',
            )
          )
            open.push(element);
          if (element.shadowRoot) look(element.shadowRoot);
        }
      };
      look(document);
      const tell = ({ left, top, right, bottom }: DOMRect): string =>
        [left, top, right, bottom].map(Math.round).join(' ');
      const whole = new DOMRect(0, 0, innerWidth, innerHeight);
      return open
        .map(
          (element) =>
            [
              element,
              element.getBoundingClientRect(),
              element.closest('.dialog-actions')?.getBoundingClientRect() ?? whole,
            ] as const,
        )
        .filter(
          ([, { left, top, right, bottom, width }, box]) =>
            width > 0 &&
            (left < box.left - 1 ||
              top < box.top - 1 ||
              right > box.right + 1 ||
              bottom > box.bottom + 1),
        )
        .map(
          ([element, rect, box]) =>
            `${element.className || element.textContent} lies outside of its box: ${tell(rect)} in ${tell(box)}`,
        );
    });
    await page.evaluate(axe);
    // A page in a frame has the colour of the page around it, which the checker takes for white.
    const found = await page.evaluate(async (framed) => {
      const { axe: tool } = window as unknown as { axe: Axe };
      // The library's focus guards pass the focus on at once; nobody ever rests on one.
      // While a question is open, the page behind it is hidden by attribute and out of reach by a focus trap.
      const guards = [
        'tiding-notebook',
        'tiding-home',
        'tiding-paragraph',
        'tiding-job-manager',
        'tiding-clusters',
        'tiding-interpreters',
        'tiding-access-tokens',
        'tiding-credentials',
        'tiding-configuration',
        'tiding-packages',
        'tiding-revision-control',
        'tiding-navigation',
      ].map((tag) => [{ fromShadowDom: [tag, '[data-base-ui-focus-guard]'] }]);
      const { violations } = await tool.run(
        { exclude: [['#app [data-base-ui-inert]'], ...guards] },
        { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: !framed } } },
      );
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${JSON.stringify(nodes.map(({ target, failureSummary }) => [target, failureSummary])).slice(0, 600)}`,
      );
    }, state === 'paragraph in a frame');
    return [...sideways, ...outside, ...found].map((finding) => `${state}: ${finding}`);
  };

  for (const [name, { rtl, ...options }] of ways) {
    it(`finds nothing: ${name}`, { timeout: 420_000 }, async () => {
      // The checker needs to run its own script; the page's policy is tested elsewhere.
      const context = await browser.newContext({ bypassCSP: true, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      if (rtl)
        await page.addInitScript(() =>
          document.addEventListener('DOMContentLoaded', () =>
            document.documentElement.setAttribute('dir', 'rtl'),
          ),
        );
      const net = await network(page);
      const all: string[] = [];
      const visit = async (state: string) => void all.push(...(await findings(page, state)));
      await walkEverything(page, world, embedded.data, visit, net);
      expect(all).toEqual([]);
      await context.close();
    });
  }
});
