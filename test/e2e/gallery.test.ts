/**
 * The published gallery: draws every element in every state under a strict policy, without logged
 * errors or axe-core violations.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { widgetIds } from '@tiding/client/widgets';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { elements } from '../../elements/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { openPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { untilEnd } from '../support/until-end.ts';

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{
    violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[];
  }>;
}
/** The content of a state: its widgets, visible text and number of loading indicators. */
interface Drawn {
  readonly state: string;
  readonly widgets: readonly string[];
  readonly words: string;
  readonly loading: number;
}
interface Declaration {
  readonly tagName?: string;
  readonly widget?: string;
  readonly attributes: readonly { name: string; description: string }[];
  readonly members: readonly { kind: string; name: string }[];
  readonly events?: readonly { name: string }[];
  readonly cssParts?: readonly { name: string }[];
  readonly cssProperties?: readonly { name: string }[];
  readonly slots?: readonly { name: string }[];
}

const folder = join(root, 'dist/gallery');
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify tiding#worker tiding#frame',
].join('; ');

/**
 * Combinations of theme and width. `ALL_LOOKS=1` tests all of them; the default is only the first,
 * which differs most from what developers usually see.
 */
const ways = [
  { theme: 'dark', width: '390' },
  { theme: 'light', width: '' },
  { theme: 'dark', width: '' },
  { theme: 'light', width: '390' },
];
const looks = process.env['ALL_LOOKS'] ? ways : [ways[0]!];

describe('the gallery', () => {
  let browser: Browser;
  let address: string;
  let axe: string;

  beforeAll(async () => {
    const origin = await serve(async (request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://gallery').pathname);
      const file = await readFile(join(folder, path)).catch(() => undefined);
      if (file === undefined)
        return void response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
      return void response
        .writeHead(200, {
          'Content-Type': types[extname(path)] ?? 'application/octet-stream',
          'Content-Security-Policy': policy,
        })
        .end(file);
    });
    address = `${origin}/gallery.html`;
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = untilEnd(await launchChromium());
  });

  const drawn = (page: Page): Promise<Drawn[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('figure')].map((figure) => {
        const shadows = [...figure.querySelectorAll('.stage *')].flatMap(
          (element) => element.shadowRoot ?? [],
        );
        const within = (selector: string) =>
          shadows.flatMap((shadow) => [...shadow.querySelectorAll<HTMLElement>(selector)]);
        return {
          state: figure.dataset['state']!,
          widgets: within('section.widget').map((widget) => widget.dataset['widget']!),
          loading: within('.element-loading, [aria-busy="true"]').length,
          // Include the accessible names of icons.
          words: shadows
            .map((shadow) =>
              [...shadow.children].map((child) => (child as HTMLElement).innerText).join(' '),
            )
            .concat(
              within('[aria-label]')
                .filter((element) => element.checkVisibility())
                .map((element) => element.ariaLabel ?? ''),
            )
            .join(' ')
            .replace(/\s+/g, ' ')
            .trim(),
        };
      }),
    );
  /** Shows an element and waits until all of its states are drawn. */
  async function show(page: Page, tag: string): Promise<Drawn[]> {
    await page.evaluate((wanted) => void (location.hash = wanted), tag);
    await page.locator(`#shown[data-tag="${tag}"]`).waitFor();
    let seen: Drawn[] = [];
    await expect
      .poll(
        async () =>
          (seen = await drawn(page)).length > 0 &&
          seen.every(({ loading, words }) => loading === 0 && words !== ''),
        { message: `${tag} is drawn` },
      )
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(
          `${tag}: ${JSON.stringify(
            seen.filter(({ loading, words }) => loading > 0 || words === ''),
          )}`,
          { cause: error },
        );
      });
    return seen;
  }

  /** What axe-core finds, and whether the page is too wide. */
  const findings = (page: Page): Promise<string[]> =>
    page.evaluate(async () => {
      const { axe: tool } = window as unknown as { axe: Axe };
      const { scrollWidth, clientWidth } = document.documentElement;
      // The gallery shows several elements at a time, so rules about whole pages don't apply.
      const off = Object.fromEntries(
        (
          'page-has-heading-one heading-order region landmark-unique ' +
          'landmark-no-duplicate-main landmark-main-is-top-level ' +
          'landmark-no-duplicate-banner landmark-banner-is-top-level ' +
          'landmark-complementary-is-top-level landmark-contentinfo-is-top-level ' +
          'duplicate-id'
        )
          .split(' ')
          .map((rule) => [rule, { enabled: false }]),
      );
      const { violations } = await tool.run(
        { include: document.body },
        { resultTypes: ['violations'], rules: off },
      );
      return [
        ...(scrollWidth > clientWidth
          ? [`the page is ${scrollWidth} px wide in ${clientWidth}`]
          : []),
        ...violations.map(
          ({ id, nodes }) =>
            `${id}: ${JSON.stringify(
              nodes.map(({ target, failureSummary }) => [target, failureSummary]),
            ).slice(0, 600)}`,
        ),
      ];
    });

  for (const { theme, width } of looks) {
    const look = `${theme}${width && `, ${width} px`}`;
    it(`shows every element and widget without errors or violations: ${look}`, {
      timeout: 600_000,
    }, async () => {
      const { page, complaints, close } = await openPage(browser, {
        viewport: { width: width ? 480 : 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      await page.goto(address);
      await page.locator('#looks').getByLabel('Colours').selectOption(theme);
      await page.locator('#looks').getByLabel('Width').selectOption(width);
      // Scripts that a test evaluates are exempt from the page's policy.
      await page.evaluate(axe);
      const missing: string[] = [];
      const violations: string[] = [];
      const widgets = new Set<string>();
      for (const { tag, widget } of elements) {
        const states = await show(page, tag);
        violations.push(...(await findings(page)).map((finding) => `${tag}: ${finding}`));
        if (widget === undefined) {
          if (tag === 'tiding-widget')
            for (const each of states.flatMap((state) => state.widgets)) widgets.add(each);
          continue;
        }
        // Every widget with a tag has a view and an example.
        for (const { state, widgets: found } of states)
          if (
            state === 'nothing to show'
              ? found.length > 0 || states.length === 1
              : found[0] !== widget
          )
            missing.push(`${tag}: ${state}`);
      }
      for (const id of widgetIds) if (!widgets.has(id)) missing.push(`no example of ${id}`);
      expect(missing).toEqual([]);
      expect(violations).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  }

  it('shows the code of a state, which shows the same on another page', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(address);
    await page.getByRole('searchbox', { name: 'Find' }).fill('job-gr');
    await expect
      .poll(() => page.locator('#tags li:visible').allInnerTexts())
      .toEqual(['<tiding-job-graph>']);
    await page.getByRole('link', { name: '<tiding-job-graph>' }).click();
    const state = page.locator('figure').first();
    await state.getByText('Code', { exact: true }).click();
    await state.getByRole('button', { name: 'Copy' }).click();
    await state.getByRole('button', { name: 'Copied' }).waitFor();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    expect(await state.locator('pre').innerText()).toBe(code.trimEnd());
    await state.getByText('Attributes', { exact: true }).click();
    await state.getByLabel('density').selectOption('compact');
    expect(await state.locator('tiding-job-graph').getAttribute('density')).toBe('compact');
    expect(await state.locator('pre').innerText()).toContain("density='compact'");
    await state.getByLabel('density').selectOption('');
    expect(await state.locator('pre').innerText()).toBe(code.trimEnd());
    const node = state.locator('tiding-job-graph .flow-node').first();
    const name = await node.locator('b').innerText();
    await node.click();
    await state.getByText(/^Events: [1-9]/).click();
    await state.locator('li', { hasText: 'tiding-select' }).first().waitFor();
    await page.getByLabel('Direction').selectOption('rtl');
    await page.locator('.stage[dir=rtl] tiding-job-graph .flow-node').first().waitFor();

    const other = await serve(async (request, response) => {
      const path = request.url ?? '/';
      if (path === '/favicon.ico') return void response.writeHead(204).end();
      if (path === '/')
        return void response
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end(`<!doctype html>${code.replace('https://notes.example.org/', '')}`);
      return void response
        .writeHead(200, { 'Content-Type': 'text/javascript' })
        .end(await readFile(join(folder, normalize(path))));
    });
    await page.goto(`${other}/`);
    await page.locator('tiding-job-graph').getByText(name).first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('has a manifest that matches the elements', async () => {
    const read = JSON.parse(
      await readFile(join(root, 'elements/dist/custom-elements.json'), 'utf8'),
    ) as {
      schemaVersion: string;
      modules: {
        path: string;
        declarations: Declaration[];
        exports: { kind: string; name: string }[];
      }[];
    };
    const [module] = read.modules;
    expect([
      read.schemaVersion,
      read.modules.length,
      module!.exports.map(({ name }) => name),
    ]).toEqual(['2.1.0', 1, elements.map(({ tag }) => tag)]);
    const of = (tag: string | undefined) =>
      module!.declarations.find(({ tagName }) => tagName === tag)!;
    for (const spec of elements) {
      const { attributes, members, events, widget } = of(spec.tag);
      const named = Object.entries(spec.properties);
      expect([
        spec.tag,
        members.map(({ name }) => name),
        events!.map(({ name }) => name),
        widget,
      ]).toEqual([
        spec.tag,
        [...named.map(([name]) => name), ...(spec.methods ?? []).map(({ name }) => name)],
        (spec.events ?? []).map(({ name }) => name),
        spec.widget,
      ]);
      expect(attributes.length).toBe(named.filter(([, { kind }]) => kind !== 'object').length);
      expect(
        attributes.filter(
          ({ name, description }) => name !== name.toLowerCase() || description === '',
        ),
      ).toEqual([]);
    }
    expect(of('tiding-table').cssParts).toEqual([{ name: 'widget' }]);
    expect(of('tiding-paragraph').cssParts!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['footer', 'forms', 'header', 'paragraph', 'result']),
    );
    expect(of('tiding-workbench').slots).toEqual([{ name: '' }]);
    const tokens = await readFile(join(root, 'elements/theme/tokens.css'), 'utf8');
    const common = of(undefined);
    expect(common.cssProperties!.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...new Set(tokens.match(/--tiding-[\w-]+/g))]),
    );
    expect(common.attributes.map(({ name }) => name)).toEqual([
      'server',
      'portal',
      'theme',
      'density',
      'contrast',
    ]);
  });
});
