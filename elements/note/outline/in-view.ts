import type { NoteView } from '../view.tsx';

/** The paragraph that stands where reading begins, below the bars; what lies over the page is looked through. */
export function paragraphInView(view: NoteView): string | undefined {
  const root = view.host.shadowRoot;
  const area = root?.querySelector('.note-area')?.getBoundingClientRect();
  if (!root || !area) return undefined;
  const bar = root.querySelector('.note-bar')?.getBoundingClientRect();
  const top = Math.max(area.top, bar?.bottom ?? 0, 0) + 24;
  const x = area.left + Math.min(80, area.width / 2);
  // Gaps between paragraphs are narrower than a step.
  for (let y = top; y < Math.min(window.innerHeight, top + 120); y += 20) {
    for (const element of root.elementsFromPoint(x, y)) {
      const found = element.closest<HTMLElement>('[data-paragraph]');
      if (found) return found.dataset['paragraph'];
    }
  }
  return undefined;
}
