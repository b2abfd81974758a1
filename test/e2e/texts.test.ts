/** No sentence stands beside the table of texts: with every text replaced, what is left on the pages is data. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkAccount } from '../support/account-states.ts';
import { walkEmpty, walkFailing } from '../support/failing-states.ts';
import { walkCatalogue, walkSearch } from '../support/catalogue-states.ts';
import { walkNavigation } from '../support/navigation-states.ts';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { packageWords, writePackages } from '../support/package-samples.ts';
import {
  makeWorld,
  network,
  walkClusters,
  walkDrafts,
  walkHome,
  walkInterpreters,
  walkJobs,
  walkLooks,
  walkNote,
  walkSignIn,
  type World,
} from '../support/states.ts';

/** Puts marks around every text of the page's table. */
async function mark(page: Page): Promise<void> {
  // As a host page takes it; in quotes, because the test runner rewrites an import of its own.
  await page.evaluate("import('/tiding.js').then((module) => { window.module ??= module; })");
  await page.evaluate(() => {
    const { setTexts, texts } = (
      window as unknown as { module: typeof import('../../elements/define.ts') }
    ).module;
    const marked = (value: unknown): unknown => {
      if (typeof value === 'string') return `⟦${value}⟧`;
      if (typeof value === 'function')
        return (...given: unknown[]) => `⟦${(value as (...all: unknown[]) => string)(...given)}⟧`;
      if (Array.isArray(value)) return value.map(marked);
      return Object.fromEntries(
        Object.entries(value as object).map(([key, part]) => [key, marked(part)]),
      );
    };
    if (!texts.close.startsWith('⟦')) setTexts(marked(texts) as Parameters<typeof setTexts>[0]);
  });
}

/** Words on the page outside of marks, where what shows them is not data: code, results, names, times, keys. */
const strays = (page: Page) =>
  page.evaluate(() => {
    const data =
      '.cm-editor, .code-part, [role=gridcell], [role=columnheader], .text-lines, .result-out, .prose, .markdown, .error-box p, .error-detail, iframe, .paragraph-foot, time, kbd, .key, .chip, .note-name, .tree-name, .recent, .outline, .avatar, .user-name, .binding-name, option, .form-field .label, .add-bar .button.sm, #schedule-words, .segments [role=radio]:not([title]), svg text, svg title, .chart-box table, .strip-theirs pre, .hint.name, noscript, style, script, .paragraph-title, .report-title, .note-card, .list-note, .menu-data, .badge.word, .cluster-data, .setting-name, .magics, .props td, .repositories li, .token-name > button, .token-id, .entity-list .menu-item, [data-entity] > th, [data-entity] > td:nth-child(2), .configuration tbody, .storage h3, .storage-class, .storage-settings, .storage .label, .static-code';
    const found = new Set<string>();
    const bare = (words: string) => {
      let rest = words;
      for (let before = ''; before !== rest; ) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
      }
      return rest;
    };
    const look = (words: string | null | undefined, where: Element) => {
      if (words && /\p{L}{2}/u.test(bare(words)))
        found.add(
          `${where.tagName.toLowerCase()}.${where.getAttribute('class') ?? ''}: ${words.trim().slice(0, 120)}`,
        );
    };
    const isData = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (at.matches(data)) return true;
      return false;
    };
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (isData(element) || !element.checkVisibility()) continue;
        for (const name of [
          'aria-label',
          'title',
          'placeholder',
          'alt',
          'aria-description',
          'aria-valuetext',
          'aria-roledescription',
        ])
          look(element.getAttribute(name), element);
        for (const node of element.childNodes)
          if (node.nodeType === Node.TEXT_NODE) look(node.textContent, element);
      }
    };
    walk(document.body);
    return [...found];
  });

describe('the table of texts', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let world: World;
  let watched: WatchedPage;
  let net: Awaited<ReturnType<typeof network>>;
  const missing: string[] = [];

  beforeAll(async () => {
    embedded = await startEmbedded({ shell: true });
    world = await makeWorld(embedded.server.url);
    await writePackages(embedded.data);
    browser = await launchChromium();
    watched = await openPage(browser);
    watched.page.setDefaultTimeout(10_000);
    net = await network(watched.page);
  }, 120_000);
  afterAll(async () => {
    world?.client.close();
    await browser?.close();
    await embedded?.stop();
  });

  const visit = async (state: string) => {
    await mark(watched.page);
    await watched.page.waitForTimeout(100);
    missing.push(...(await strays(watched.page)).map((stray) => `${state}: ${stray}`));
  };
  /** Data that stands in attributes and sentences: durations, what the server says, names of the note and of its paragraphs. */
  const names =
    /\b\d+ min\b|This link is not known. Ask for a new one.|The folder of the notes cannot be read.|No such note: 2UNKNOWN0|Every state|Team|Samples|Flight delays|Seattle weather|Cities|Chart|Colours|Markup|Failed|Asked for|Outdated|Switched off|Shared|Stopped|Goes on|Heading|city|degrees|days|word|rain|admin|Seattle|Portland|Boise|jdbc\.warehouse/g;
  const check = () =>
    expect([
      ...new Set(
        missing.splice(0).filter((line) =>
          /\p{L}{2}/u.test(
            line
              .slice(line.indexOf(': ', line.indexOf(': ') + 2) + 2)
              .replace(/⟦[^⟦⟧]*⟧/g, '')
              .replace(names, ''),
          ),
        ),
      ),
    ]).toEqual([]);

  it('has what the sign-in says', { timeout: 60_000 }, async () => {
    await walkSignIn(watched.page, world, visit, () => mark(watched.page));
    check();
  });
  it('has what the home page says', { timeout: 60_000 }, async () => {
    await walkHome(watched.page, visit);
    check();
  });
  it('has what the interpreter settings say', { timeout: 60_000 }, async () => {
    await walkInterpreters(watched.page, world, visit);
    check();
  });
  it('has what a note says', { timeout: 120_000 }, async () => {
    await walkNote(watched.page, world, visit);
    check();
  });
  it('has what the states of texts say', { timeout: 60_000 }, async () => {
    await walkDrafts(watched.page, world, visit, net);
    check();
  });
  it('has what the other looks say', { timeout: 60_000 }, async () => {
    await walkLooks(watched.page, world, visit);
    check();
  });
  it('has what the job page says', { timeout: 60_000 }, async () => {
    await walkJobs(watched.page, world, visit);
    check();
  });
  it('has what the page of clusters says', { timeout: 60_000 }, async () => {
    await walkClusters(watched.page, world, embedded.data, visit);
    check();
  });
  it('has what the pages of the account and of the configuration say', {
    timeout: 60_000,
  }, async () => {
    await walkAccount(watched.page, world, visit);
    check();
  });
  it('has what the search, the packages and revision control say', {
    timeout: 60_000,
  }, async () => {
    await walkSearch(watched.page, world, visit);
    await walkCatalogue(watched.page, world, visit);
    await walkNavigation(watched.page, world, visit);
    // What packages say of themselves, and what they are called.
    const own = new RegExp(
      [...packageWords, 'zzqx', String.raw`\./bin/install-interpreter\.sh.*`].join('|'),
      'g',
    );
    missing.splice(0, Infinity, ...missing.map((line) => line.replace(own, '')));
    check();
  });
  it('has what pages say that fail or have nothing', { timeout: 120_000 }, async () => {
    await walkFailing(watched.page, world, visit, net);
    await walkEmpty(watched.page, visit);
    check();
  });
});
