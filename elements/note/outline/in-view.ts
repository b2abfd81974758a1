import type { NoteUi } from '../ui/note-ui.ts';

/**
 * Returns the id of the paragraph at the top of the visible area, below the bars. Overlays on the
 * page are ignored.
 */
export function paragraphInView(ui: NoteUi): string | undefined {
  const root = ui.host.shadowRoot;
  const area = root?.querySelector('.note-area')?.getBoundingClientRect();
  if (!root || !area) return undefined;
  // Bottom of the bar when it is visible. Measured even while the bar is hidden, because a
  // paragraph scrolled to on request is placed below it.
  const bar = root.querySelector<HTMLElement>('.note-bar');
  const stuck = bar
    ? (parseFloat(getComputedStyle(bar).getPropertyValue('--tiding-sticky-top')) || 0) +
      bar.offsetHeight
    : 0;
  const top = Math.max(area.top, stuck) + 24;
  const x = area.left + Math.min(80, area.width / 2);
  // Gaps between paragraphs are narrower than one step.
  for (let y = top; y < Math.min(window.innerHeight, top + 120); y += 20) {
    for (const element of root.elementsFromPoint(x, y)) {
      const found = element.closest<HTMLElement>('[data-paragraph]');
      if (found) return found.dataset['paragraph'];
    }
  }
  return undefined;
}
