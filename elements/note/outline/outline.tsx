import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useEvent, useSelect } from '../../runtime/hooks.ts';
import { useStore } from '../../runtime/store.ts';
import { fill, text } from '../../text/en.ts';
import { findText as t } from '../../text/find.ts';
import { StatusGlyph } from '../../ui/status.tsx';
import { startDrag } from '../drag/drag.ts';
import type { NoteView } from '../view.tsx';
import { outlineOf, type OutlineEntry } from './entries.ts';
import { paragraphInView } from './in-view.ts';

const empty: readonly OutlineEntry[] = [];
/** Keys typed within this time are one word, in ms. */
const wordTime = 800;

/** Titles of paragraphs and headings of markdown as a tree: walked by keys and by typing, dragged to another place. */
export function Outline({
  view,
  onShow,
}: {
  view: NoteView;
  onShow: (paragraphId: string) => void;
}) {
  const { client, note } = view;
  const last = useRef(empty);
  const entries = useSelect(
    client,
    (state) => (last.current = outlineOf(last.current, state.open[note.id])),
    empty,
  );
  const order = useSelect(client, (state) => state.open[note.id]?.order ?? none, none);
  const inView = useInView(view);
  const [chosen, setChosen] = useState<string>();
  const dragged = useStore(view.drag, ({ id }) => id);
  const word = useRef({ typed: '', at: 0 });
  const list = useRef<HTMLUListElement>(null);
  const here = placeInView(entries, order, inView);
  const tab = entries.some(({ key }) => key === chosen)
    ? chosen
    : (entries[here]?.key ?? entries[0]?.key);
  useEffect(() => {
    // The list follows the reader, unless he is in it.
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
    // A tree that is always open: right goes to the first entry inside, left to the one around.
    else if (event.key === 'ArrowRight')
      focus((entries[index + 1]?.level ?? 0) > level ? index + 1 : index);
    else if (event.key === 'ArrowLeft')
      focus(
        Math.max(
          index && entries.findLastIndex((entry, at) => at < index && entry.level < level),
          0,
        ),
      );
    else if (event.key === 'Enter' || (event.key === ' ' && now - word.current.at > wordTime))
      onShow(entries[index]!.paragraph);
    else if (event.key.length === 1) {
      const typed =
        (now - word.current.at > wordTime ? '' : word.current.typed) +
        event.key.toLocaleLowerCase();
      word.current = { typed, at: now };
      // One letter again and again goes round those that begin with it.
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
  if (entries.length === 0) return <p className="hint side-empty">{text.note.emptyOutline}</p>;
  return (
    <ul className="outline" role="tree" aria-label={text.note.outline} ref={list}>
      {entries.map((entry, index) => (
        <Item
          key={entry.key}
          {...{ view, entry, index, onShow, onChoose: setChosen, onKey }}
          tab={entry.key === tab}
          here={index === here}
          dragged={dragged === entry.paragraph}
        />
      ))}
    </ul>
  );
}

interface ItemProps {
  view: NoteView;
  entry: OutlineEntry;
  index: number;
  /** Tab stops here. */
  tab: boolean;
  /** The reader is here. */
  here: boolean;
  dragged: boolean;
  onShow: (paragraphId: string) => void;
  onChoose: (key: string) => void;
  onKey: (event: KeyboardEvent, index: number) => void;
}

const Item = memo(function Item({
  view,
  entry: { key, paragraph, level, title, status },
  index,
  tab,
  here,
  dragged,
  onShow,
  onChoose,
  onKey,
}: ItemProps) {
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
        view.editable &&
        event.pointerType === 'mouse' &&
        startDrag(view, paragraph, event.nativeEvent)
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

/** The entry of the paragraph in view: its first, or the last one above it. -1: none. */
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

/** While the reader scrolls it is looked at this often where he is, ms: each look asks the browser what lies at a place. */
const LOOK_MS = 100;

/** The paragraph at the top of what the reader sees. */
function useInView(view: NoteView): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      frame = 0;
      timer = undefined;
      setId((before) => paragraphInView(view) ?? before);
    };
    // In a frame, where the layout is made anyway.
    const soon = (): void => {
      timer ??= setTimeout(() => (frame = requestAnimationFrame(look)), LOOK_MS);
    };
    frame = requestAnimationFrame(look);
    document.addEventListener('scroll', soon, { capture: true, passive: true });
    window.addEventListener('resize', soon);
    const undo = view.client.subscribe(soon);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', soon, { capture: true });
      window.removeEventListener('resize', soon);
      undo();
    };
  }, [view]);
  return id;
}
