/** Accessibility findings of a page: axe-core, and boxes outside the window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{
    violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[];
  }>;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Longer than any transition. Animations of elements that are not drawn never end. */
const TRANSITION_MS = 3_000;
/** Frames in which nothing changes on a page at rest. */
const QUIET_FRAMES = 6;

/**
 * Waits until the page is at rest: nothing was added for some frames, and what fades, moves or
 * changes its colour has arrived, however slow the machine is. Colours of a half-finished
 * transition have no contrast. Endless animations are left alone.
 */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(
    async ({ limit, quiet }) => {
      const roots = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
        root,
        ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
          shadowRoot ? roots(shadowRoot) : [],
        ),
      ];
      const end = performance.now() + limit;
      let frames = 0;
      const observer = new MutationObserver(() => {
        frames = 0;
      });
      for (; frames < quiet && performance.now() < end; frames += 1) {
        for (const root of roots(document))
          observer.observe(root, { subtree: true, childList: true, characterData: true });
        await new Promise(requestAnimationFrame);
      }
      observer.disconnect();
      const left = () =>
        roots(document)
          .flatMap((root) => root.getAnimations())
          .filter(
            ({ effect, playState, timeline }) =>
              playState === 'running' &&
              timeline === document.timeline &&
              Number.isFinite(effect?.getComputedTiming().endTime),
          )
          .map(({ finished }) => finished.catch(() => {}));
      const late = new Promise((resolve) => setTimeout(resolve, limit, 'late'));
      // One may start another.
      for (let all = left(); all.length > 0; all = left())
        if ((await Promise.race([Promise.all(all), late])) === 'late') return;
    },
    { limit: TRANSITION_MS, quiet: QUIET_FRAMES },
  );
}

/** Lists what axe-core finds and what is outside the window, each after the state's name. */
export async function accessibilityFindings(page: Page, state: string): Promise<string[]> {
  await atRest(page);
  const sideways = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth
      ? [`the page is ${scrollWidth} px wide in ${clientWidth}`]
      : [];
  });
  // Menus, dialogs and toasts lie completely inside the window.
  const outside = await page.evaluate(() => {
    const open: Element[] = [];
    const look = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (
          element.matches(
            '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], .toast, ' +
              '.dialog-actions > *',
          )
        )
          open.push(element);
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    const format = ({ left, top, right, bottom }: DOMRect): string =>
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
          `${element.className || element.textContent} is outside its box: ` +
          `${format(rect)} in ${format(box)}`,
      );
  });
  // Once for each document: loading it takes about as long as a run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  // A framed page shows the background of the page around it, which axe takes for white.
  const found = await page.evaluate(async (framed) => {
    const { axe: tool } = window as unknown as { axe: Axe };
    // Base UI's focus guards pass the focus on immediately. While a dialog is open, the page
    // behind it is hidden by attribute and a focus trap keeps the focus out.
    const guards = (
      'notebook home paragraph job-manager clusters connections interpreters access-tokens ' +
      'credentials configuration packages people revision-control navigation'
    )
      .split(' ')
      .map((name) => [{ fromShadowDom: [`tiding-${name}`, '[data-base-ui-focus-guard]'] }]);
    const { violations } = await tool.run(
      { exclude: [['#app [data-base-ui-inert]'], ...guards] },
      {
        resultTypes: ['violations'],
        // The frames have no axe-core that could answer.
        iframes: false,
        rules: { 'color-contrast': { enabled: !framed } },
      },
    );
    return violations.map(({ id, nodes }) => {
      const failures = nodes.map(({ target, failureSummary }) => [target, failureSummary]);
      return `${id}: ${JSON.stringify(failures).slice(0, 600)}`;
    });
  }, state === 'paragraph in a frame');
  return [...sideways, ...outside, ...found].map((finding) => `${state}: ${finding}`);
}
