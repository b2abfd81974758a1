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
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from '../../runtime/store.ts';
import { fill } from '../../text/en.ts';
import { findText as t } from '../../text/find.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { keysOf } from '../commands/keyboard.ts';
import type { NoteView } from '../view.tsx';
import { Finder } from './finder.ts';
import type { FindState } from './store.ts';

/** Width of the box (specification), and what stays free beside it, in px. */
const width = 350;
const margin = 8;

/** The box of the search: below the button that opens it, moved left where it would leave the window. */
export default function FindBox({ view }: { view: NoteView }) {
  const state = useStore(view.find.state, (all) => all);
  const [finder, setFinder] = useState<Finder>();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const left = usePlace(view, box);
  const close = useClose(view, box);

  useEffect(() => {
    const made = new Finder(view);
    setFinder(made);
    field.current?.focus();
    field.current?.select();
    return () => made.stop();
  }, [view]);

  const act = (work: (finder: Finder) => unknown) => () => {
    if (finder) void view.act(() => work(finder));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys = keysOf(event.nativeEvent);
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
  const writable = view.editable;
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
        <span className="find-count" role="status">
          {words(state)}
        </span>
      </div>
      <span className="find-row">
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
              onChange={(event) => view.find.state.set({ replacement: event.target.value })}
            />
          </div>
          <span className="find-row">
            <Button size="sm" disabled={state.count === 0} onClick={act((one) => one.replace())}>
              {t.replace}
            </Button>
            <Button
              size="sm"
              label={t.allLabel}
              disabled={state.count === 0 || state.busy}
              onClick={act((one) => one.replaceAll())}
            >
              {t.all}
            </Button>
          </span>
        </>
      ) : null}
      <span className="find-options">
        {option('matchCase', CaseSensitive)}
        {option('wholeWord', WholeWord)}
        {option('regex', Regex)}
        <span className="grow" />
        <label className="check">
          <input
            type="checkbox"
            checked={state.results}
            onChange={(event) => finder?.choose({ results: event.target.checked })}
          />
          {t.results}
        </label>
      </span>
    </div>
  );
}

/** 'n of m', or why there is none. */
function words({ find, error, pending, busy, count, more, at }: FindState): string {
  if (find === '' || error !== undefined) return '';
  if (busy) return t.searching;
  if (pending) return '';
  return count === 0 ? t.none : fill(more ? t.morePosition : t.position, { n: at, m: count });
}

/** Closes the box; the focus goes back to where it was before, or to the paragraph of the note. */
function useClose(view: NoteView, box: React.RefObject<HTMLDivElement | null>): () => void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = view.host.shadowRoot?.activeElement ?? null;
  }, [view]);
  return () => {
    const inside = box.current?.contains(view.host.shadowRoot?.activeElement ?? null) ?? false;
    view.find.toggle();
    if (!inside) return;
    const back =
      before.current instanceof HTMLElement && before.current.isConnected
        ? before.current
        : view.element(view.state.get().focused ?? '');
    back?.focus({ preventScroll: true });
  };
}

/** Where the box begins, in px from the left of the note; `undefined` until it is known. */
function usePlace(view: NoteView, box: React.RefObject<HTMLDivElement | null>): number | undefined {
  const [left, setLeft] = useState<number>();
  useLayoutEffect(() => {
    const place = (): void => {
      const outer = box.current?.offsetParent?.getBoundingClientRect();
      if (!outer) return;
      const button = view.host.shadowRoot
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
  }, [view, box]);
  return left;
}
