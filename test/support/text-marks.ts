/**
 * Finds words on a page that do not come from the table of texts: the table's texts are marked, so
 * that every word outside a mark is data or a defect.
 *
 * The marks are U+2063 and U+2064: they have no width, so the layout is the one that users see.
 */
import type { Page } from 'playwright-core';

/** Puts invisible marks around every text of the page's table. */
export async function markTexts(page: Page): Promise<void> {
  // In quotes, because the test runner rewrites imports in its own code.
  await page.evaluate("import('/tiding.js').then((module) => { window.module ??= module; })");
  await page.evaluate(async () => {
    const { loadTexts, setTexts } = (
      window as unknown as { module: typeof import('../../elements/define.ts') }
    ).module;
    const texts = await loadTexts();
    const marked = (value: unknown): unknown => {
      if (typeof value === 'string') return `\u2063${value}\u2064`;
      if (typeof value === 'function')
        return (...given: unknown[]) =>
          `\u2063${(value as (...all: unknown[]) => string)(...given)}\u2064`;
      if (Array.isArray(value)) return value.map(marked);
      return Object.fromEntries(
        Object.entries(value as object).map(([key, part]) => [key, marked(part)]),
      );
    };
    if (!texts.close.startsWith('\u2063'))
      setTexts(marked(texts) as Parameters<typeof setTexts>[0]);
  });
}

/**
 * Lists words on the page that are outside the marks and not data (code, results, names, times,
 * keys).
 */
export const strayTexts = (page: Page) =>
  page.evaluate(() => {
    const data = `
      .cm-editor, .code-part, [role=gridcell], [role=columnheader], .text-lines, .result-out,
      .result-distant, .prose, .markdown, .error-box p, .error-detail, iframe, .paragraph-foot,
      time, kbd, .key, .chip, .note-name, .tree-name, .recent, .outline, .avatar, .user-name,
      .role b, .user-roles, textarea, .binding-name, option, .form-field .label,
      .add-bar .button.sm, #schedule-words, .segments [role=radio]:not([title]), svg text,
      svg title, .chart-box table, .strip-theirs pre, .hint.name, noscript, style, script,
      .paragraph-title, .report-title, .note-card, .list-note, .menu-data, .badge.word,
      .cluster-data, .connection h2, .connection-head .badge, .connection-problem,
      .connection-form .alert, .schema-name, .table-preview h3, .engine-name, .setting-name,
      .magics, .kernel :is(b, code, pre), .kernel-language, .kernel-place, .comment-text,
      .comment-quote, .props td, .repositories li, .token-name > button, .token-id,
      .entity-list .menu-item, [data-entity] > th, [data-entity] > td:nth-child(2),
      .configuration tbody, .storage h3, .storage-class, .storage-settings, .storage .label,
      .static-code`;
    const found = new Set<string>();
    const bare = (words: string) => {
      let rest = words;
      for (let before = ''; before !== rest; ) {
        before = rest;
        rest = rest.replace(/\u2063[^\u2063\u2064]*\u2064/g, '');
      }
      return rest;
    };
    const look = (words: string | null | undefined, where: Element) => {
      if (words && /\p{L}{2}/u.test(bare(words)))
        found.add(
          `${where.tagName.toLowerCase()}.${where.getAttribute('class') ?? ''}: ` +
            words.trim().slice(0, 120),
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
        for (const name of (
          'aria-label title placeholder alt aria-description aria-valuetext ' +
          'aria-roledescription'
        ).split(' '))
          look(element.getAttribute(name), element);
        for (const node of element.childNodes)
          if (node.nodeType === Node.TEXT_NODE) look(node.textContent, element);
      }
    };
    walk(document.body);
    return [...found];
  });

/** Data in attributes and sentences: durations, server messages, names of notes and paragraphs. */
const names = new RegExp(
  String.raw`\b\d+ min\b|This link is invalid. Request a new one.|No such note: 2UNKNOWN0|` +
    String.raw`The folder of the notes cannot be read.|jdbc\.warehouse|Every state|Team|Samples|` +
    'Flight delays|Seattle weather|Cities|Chart|Colours|Markup|Failed|Asked for|Outdated|' +
    'Switched off|Shared|Stopped|Goes on|Heading|city|degrees|days|word|rain|admin|Seattle|' +
    'Portland|Boise',
  'g',
);

/** Whether a line of `strayTexts` has words other than marked texts and known data. */
export const hasStrayWords = (line: string, data: RegExp): boolean =>
  /\p{L}{2}/u.test(
    line
      .slice(line.indexOf(': ') + 2)
      .replace(/\u2063[^\u2063\u2064]*\u2064/g, '')
      .replace(data, '')
      .replace(names, ''),
  );
