import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import type { CodeEditorProps } from './code-editor.tsx';
import { sayErrors } from './error-spans.ts';
import type { EditorHandle, Place } from './handle.ts';
import { causingKey, watchKeys } from './last-key.ts';
import { preloadEditor, useLoadedEditor } from './load-editor.ts';
import { revealStatic } from './scroll.ts';
import { StaticCode } from './static-code.tsx';
import { TypeAhead } from './type-ahead.ts';
import { useIsNear } from '../runtime/near.ts';
import { editorText } from '../text/editor.ts';
import { whenNear } from './use-near.ts';

export interface EditorProps extends Omit<CodeEditorProps, 'typed'> {
  /** The paragraph has come near the window. */
  onNear?(): void;
  /** Has collected keys that are meant for this editor since before it was shown. */
  ahead?: TypeAhead | undefined;
}

/** Why the editor is wanted: it takes the focus, or only takes its place under the pointer. */
interface Wish {
  readonly focus: boolean;
  readonly place?: Place;
  readonly typed?: string;
}

/**
 * A paragraph's code. Shows highlighted text until somebody reaches for it with pointer, finger or keys; then the editor
 * takes the text's place without moving it. Its code is fetched when the paragraph comes near the window.
 */
export function Editor(props: EditorProps) {
  const {
    value,
    language,
    lineNumbers,
    fontSize,
    readOnly = false,
    label = editorText.label,
    autoFocus = false,
    placeAt,
  } = props;
  const root = useRef<HTMLDivElement>(null);
  const [wish, setWish] = useState<Wish | null>(autoFocus ? { focus: true, place: placeAt } : null);
  const near = useIsNear();
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
  // The closed editor opens with the cursor at the place; the open one does at once what is asked.
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
    return near && !wish && root.current ? whenNear(root.current, preloadEditor) : undefined;
  }, [near, wish]);
  useEffect(() => {
    if (autoFocus) setWish((old) => old ?? { focus: true, place: placeAt });
  }, [autoFocus, placeAt]);
  // What was given on and has not come back as the value: the next key follows it.
  const given = useRef<string>(undefined);
  useLayoutEffect(() => void (given.current = undefined), [value]);
  const append = (text: string): void => {
    const from = given.current ?? latest.current.value;
    given.current = from + text;
    latest.current.onChange(given.current, from);
  };
  const awaited = wish?.focus === true && !Code && !held && !readOnly;
  useLayoutEffect(() => {
    if (awaited && state !== 'failed')
      ahead.begin(root.current!.getRootNode() as Document | ShadowRoot);
    // No editor will take it.
    const text = awaited && state === 'failed' ? (wish.typed ?? '') + ahead.abandon() : '';
    if (text === '') return;
    setWish({ focus: true });
    append(text);
  }, [awaited, state, ahead, wish]);
  useEffect(
    () => () => {
      const text = own.current?.abandon();
      if (text) append(text);
    },
    [],
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
  // Between press and release nothing takes the text's place: the click would go to neither.
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
  // By touch, and by what clicks without a pointer.
  const onClick = (event: MouseEvent): void => {
    pressed.current = false;
    setWish({ focus: true, place: { x: event.clientX, y: event.clientY } });
  };
  const onFocus = (): void => {
    preloadEditor();
    props.onFocus?.();
    const key = causingKey();
    // A click tells its place in a moment; who comes by Tab goes on by Tab and is not caught in an editor.
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
          [sayErrors(props.errors ?? []), readOnly ? '' : editorText.open]
            .filter(Boolean)
            .join(' ') || undefined
        }
        tabIndex={0}
        // A page that is scrolled moves under a pointer that rests: nobody reaches for the texts that pass.
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
      {state === 'failed' && wish?.focus && <p className="code-failed">{editorText.failed}</p>}
    </div>
  );
}

/** What a key on the closed editor asks for. Tab passes by: nobody is caught in an editor on the way through the page. */
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
