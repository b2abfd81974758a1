/**
 * Replaces the snapshot of a page that a server rendered by the live content of its element. The
 * snapshot's own style sheet hides the live content, but leaves it its place, until then.
 */
import { commonTexts } from '../../text/common.ts';
import { pressed, removeSnapshot } from './first-view.ts';
import { snapshotTexts } from './texts.ts';

/** Time without a change after which live content counts as painted, in ms. */
const SETTLED_MS = 200;
/** Content that differs from the snapshot or keeps changing is shown after this time, in ms. */
const DIFFERENT_MS = 3_000;
/** Difference of heights that is hardly noticed, in px and as a share. */
const SIMILAR = { px: 12, share: 0.03 };
/** Time after which a sentence says that the snapshot is all there is, in ms. */
const PATIENCE_MS = 10_000;

const SHOWN = '[data-paragraph], .grid12';
const LOADING = '[aria-busy=true], .result-skeleton, .element-loading, .chart-box:empty';
const FOCUSABLE = '[tabindex="0"], a[href], button:enabled, input:enabled';
const FAILED = '.element-message[role=alert]';

/** Not every browser has the selection of a shadow root. */
interface SelectionRoot {
  getSelection?(): Selection | null;
}

/** Shows the snapshot in an element's shadow root until its live content can replace it. */
export function adoptSnapshot(host: HTMLElement): void {
  const root = host.shadowRoot!;
  const snapshot = [...root.children].find(({ className }) => className === 'snapshot') as
    | HTMLElement
    | undefined;
  if (!snapshot) return;
  const notice = document.createElement('p');
  notice.className = 'snapshot-note';
  notice.role = 'status';
  const found = (selector: string): HTMLElement | undefined =>
    [...root.querySelectorAll<HTMLElement>(selector)].find((each) => !snapshot.contains(each));

  const showNotice = (): void => {
    const retry = found(`${FAILED} button`);
    if (notice.isConnected && (!retry || notice.childElementCount > 0)) return;
    notice.textContent = snapshotTexts.unavailable;
    if (retry) {
      const button = document.createElement('button');
      button.textContent = commonTexts.tryAgain;
      button.onclick = () => found(`${FAILED} button`)?.click();
      notice.append(' ', button);
    }
    snapshot.append(notice);
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownSince: number | undefined;
  const patience = setTimeout(showNotice, PATIENCE_MS);
  const replace = (): void => {
    if (isSelecting()) {
      timer = setTimeout(replace, SETTLED_MS);
      return;
    }
    mutations.disconnect();
    sizes.disconnect();
    clearTimeout(patience);
    const { activeElement } = root;
    const hadFocus = snapshot.contains(activeElement);
    // The style sheet is before the snapshot.
    while (root.firstChild !== snapshot) root.firstChild!.remove();
    removeSnapshot(root, snapshot);
    const named = (name: string | null | undefined): HTMLElement | undefined =>
      name ? found(`[aria-label="${CSS.escape(name)}"]`) : undefined;
    if (hadFocus)
      (named(activeElement!.ariaLabel) ?? found(FOCUSABLE))?.focus({ preventScroll: true });
    named(pressed.get(snapshot))?.click();
  };
  // Selected text would be lost.
  const isSelecting = (): boolean => {
    const selection = (root as SelectionRoot).getSelection?.() ?? document.getSelection();
    return selection?.isCollapsed === false && snapshot.contains(selection.anchorNode);
  };
  const check = (): void => {
    clearTimeout(timer);
    const hasFailed = found(FAILED) !== undefined;
    if (hasFailed) showNotice();
    if (hasFailed || !found(SHOWN) || found(LOADING)) return;
    shownSince ??= performance.now();
    const left = shownSince + DIFFERENT_MS - performance.now();
    // Parts whose code is being loaded have no height yet.
    timer = setTimeout(replace, Math.max(0, isSimilar() ? Math.min(left, SETTLED_MS) : left));
  };
  const isSimilar = (): boolean => {
    const kept = snapshot.offsetHeight - notice.offsetHeight;
    const live = [...root.children].map((each) =>
      each === snapshot ? 0 : ((each as HTMLElement).offsetHeight ?? 0),
    );
    const difference = Math.abs(Math.max(...live) - kept);
    return difference <= Math.max(SIMILAR.px, SIMILAR.share * kept);
  };
  const sizes = new ResizeObserver(check);
  const mutations = new MutationObserver((records) => {
    if (records.every(({ target }) => snapshot.contains(target))) return;
    for (const each of root.children) if (each !== snapshot) sizes.observe(each);
    check();
  });
  mutations.observe(root, { childList: true, subtree: true, attributes: true });
  check();
}
