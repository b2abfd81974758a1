import { Plus } from 'lucide-react';
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Look } from '../paragraph/look.ts';
import { ParagraphCard } from '../paragraph/paragraph-card.tsx';
import { OnlineContext } from '../paragraph/use-paragraph.ts';
import { useSelect } from '../runtime/hooks.ts';
import { NearContext } from '../runtime/near.ts';
import { inSlices } from '../runtime/slices.ts';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { statusWord } from '../ui/status.tsx';
import { useNearness } from './nearness.ts';
import type { NoteView } from './view.tsx';

const none: readonly string[] = [];
/** Paragraphs of the first picture, drawn in full at once: a window shows hardly more. */
const FIRST = 8;
/** Time that the paragraphs of one step should take, ms, and how many they may be. */
const STEP_MS = 6;
const MOST = 40;

/** The paragraphs of a note in their order. The first are there at once, the others follow in slices, as text until they come near. */
export function ParagraphList({ view, look }: { view: NoteView; look: Look }) {
  const { client, note } = view;
  const order = useSelect(client, (state) => state.open[note.id]?.order ?? none, none);
  const online = useSelect(client, (state) => state.open[note.id]?.connection === 'open', false);
  const count = useCount(view, order);
  useNumbers(view, order);
  return (
    <OnlineContext value={online}>
      {order.slice(0, count).map((id) => (
        <Cell key={id} view={view} id={id} look={look} />
      ))}
    </OnlineContext>
  );
}

/** How many of the paragraphs are on the page. Grows until all are; who looks for one that is missing gets all at once. */
function useCount(view: NoteView, order: readonly string[]): number {
  const [count, setCount] = useState(() => {
    view.nearness.fill(order.slice(0, FIRST));
    return order.length > FIRST ? FIRST : Infinity;
  });
  // Once they are all there, those that come later are there at once.
  const complete = count === Infinity;
  useEffect(() => {
    if (complete) return undefined;
    let made = count;
    let step = 4;
    return inSlices(() => {
      const { length } = view.note.state.order;
      const began = performance.now();
      made = Math.min(length, made + step);
      flushSync(() => setCount((now) => (made < length ? Math.max(now, made) : Infinity)));
      // As many the next time as the time allows; each step looks at the whole list, so that few are better than many.
      step = Math.max(
        2,
        Math.min(
          MOST,
          step * 2,
          Math.round((step * STEP_MS) / Math.max(0.5, performance.now() - began)),
        ),
      );
      return made < length;
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the slices count for themselves
  }, [complete, view]);
  useEffect(() => {
    view.complete = () => flushSync(() => setCount(Infinity));
    // Paper has no window that anything could come near to.
    const onPrint = (): void => {
      view.complete?.();
      view.nearness.fill(view.note.state.order);
    };
    window.addEventListener('beforeprint', onPrint);
    return () => {
      view.complete = undefined;
      window.removeEventListener('beforeprint', onPrint);
    };
  }, [view]);
  return count;
}

/**
 * Names say the number of a paragraph, and one that comes or goes changes it for all below. Those are put right in the page
 * alone: a paragraph's view renders for what is in it, and finds its number then.
 */
function useNumbers(view: NoteView, order: readonly string[]): void {
  const known = useRef(order);
  useLayoutEffect(() => {
    if (known.current === order) return;
    known.current = order;
    for (const article of view.host.shadowRoot?.querySelectorAll<HTMLElement>('[data-paragraph]') ??
      []) {
      const label = view.labelOf(article.dataset['paragraph']!);
      const name = fill(text.paragraph.name, {
        name: label,
        status: statusWord(article.dataset['status'] ?? 'READY'),
      });
      if (article.dataset['numbered'] !== undefined && article.ariaLabel !== name)
        article.ariaLabel = name;
      const code = article.querySelector<HTMLElement>('.code-area [role=textbox]');
      if (code && code.ariaLabel !== label) code.ariaLabel = label;
    }
  }, [order, view]);
}

/** A place of the 12-column grid, with the line above it that inserts. */
const Cell = memo(function Cell({ view, id, look }: { view: NoteView; id: string; look: Look }) {
  const { client, note } = view;
  const subscribe = useCallback(
    (listener: () => void) => client.subscribeParagraph(note.id, id, listener),
    [client, note, id],
  );
  const width = useSyncExternalStore(subscribe, () => {
    const paragraph = client.state.open[note.id]?.paragraphs[id];
    return paragraph && (paragraph.server.config?.colWidth ?? 12);
  });
  const [full, watch] = useNearness(view.nearness, id);
  if (width === undefined) return null;
  return (
    <NearContext value={full}>
      <div
        ref={watch}
        className="cell"
        style={{ gridColumnEnd: `span ${Math.min(12, Math.max(1, Math.round(width)))}` }}
      >
        {full && look !== 'report' && note.revision === undefined ? (
          <div className="insert">
            <Button
              size="sm"
              kind="secondary"
              onClick={() => void view.act(() => view.insert(note.state.order.indexOf(id)))}
            >
              <Icon of={Plus} size="sm" />
              {text.note.add}
            </Button>
          </div>
        ) : null}
        <ParagraphCard view={view} id={id} look={look} />
      </div>
    </NearContext>
  );
});
