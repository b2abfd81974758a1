import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useRenderInFull } from '../runtime/render-in-full.ts';
import { onceNearViewport } from '../runtime/viewport.ts';
import type { CodeEditorProps } from './code-editor.tsx';
import type { CursorTarget, EditorHandle } from './handle.ts';
import { causingKey, watchKeys } from './keys/last-key.ts';
import { preloadEditor, preloadEditorWhenIdle, useLoadedEditor } from './load-editor.ts';
import { errorSummary } from './marks/error-spans.ts';
import { revealStatic } from './scroll.ts';
import { StaticCode } from './static-code.tsx';
import { editorTexts } from './texts.ts';
import { TypeAhead } from './type-ahead.ts';

export interface EditorProps extends Omit<CodeEditorProps, 'typed'> {
  /** Called when the paragraph comes near the window. */
  onNear?(): void;
  /** Buffer that has collected keys for this editor since before it was shown. */
  ahead?: TypeAhead | undefined;
}

/** Why the editor is wanted: to take the focus, or only to be ready under the pointer. */
interface Wish {
  readonly focus: boolean;
  readonly place?: CursorTarget;
  readonly typed?: string;
}

/**
 * The code of a paragraph. It shows highlighted text until the user reaches for it with pointer,
 * touch or keyboard; then the editor replaces it without moving anything. The editor's code is
 * loaded when the paragraph comes near the window.
 */
export function ParagraphEditor(props: EditorProps) {
  const {
    value,
    language,
    lineNumbers,
    fontSize,
    readOnly = false,
    label = editorTexts.label,
    autoFocus = false,
    placeAt,
  } = props;
  const root = useRef<HTMLDivElement>(null);
  const [wish, setWish] = useState<Wish | null>(autoFocus ? { focus: true, place: placeAt } : null);
  const near = useRenderInFull();
  const { state, Editor: Code } = useLoadedEditor(wish !== null);

  const pressed = useRef(false);
  const [held, hold] = useState(false);
  const open = useRef<EditorHandle>(null);
  const latest = useRef(props);
  latest.current = props;
  const own = useRef<TypeAhead>(undefined);
  const ahead =
    props.ahead ?? (own.current ??= new TypeAhead((text) => open.current?.insert(text)));
  const composing = useSyncExternalStore(ahead.subscribe, ahead.isComposing);
  // While closed, a request opens the editor with the cursor at the given place. While open, it is
  // carried out immediately.
  useImperativeHandle(
    props.handle,
    () => ({
      focus: (place) =>
        open.current
          ? open.current.focus(place)
          : setWish({ focus: true, ...(place === undefined ? {} : { place }) }),
      reveal: (from, to) =>
        open.current
          ? open.current.reveal(from, to)
          : root.current && revealStatic(root.current, latest.current.value, from),
      insert: (text) => {
        if (open.current) return open.current.insert(text);
        setWish((old) => ({ focus: true, place: 'end', typed: (old?.typed ?? '') + text }));
        return !latest.current.readOnly;
      },
      insertAtCursor: (text) => open.current?.insertAtCursor(text) ?? false,
      replace: (text) => open.current?.replace(text) ?? false,
      search: () => open.current?.search() ?? false,
      selection: () => open.current?.selection() ?? null,
      offsetAt: (x, y) => open.current?.offsetAt(x, y) ?? null,
    }),
    [],
  );

  useEffect(() => {
    if (near || wish) latest.current.onNear?.();
  }, [near, wish]);
  useEffect(watchKeys, []);
  useEffect(() => {
    if (wish) preloadEditor();
    if (!near || wish || !root.current) return undefined;
    let cancel = (): void => {};
    const stop = onceNearViewport(root.current, () => (cancel = preloadEditorWhenIdle()));
    return () => {
      stop();
      cancel();
    };
  }, [near, wish]);
  useEffect(() => {
    if (autoFocus) setWish((old) => old ?? { focus: true, place: placeAt });
  }, [autoFocus, placeAt]);
  // Text passed to the owner that has not come back as `value` yet; further keys are appended to
  // it.
  const given = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the owner has taken the text
  useLayoutEffect(() => {
    given.current = undefined;
  }, [value]);
  const append = useCallback((text: string): void => {
    const from = given.current ?? latest.current.value;
    given.current = from + text;
    latest.current.onChange(given.current, from);
  }, []);
  const awaited = wish?.focus === true && !Code && !held && !readOnly;
  useLayoutEffect(() => {
    if (awaited && state !== 'failed')
      ahead.begin(root.current!.getRootNode() as Document | ShadowRoot);
    // Loading failed, so no editor will take the text.
    const text = awaited && state === 'failed' ? (wish.typed ?? '') + ahead.abandon() : '';
    if (text === '') return;
    setWish({ focus: true });
    append(text);
  }, [awaited, state, ahead, wish, append]);
  useEffect(
    () => () => {
      const text = own.current?.abandon();
      if (text) append(text);
    },
    [append],
  );

  if (wish && Code && !held && !composing) {
    return (
      <div ref={root} className="code-area">
        <Code
          {...props}
          handle={open}
          autoFocus={autoFocus || wish.focus}
          placeAt={wish.focus && wish.place !== undefined ? wish.place : placeAt}
          typed={() => (wish.typed ?? '') + ahead.take()}
        />
      </div>
    );
  }
  // Do not replace the static code between press and release: neither would get the click.
  const onPointerDown = ({ pointerType, button }: PointerEvent): void => {
    pressed.current = true;
    if (pointerType === 'touch' || button !== 0) return;
    hold(true);
    const release = (event: globalThis.PointerEvent): void => {
      window.removeEventListener('pointerup', release, true);
      window.removeEventListener('pointercancel', release, true);
      pressed.current = false;
      hold(false);
      if (event.type === 'pointerup')
        setWish({ focus: true, place: { x: event.clientX, y: event.clientY } });
    };
    window.addEventListener('pointerup', release, true);
    window.addEventListener('pointercancel', release, true);
  };
  // For touch, and for clicks without a pointer.
  const onClick = (event: MouseEvent): void => {
    pressed.current = false;
    setWish({ focus: true, place: { x: event.clientX, y: event.clientY } });
  };
  const onFocus = (): void => {
    preloadEditor();
    props.onFocus?.();
    const key = causingKey();
    // A click reports its position shortly after. A user who arrives by Tab continues by Tab and
    // must not get caught in an editor.
    if (pressed.current || key === 'Tab') return;
    setWish({ focus: true, place: key === 'ArrowUp' ? 'end' : 'start' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (props.onKey?.(event.nativeEvent)) stop(event);
    else if (
      event.key === 'Enter' &&
      event.shiftKey &&
      !event.ctrlKey &&
      !event.altKey &&
      !event.metaKey
    ) {
      stop(event);
      props.onRun?.();
    } else {
      const next = wishOf(event, wish);
      if (!next) return;
      stop(event);
      setWish(next);
    }
  };
  return (
    <div ref={root} className="code-area">
      <div
        className="code-closed"
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        aria-readonly={readOnly || undefined}
        aria-invalid={props.errors?.length ? true : undefined}
        aria-description={
          [errorSummary(props.errors ?? []), readOnly ? '' : editorTexts.open]
            .filter(Boolean)
            .join(' ') || undefined
        }
        tabIndex={0}
        // When the page scrolls, it moves under a resting pointer: that must not open the texts
        // that pass by.
        onPointerMove={(event) => {
          if (wish || event.pointerType === 'touch') return;
          const focus = event.currentTarget.matches(':focus');
          setWish((old) => old ?? { focus });
        }}
        onPointerDown={onPointerDown}
        onPointerCancel={() => (pressed.current = false)}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={() => {
          pressed.current = false;
          props.onBlur?.();
        }}
      >
        <StaticCode
          text={value}
          language={language}
          lineNumbers={lineNumbers}
          fontSize={fontSize}
          marks={props.marks}
          errors={props.errors}
        />
      </div>
      {state === 'failed' && wish?.focus && <p className="code-failed">{editorTexts.failed}</p>}
    </div>
  );
}

/**
 * Returns what a key on the closed editor requests. Tab is ignored, so that keyboard users do not
 * get caught in an editor.
 */
function wishOf(event: KeyboardEvent, wish: Wish | null): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === 'Enter' || event.key === 'F2') return { focus: true, place: 'end' };
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
    return { focus: true, place: event.key === 'ArrowDown' ? 'start' : 'end' };
  if (event.key.length === 1)
    return { focus: true, place: 'end', typed: (wish?.typed ?? '') + event.key };
  return null;
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
