import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { StatusGlyph } from '../../ui/status.tsx';
import { startDrag } from '../drag/drag.ts';
import { findTexts as t } from '../find/texts.ts';
import { type NoteUi, useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { type OutlineEntry, outlineOf } from './entries.ts';
import { paragraphInView } from './in-view.ts';

const empty: readonly OutlineEntry[] = [];
/** Keys typed within this time form one search word, in ms. */
const typeAheadMs = 800;

/**
 * Outline of a note: paragraph titles and Markdown headings as a tree. It supports arrow keys,
 * type-ahead and dragging.
 */
export default function NoteOutline({ onShow }: { onShow: (paragraphId: string) => void }) {
  const ui = useNoteUi();
  const last = useRef(empty);
  const entries = useNoteState(ui, (note) => (last.current = outlineOf(last.current, note)));
  const order = useNoteState(ui, (note) => note?.order ?? none);
  const inView = useInView(ui);
  const [chosen, setChosen] = useState<string>();
  const dragged = useViewStore(ui.drag, ({ id }) => id);
  const word = useRef({ typed: '', at: 0 });
  const list = useRef<HTMLUListElement>(null);
  const here = placeInView(entries, order, inView);
  const tab = entries.some(({ key }) => key === chosen)
    ? chosen
    : (entries[here]?.key ?? entries[0]?.key);
  useEffect(() => {
    // The list follows the scroll position, unless the user is interacting with it.
    const item = list.current?.children[here];
    if (item && !list.current!.matches(':focus-within, :hover'))
      item.scrollIntoView({ block: 'nearest' });
  }, [here]);
  const focus = (index: number): void => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))]!;
    setChosen(entry.key);
    list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(entry.key)}"]`)?.focus();
  };
  const onKey = useEvent((event: KeyboardEvent, index: number): void => {
    const level = entries[index]!.level;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const now = performance.now();
    if (event.key === 'ArrowDown') focus(index + 1);
    else if (event.key === 'ArrowUp') focus(index - 1);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(entries.length - 1);
    // The tree is always expanded: right goes to the first child, left to the parent.
    else if (event.key === 'ArrowRight')
      focus((entries[index + 1]?.level ?? 0) > level ? index + 1 : index);
    else if (event.key === 'ArrowLeft')
      focus(
        Math.max(
          index && entries.findLastIndex((entry, at) => at < index && entry.level < level),
          0,
        ),
      );
    else if (event.key === 'Enter' || (event.key === ' ' && now - word.current.at > typeAheadMs))
      onShow(entries[index]!.paragraph);
    else if (event.key.length === 1) {
      const typed =
        (now - word.current.at > typeAheadMs ? '' : word.current.typed) +
        event.key.toLocaleLowerCase();
      word.current = { typed, at: now };
      // Repeating one letter cycles through the entries that begin with it.
      const wanted = [...typed].every((one) => one === typed[0]) ? typed[0]! : typed;
      const from = wanted.length === 1 ? index + 1 : index;
      const found = [...entries.keys()]
        .map((step) => (from + step) % entries.length)
        .find((at) => entries[at]!.title.toLocaleLowerCase().startsWith(wanted));
      if (found !== undefined) focus(found);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  if (entries.length === 0) return <p className="hint side-empty">{noteTexts.emptyOutline}</p>;
  return (
    <ul className="outline" role="tree" aria-label={noteTexts.outline} ref={list}>
      {entries.map((entry, index) => (
        <Item
          key={entry.key}
          {...{ entry, index, onShow, onChoose: setChosen, onKey }}
          tab={entry.key === tab}
          here={index === here}
          dragged={dragged === entry.paragraph}
        />
      ))}
    </ul>
  );
}

interface ItemProps {
  entry: OutlineEntry;
  index: number;
  /** Whether this item is the tab stop of the tree. */
  tab: boolean;
  /** Whether the reader's scroll position is at this item. */
  here: boolean;
  dragged: boolean;
  onShow: (paragraphId: string) => void;
  onChoose: (key: string) => void;
  onKey: (event: KeyboardEvent, index: number) => void;
}

const Item = memo(function Item({
  entry: { key, paragraph, level, title, status },
  index,
  tab,
  here,
  dragged,
  onShow,
  onChoose,
  onKey,
}: ItemProps) {
  const ui = useNoteUi();
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-selected={tab}
      aria-current={here ? 'location' : undefined}
      tabIndex={tab ? 0 : -1}
      data-key={key}
      data-entry={paragraph}
      className={dragged ? 'tree-item dragged' : 'tree-item'}
      style={{ paddingInlineStart: `${level * 10}px` }}
      onClick={() => onShow(paragraph)}
      onFocus={() => onChoose(key)}
      onKeyDown={(event) => onKey(event, index)}
      onPointerDown={(event) =>
        ui.layout.writable &&
        event.pointerType === 'mouse' &&
        startDrag(ui, paragraph, event.nativeEvent)
      }
    >
      <span className="tree-name" title={title}>
        {title}
      </span>
      <StatusGlyph status={status} />
      <span className="visually-hidden">{fill(t.outlineStatus, { status })}</span>
    </li>
  );
});

const none: readonly string[] = [];

/**
 * Index of the entry for the paragraph in view: its first entry, or the last one above it; -1 if
 * there is none.
 */
function placeInView(
  entries: readonly OutlineEntry[],
  order: readonly string[],
  inView: string | undefined,
): number {
  if (inView === undefined) return -1;
  const own = entries.findIndex(({ paragraph }) => paragraph === inView);
  if (own >= 0) return own;
  const place = new Map(order.map((id, index) => [id, index]));
  const at = place.get(inView) ?? -1;
  return entries.findLastIndex(({ paragraph }) => (place.get(paragraph) ?? Infinity) <= at);
}

/**
 * Interval between updates while scrolling, in ms. Each update makes the browser hit-test a point.
 */
const SCROLL_CHECK_MS = 100;

/** Returns the id of the paragraph at the top of the visible area. */
function useInView(ui: NoteUi): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      frame = 0;
      timer = undefined;
      setId((before) => paragraphInView(ui) ?? before);
    };
    // Measure in an animation frame, where the layout is computed anyway.
    const soon = (): void => {
      timer ??= setTimeout(() => (frame = requestAnimationFrame(look)), SCROLL_CHECK_MS);
    };
    frame = requestAnimationFrame(look);
    document.addEventListener('scroll', soon, { capture: true, passive: true });
    window.addEventListener('resize', soon);
    const undo = ui.client.subscribe(soon);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', soon, { capture: true });
      window.removeEventListener('resize', soon);
      undo();
    };
  }, [ui]);
  return id;
}
