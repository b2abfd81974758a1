import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  CircleAlert,
  Regex,
  Replace,
  Search,
  WholeWord,
  X,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { LabelledCheckbox } from '../../ui/fields/labelled.tsx';
import { shortcutOf } from '../commands/shortcut-of.ts';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import type { FindState } from './find-store.ts';
import { Finder } from './finder.ts';
import { findTexts as t } from './texts.ts';

/** Width of the box (specification) and minimum distance from the window's edges, in px. */
const width = 350;
const margin = 8;

/** The find box. It opens below its button, and is moved left if it would leave the window. */
export default function FindBox() {
  const ui = useNoteUi();
  const state = useViewStore(ui.find.state, (all) => all);
  const [finder, setFinder] = useState<Finder>();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const left = usePlace(ui, box);
  const close = useClose(ui, box);

  useEffect(() => {
    const made = new Finder(ui);
    setFinder(made);
    field.current?.focus();
    field.current?.select();
    return () => made.stop();
  }, [ui]);

  const act = (work: (finder: Finder) => unknown) => () => {
    if (finder) void ui.messages.act(() => work(finder));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys = shortcutOf(event.nativeEvent);
    const inField = event.target instanceof HTMLInputElement;
    const work =
      keys === 'Escape' || keys === 'Ctrl+Alt+F'
        ? close
        : !inField
          ? undefined
          : keys === 'Shift+Enter'
            ? act((one) => one.step(-1))
            : keys === 'Enter'
              ? act((one) => (event.target === field.current ? one.step(1) : one.replace()))
              : undefined;
    if (!work && keys !== 'Ctrl+S' && keys !== 'Meta+S') return;
    event.preventDefault();
    event.stopPropagation();
    work?.();
  };
  const option = (key: 'matchCase' | 'wholeWord' | 'regex', icon: typeof Regex) => (
    <Button
      size="sm"
      icon={icon}
      label={t[key]}
      aria-pressed={state[key]}
      onClick={() => finder?.choose({ [key]: !state[key] })}
    />
  );
  const wrong =
    state.error !== undefined ||
    (state.find !== '' &&
      !state.busy &&
      !state.pending &&
      state.count === 0 &&
      finder !== undefined);
  const mayNotChange = useWhyNot(ui, 'writer');
  const writable = ui.layout.editable && mayNotChange === undefined;
  return (
    <div
      ref={box}
      className="find-box"
      role="search"
      aria-label={t.title}
      style={left === undefined ? undefined : { left }}
      onKeyDown={onKeyDown}
    >
      <div className={wrong ? 'input error' : 'input'}>
        <Icon of={Search} size="sm" />
        <input
          ref={field}
          aria-label={t.find}
          aria-invalid={wrong}
          aria-describedby={state.error === undefined ? undefined : 'find-error'}
          value={state.find}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => finder?.type(event.target.value)}
        />
        <span className="find-count small-text dim" role="status">
          {matchText(state)}
        </span>
      </div>
      <span className="find-row in-row">
        <Button
          size="sm"
          icon={ArrowUp}
          label={t.previous}
          disabled={state.find === ''}
          onClick={act((one) => one.step(-1))}
        />
        <Button
          size="sm"
          icon={ArrowDown}
          label={t.next}
          disabled={state.find === ''}
          onClick={act((one) => one.step(1))}
        />
        <Button size="sm" icon={X} label={t.close} onClick={close} />
      </span>
      {state.error === undefined ? null : (
        <p className="hint error find-error" id="find-error" role="alert">
          <Icon of={CircleAlert} size="sm" />
          {fill(t.badExpression, { reason: state.error })}
        </p>
      )}
      {writable ? (
        <>
          <div className="input">
            <Icon of={Replace} size="sm" />
            <input
              aria-label={t.replaceWith}
              value={state.replacement}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => ui.find.state.set({ replacement: event.target.value })}
            />
          </div>
          <span className="find-row in-row">
            {/* A disabled button would lose the focus at the end of its own work. */}
            <Button
              size="sm"
              aria-disabled={state.count === 0 || undefined}
              onClick={state.count === 0 ? undefined : act((one) => one.replace())}
            >
              {t.replace}
            </Button>
            <Button
              size="sm"
              label={t.allLabel}
              aria-disabled={state.count === 0 || state.busy || undefined}
              onClick={state.count === 0 || state.busy ? undefined : act((one) => one.replaceAll())}
            >
              {t.all}
            </Button>
          </span>
        </>
      ) : null}
      <span className="find-options in-row">
        {option('matchCase', CaseSensitive)}
        {option('wholeWord', WholeWord)}
        {option('regex', Regex)}
        <span className="grow" />
        <LabelledCheckbox
          label={t.results}
          checked={state.results}
          onChange={(results) => finder?.choose({ results })}
        />
      </span>
    </div>
  );
}

/** Returns 'n of m', or the reason why there is no match. */
function matchText({ find, error, pending, busy, count, more, at }: FindState): string {
  if (find === '' || error !== undefined) return '';
  if (busy) return t.searching;
  if (pending) return '';
  return count === 0 ? t.none : fill(more ? t.morePosition : t.position, { n: at, m: count });
}

/** Closes the box and returns the focus to where it was before, or to the focused paragraph. */
function useClose(ui: NoteUi, box: React.RefObject<HTMLDivElement | null>): () => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = ui.host.shadowRoot?.activeElement ?? null;
  }, [ui]);
  return () => {
    const inside = box.current?.contains(ui.host.shadowRoot?.activeElement ?? null) ?? false;
    ui.find.toggle();
    if (!inside) return;
    const back =
      before.current instanceof HTMLElement && before.current.isConnected
        ? before.current
        : ui.viewport.element(ui.focus.id ?? '');
    back?.focus({ preventScroll: true });
  };
}

/** Left edge of the box, in px from the left of the note; `undefined` until measured. */
function usePlace(ui: NoteUi, box: React.RefObject<HTMLDivElement | null>): number | undefined {
  const [left, setLeft] = useState<number>();
  useLayoutEffect(() => {
    const place = (): void => {
      const outer = box.current?.offsetParent?.getBoundingClientRect();
      if (!outer) return;
      const button = ui.host.shadowRoot
        ?.querySelector('.note-bar [data-command="find"]')
        ?.getBoundingClientRect();
      const wanted = button && button.width > 0 ? button.left : outer.right - width - margin;
      const right =
        Math.min(outer.right, document.documentElement.clientWidth) -
        box.current!.offsetWidth -
        margin;
      setLeft(Math.max(margin, Math.min(wanted, right)) - outer.left);
    };
    place();
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [ui, box]);
  return left;
}
