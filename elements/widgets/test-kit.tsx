/* Shared helpers of the widgets' browser tests. Not part of the product. */

import { type WidgetId, widgetIds } from '@tiding/client/widgets';
import axe from 'axe-core';
import { elementClass } from '../element-class.ts';
import { check, untilTestEnd, waitUntil } from '../result/test-support.tsx';
import { widgetCode } from './registry.ts';
import { widget } from './widget-element.ts';

/** A widget in the page, until the test ends. */
export interface MountedWidget {
  readonly element: HTMLElement & { data: unknown; describe(): Promise<string> };
  readonly root: ShadowRoot;
  /** The objects that the user has chosen. */
  readonly chosen: readonly unknown[];
  /** Its visible text, on one line. */
  words(): string;
  remove(): void;
}

/** Adds a `<tiding-widget>` with data and waits for its render. */
export async function mountWidget(
  id: WidgetId | undefined,
  data: unknown,
  {
    theme = 'light',
    width = 1000,
    ...more
  }: { theme?: 'light' | 'dark'; width?: number } & Record<string, unknown> = {},
): Promise<MountedWidget> {
  if (!customElements.get('tiding-widget'))
    customElements.define('tiding-widget', elementClass(widget));
  if (id) check(widgetIds.includes(id), `${id} is not a widget`);
  if (id) await widgetCode(id).load();
  const element = document.createElement('tiding-widget') as MountedWidget['element'];
  Object.assign(element, { widget: id, data, ...more });
  element.setAttribute('theme', theme);
  element.style.width = `${width}px`;
  const holder = untilTestEnd(document.createElement('main'));
  holder.append(element);
  document.body.append(holder);
  const root = element.shadowRoot!;
  const chosen: unknown[] = [];
  element.addEventListener('tiding-open-object', (event) =>
    chosen.push((event as CustomEvent).detail),
  );
  await waitUntil(
    () => root.querySelector('.widget, .element-note, .element-message'),
    'the widget',
  );
  return {
    element,
    root,
    chosen,
    words: () =>
      (root.querySelector<HTMLElement>('.widget') ?? (root as unknown as HTMLElement)).innerText
        ?.replace(/\s+/g, ' ')
        .trim() ??
      root.textContent ??
      '',
    remove: () => holder.remove(),
  };
}

/** Fails with axe-core's findings (WCAG 2.2 AA) in a widget. */
export async function accessible({ element }: MountedWidget): Promise<void> {
  const { violations } = await axe.run(element.parentElement!, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'heading-order': { enabled: false },
    },
  });
  check(
    violations.length === 0,
    violations
      .map(
        ({ id, nodes }) =>
          `${id}: ` +
          nodes
            .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`)
            .join(' | '),
      )
      .join('\n'),
  );
}

/**
 * Checks a widget in light, dark and on a phone: axe-core has no findings, and nothing is wider
 * than the page.
 */
export async function checkAppearance(id: WidgetId, data: unknown): Promise<void> {
  for (const [theme, width] of [
    ['light', 1000],
    ['dark', 1000],
    ['light', 390],
  ] as const) {
    const placed = await mountWidget(id, data, { theme, width });
    // The element has no background; set the page's.
    placed.element.parentElement!.style.background = theme === 'dark' ? '#0b1012' : '#f4f6f7';
    await accessible(placed);
    check(
      placed.element.scrollWidth <= width,
      `${id} is ${placed.element.scrollWidth} px wide in ${width}`,
    );
    placed.remove();
  }
}

/** Cells of a widget's tables, row by row; with `head`, those of the headers. */
export const cells = ({ root }: MountedWidget, head = false): string[][] =>
  [...root.querySelectorAll<HTMLElement>(head ? 'thead tr' : 'tbody tr:not(.detail)')].map((row) =>
    [...row.querySelectorAll<HTMLElement>('th, td')]
      .filter((cell) => !cell.classList.contains('toggle'))
      .map((cell) => cell.innerText.trim()),
  );
/** Labels with their values. */
export const facts = ({ root }: MountedWidget): Record<string, string> =>
  Object.fromEntries(
    [...root.querySelectorAll<HTMLElement>('.facts dt')].map((name) => [
      name.innerText.trim(),
      (name.nextElementSibling as HTMLElement).innerText.trim().replace(/\s+/g, ' '),
    ]),
  );
/** The badges: color and text. */
export const badges = ({ root }: MountedWidget): string[] =>
  [...root.querySelectorAll<HTMLElement>('.badge')].map(
    (badge) => `${badge.className.replace('badge ', '')} ${badge.innerText}`,
  );
