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
import { RenderInFullContext, ShownAsTextContext } from '../runtime/render-in-full.ts';
import { runInSlices } from '../runtime/slices.ts';
import { useViewStore } from '../runtime/store.ts';
import { fill } from '../text/fill.ts';
import { noteTexts } from '../text/note-texts.ts';
import { Button, Icon } from '../ui/button.tsx';
import { Region } from '../ui/loading.tsx';
import { statusLabel } from '../ui/status.tsx';
import { endPrint, printNote, printNow } from './commands/print.ts';
import { findTexts } from './find/texts.ts';
import { CodePart } from './paragraph/code-part.tsx';
import { DistantParts, isTextOnly } from './paragraph/distant-parts.tsx';
import type { Look } from './paragraph/look.ts';
import { isBare } from './paragraph/look.ts';
import { ParagraphCard } from './paragraph/paragraph-card.tsx';
import { paragraphTexts } from './paragraph/texts.ts';
import { OnlineContext, useNearChanges } from './paragraph/use-paragraph.ts';
import { useParagraphViewport } from './paragraph-viewport.ts';
import { type NoteUi, useNoteState, useNoteUi } from './ui/note-ui.ts';
import { useWhyNot } from './ui/use-rights.ts';

const none: readonly string[] = [];
/** Paragraphs rendered in full on the first render. A window rarely shows more. */
const INITIAL_FULL_COUNT = 8;
/** Target duration of one rendering step, in ms, and the maximum number of paragraphs per step. */
const STEP_MS = 6;
const MAX_STEP_COUNT = 40;
/** Time from rendering the note until the code of far results is loaded, in ms. */
const LOAD_DELAY_MS = 1_000;

/**
 * The paragraphs of a note in order. The first ones render immediately, the others follow in
 * slices, as plain text until they come near the window.
 */
export function ParagraphList({ look }: { look: Look }) {
  const ui = useNoteUi();
  const order = useNoteState(ui, (note) => note?.order ?? none);
  const online = useNoteState(ui, (note) => note?.connection === 'open');
  const count = useCount(ui, order);
  const incomplete = usePrint(ui);
  useNumbers(ui, order);
  useKeptFocus(ui, order);
  return (
    <OnlineContext value={online}>
      {incomplete && <p className="print-incomplete">{findTexts.printIncomplete}</p>}
      {order.slice(0, count).map((id) => (
        <Cell key={id} id={id} look={look} />
      ))}
    </OnlineContext>
  );
}

/**
 * Number of paragraphs on the page. Grows until all are rendered; looking up a paragraph that is
 * not rendered yet renders all of them at once.
 */
function useCount(ui: NoteUi, order: readonly string[]): number {
  const [count, setCount] = useState(() => {
    ui.viewport.renderInFull(order.slice(0, INITIAL_FULL_COUNT));
    return order.length > INITIAL_FULL_COUNT ? INITIAL_FULL_COUNT : Infinity;
  });
  // Once all paragraphs are rendered, paragraphs added later render immediately.
  const complete = count === Infinity;
  const reached = useRef(count);
  reached.current = count;
  useEffect(() => {
    if (complete) return undefined;
    let made = reached.current;
    let step = 4;
    return runInSlices(() => {
      const { length } = ui.note.state.order;
      const began = performance.now();
      made = Math.min(length, made + step);
      flushSync(() => setCount((now) => (made < length ? Math.max(now, made) : Infinity)));
      // Adapts the step size to the time the last step took. Each step renders the whole list, so a
      // few large steps are better than many small ones.
      step = Math.max(
        2,
        Math.min(
          MAX_STEP_COUNT,
          step * 2,
          Math.round((step * STEP_MS) / Math.max(0.5, performance.now() - began)),
        ),
      );
      return made < length;
    });
  }, [complete, ui]);
  useEffect(() => {
    const renderAll = (): void => flushSync(() => setCount(Infinity));
    return ui.viewport.onRenderAll(renderAll);
  }, [ui]);
  useEffect(() => {
    if (!complete) return undefined;
    // Code that is loaded now can render its results while the browser prints.
    const timer = setTimeout(() => {
      // The note may be closed by the time the code has arrived.
      const { paragraphs } = ui.note.state;
      import('./commands/print-note.ts')
        .then(({ loadOutputs }) => loadOutputs(paragraphs))
        // The print says what is missing.
        .catch(() => {});
    }, LOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, [complete, ui]);
  return count;
}

/**
 * Renders every paragraph in full when the browser prints: printed pages have no viewport. Returns
 * whether the print lacks what has not loaded yet.
 */
function usePrint(ui: NoteUi): boolean {
  const [incomplete, setIncomplete] = useState(false);
  useEffect(() => {
    let lacks = false;
    const begin = (): void => {
      lacks = !printNow(ui);
      flushSync(() => setIncomplete(lacks));
    };
    const end = (): void => {
      endPrint(ui);
      setIncomplete(false);
      if (lacks)
        ui.messages.info(findTexts.printAgain, {
          label: findTexts.print,
          run: () => void ui.messages.act(() => printNote({ ui })),
        });
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, [ui]);
  return incomplete;
}

/**
 * Keeps the focus when paragraphs change their places. React inserts some of them again, and an
 * element that leaves the page for a moment loses the focus.
 */
function useKeptFocus(ui: NoteUi, order: readonly string[]): void {
  const known = useRef(order);
  const { shadowRoot } = ui.host;
  const before = known.current === order ? null : shadowRoot?.activeElement;
  useLayoutEffect(() => {
    known.current = order;
    if (!(before instanceof HTMLElement) || !before.isConnected) return;
    if (shadowRoot?.activeElement === before) return;
    const id = before.closest<HTMLElement>('[data-paragraph]')?.dataset['paragraph'];
    const editor = before.matches('.cm-content') ? ui.editors.get(id) : undefined;
    if (editor) editor.focus();
    else before.focus({ preventScroll: true });
  });
}

/**
 * Keeps paragraph numbers up to date in labels. Inserting or removing a paragraph changes the
 * numbers of all paragraphs below it. Only the DOM labels are updated here, without rendering; a
 * paragraph reads its number whenever it renders for another reason.
 */
function useNumbers(ui: NoteUi, order: readonly string[]): void {
  const known = useRef(order);
  useLayoutEffect(() => {
    if (known.current === order) return;
    known.current = order;
    for (const article of ui.host.shadowRoot?.querySelectorAll<HTMLElement>('[data-paragraph]') ??
      []) {
      const label = ui.paragraphs.labelOf(article.dataset['paragraph']!);
      const name = fill(paragraphTexts.name, {
        name: label,
        status: statusLabel(article.dataset['status'] ?? 'READY'),
      });
      if (article.dataset['numbered'] !== undefined && article.ariaLabel !== name)
        article.ariaLabel = name;
      const code = article.querySelector<HTMLElement>('.code-area [role=textbox]');
      if (code && code.ariaLabel !== label) code.ariaLabel = label;
    }
  }, [order, ui]);
}

/** A cell of the 12-column grid, with the insert line above it. */
const Cell = memo(function Cell({ id, look }: { id: string; look: Look }) {
  const ui = useNoteUi();
  const { client, note } = ui;
  const subscribe = useCallback(
    (listener: () => void) => client.subscribeParagraph(note.id, id, listener),
    [client, note, id],
  );
  const width = useSyncExternalStore(subscribe, () => {
    const paragraph = client.state.open[note.id]?.paragraphs[id];
    return paragraph && (paragraph.server.config?.colWidth ?? 12);
  });
  const [full, minHeight, watch] = useParagraphViewport(ui.viewport, id);
  const isText = useSyncExternalStore(useNearChanges(ui, id), () => {
    const paragraph = client.state.open[note.id]?.paragraphs[id];
    return paragraph !== undefined && isTextOnly(paragraph);
  });
  const isChosen = useViewStore(ui.focus.state, ({ added, focused }) =>
    [added, focused].includes(id),
  );
  const wasDistant = useRef(false);
  const isDistant = isText && !(full || isChosen || isBare(look));
  wasDistant.current ||= isDistant;
  const mayNotChange = useWhyNot(ui, 'writer');
  if (width === undefined) return null;
  return (
    <RenderInFullContext value={full}>
      <div
        ref={watch}
        className="cell"
        style={{
          gridColumnEnd: `span ${Math.min(12, Math.max(1, Math.round(width)))}`,
          minHeight,
        }}
      >
        {full && look !== 'report' && note.revision === undefined ? (
          <div className="insert">
            <Button
              size="sm"
              kind="secondary"
              disabledReason={mayNotChange}
              onClick={() =>
                void ui.messages.act(() => ui.paragraphs.insert(note.state.order.indexOf(id)))
              }
            >
              <Icon of={Plus} size="sm" />
              {noteTexts.add}
            </Button>
          </div>
        ) : null}
        <Region
          root={() => ui.host.shadowRoot?.querySelector(`[data-paragraph="${CSS.escape(id)}"]`)}
        >
          <ShownAsTextContext value={wasDistant.current}>
            <ParagraphCard
              id={id}
              look={look}
              Code={CodePart}
              Distant={isDistant ? DistantParts : undefined}
            />
          </ShownAsTextContext>
        </Region>
      </div>
    </RenderInFullContext>
  );
});
