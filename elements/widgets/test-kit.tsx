/* What the browser tests of widgets share. Not part of the product. */
import axe from 'axe-core';
import { widgetIds, type WidgetId } from 'tiding/widgets';
import { check, until } from '../result/test-kit.tsx';
import { elementClass } from '../runtime/define-element.ts';
import { widgetCode } from './registry.ts';
import { widget } from './widget-element.ts';

/** A widget in the page. */
export interface Placed {
  readonly element: HTMLElement & { data: unknown; describe?: () => Promise<string> };
  readonly root: ShadowRoot;
  /** What a reader sees of it, in one line. */
  words(): string;
  remove(): void;
}

/** Places `<tiding-widget>` with data, and waits until it is drawn. */
export async function place(
  id: WidgetId | undefined,
  data: unknown,
  {
    theme = 'light',
    width = 1000,
    ...more
  }: { theme?: 'light' | 'dark'; width?: number } & Record<string, unknown> = {},
): Promise<Placed> {
  if (!customElements.get('tiding-widget'))
    customElements.define('tiding-widget', elementClass(widget));
  if (id) check(widgetIds.includes(id), `${id} is no widget`);
  if (id) await widgetCode(id).load();
  const element = document.createElement('tiding-widget') as Placed['element'];
  Object.assign(element, { widget: id, data, ...more });
  element.setAttribute('theme', theme);
  element.style.width = `${width}px`;
  const holder = document.createElement('main');
  holder.append(element);
  document.body.append(holder);
  const root = element.shadowRoot!;
  await until(() => root.querySelector('.widget, .element-note, .element-message'), 'the widget');
  await until(() => element.describe, 'its words');
  return {
    element,
    root,
    words: () =>
      (root.querySelector<HTMLElement>('.widget') ?? (root as unknown as HTMLElement)).innerText
        ?.replace(/\s+/g, ' ')
        .trim() ??
      root.textContent ??
      '',
    remove: () => holder.remove(),
  };
}

/** Fails with the findings of axe-core (WCAG 2.2 AA) in a widget. */
export async function accessible({ element }: Placed): Promise<void> {
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
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`).join(' | ')}`,
      )
      .join('\n'),
  );
}

/** Places a widget in light, dark and on a phone: no finding of axe, and nothing is wider than the page. */
export async function looksWell(id: WidgetId, data: unknown): Promise<void> {
  // What a test that failed has left.
  for (const left of document.querySelectorAll('main')) left.remove();
  for (const [theme, width] of [
    ['light', 1000],
    ['dark', 1000],
    ['light', 390],
  ] as const) {
    const placed = await place(id, data, { theme, width });
    // The page's own colour: the element has none.
    placed.element.parentElement!.style.background = theme === 'dark' ? '#0b1012' : '#f4f6f7';
    await accessible(placed);
    check(
      placed.element.scrollWidth <= width,
      `${id} is ${placed.element.scrollWidth} px wide in ${width}`,
    );
    placed.remove();
  }
}

/** The cells of the tables of a widget, row by row; `head`: those of their heads. */
export const cells = ({ root }: Placed, head = false): string[][] =>
  [...root.querySelectorAll<HTMLElement>(head ? 'thead tr' : 'tbody tr:not(.detail)')].map((row) =>
    [...row.querySelectorAll<HTMLElement>('th, td')]
      .filter((cell) => !cell.classList.contains('toggle'))
      .map((cell) => cell.innerText.trim()),
  );
/** Names with their values. */
export const facts = ({ root }: Placed): Record<string, string> =>
  Object.fromEntries(
    [...root.querySelectorAll<HTMLElement>('.facts dt')].map((name) => [
      name.innerText.trim(),
      (name.nextElementSibling as HTMLElement).innerText.trim().replace(/\s+/g, ' '),
    ]),
  );
