/** Where the focus of a page is, for tests that use the keyboard alone. */

import type { Page } from 'playwright-core';

export interface FocusedElement {
  /** Hosts of the shadow roots around it, outermost first, as tag names. */
  readonly hosts: readonly string[];
  /** Index of its paragraph; -1 outside of paragraphs. */
  readonly article: number;
  readonly tag: string;
  readonly id: string;
  readonly role: string;
  /** Whether it is the code of a paragraph, in an open or closed editor. */
  readonly inCode: boolean;
  /** Whether it is an open editor. */
  readonly inEditor: boolean;
  /** Its accessible text. */
  readonly control: string;
  /** Whether an outline, a ring or a cursor shows that it has the focus. */
  readonly isVisible: boolean;
}

/** Returns the focused element of a page, through every shadow root. */
export const focusOf = (page: Page): Promise<FocusedElement> =>
  page.evaluate(() => {
    const hosts: string[] = [];
    let article = -1;
    let element = document.activeElement;
    for (;;) {
      const paragraph = element?.closest('article');
      if (paragraph)
        article = [...(paragraph.getRootNode() as ParentNode).querySelectorAll('article')].indexOf(
          paragraph,
        );
      const inner: Element | null | undefined = element?.shadowRoot?.activeElement;
      if (!inner) break;
      hosts.push(element!.localName);
      element = inner;
    }
    const isRinged = (each: Element): boolean => {
      const style = getComputedStyle(each);
      const width = Number.parseFloat(style.outlineWidth);
      return style.outlineStyle !== 'none' && width >= 1 && style.outlineColor !== 'transparent';
    };
    // A field in a frame has the ring on its frame.
    let isVisible = element?.matches('.cm-content') ?? false;
    for (let at = element, depth = 0; at && depth < 3; at = at.parentElement, depth += 1)
      isVisible ||= at !== document.body && isRinged(at);
    const field = element as HTMLInputElement | null;
    return {
      hosts,
      article,
      tag: element?.localName ?? '',
      id: element?.id ?? '',
      role: element?.getAttribute('role') ?? '',
      inCode: /^Code of paragraph/.test(element?.getAttribute('aria-label') ?? ''),
      inEditor: element?.matches('.cm-content') ?? false,
      control:
        element?.getAttribute('aria-label') ??
        (field?.labels?.[0]?.querySelector('.label') ?? field?.labels?.[0])?.textContent ??
        element?.textContent ??
        '',
      isVisible,
    };
  });

/**
 * Presses Tab, or Shift+Tab, until `reached` holds. Code without an active editor lets Tab pass.
 */
export async function tabUntil(
  page: Page,
  reached: (at: FocusedElement) => boolean,
  limit: number,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<FocusedElement> {
  const passed: string[] = [];
  for (let presses = 0; presses < limit; presses++) {
    await page.keyboard.press(key);
    const at = await focusOf(page);
    if (reached(at)) return at;
    passed.push(`${at.hosts.join(' ')} ${at.tag} ${at.control.slice(0, 30)}`);
  }
  throw new Error(`${key} did not reach the target; it visited\n${passed.join('\n')}`);
}
