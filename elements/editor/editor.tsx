import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { CodeEditorProps, EditorHandle, Place } from './code-editor.tsx';
import { causingKey, watchKeys } from './last-key.ts';
import { preloadEditor, useLoadedEditor } from './load-editor.ts';
import { StaticCode } from './static-code.tsx';
import { useIsNear } from '../runtime/near.ts';
import { editorText } from './text.ts';
import { whenNear } from './use-near.ts';

export type EditorProps = Omit<CodeEditorProps, 'typed'>;

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
  const { value, language, lineNumbers, fontSize, readOnly = false, label = editorText.label, autoFocus = false, placeAt } = props;
  const root = useRef<HTMLDivElement>(null);
  const [wish, setWish] = useState<Wish | null>(autoFocus ? { focus: true, place: placeAt } : null);
  const near = useIsNear();
  const { state, Editor: Code } = useLoadedEditor(wish !== null);

  const pressed = useRef(false);
  const open = useRef<EditorHandle>(null);
  // The closed editor opens with the cursor at the place; the open one takes it at once.
  useImperativeHandle(props.handle, () => ({ focus: (place) => (open.current ? open.current.focus(place) : setWish({ focus: true, ...(place === undefined ? {} : { place }) })) }), []);

  useEffect(watchKeys, []);
  useEffect(() => {
    if (wish) preloadEditor();
    return near && !wish && root.current ? whenNear(root.current, preloadEditor) : undefined;
  }, [near, wish]);
  useEffect(() => {
    if (autoFocus) setWish((old) => old ?? { focus: true, place: placeAt });
  }, [autoFocus, placeAt]);

  if (wish && Code) {
    return (
      <div ref={root} className="code-area">
        <Code {...props} handle={open} autoFocus={autoFocus || wish.focus} placeAt={wish.focus && wish.place !== undefined ? wish.place : placeAt} typed={wish.typed} />
      </div>
    );
  }
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
    else if (event.key === 'Enter' && event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
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
        aria-description={readOnly ? undefined : editorText.open}
        tabIndex={0}
        onPointerEnter={(event) => {
          const focus = event.currentTarget.matches(':focus');
          if (event.pointerType !== 'touch') setWish((old) => old ?? { focus });
        }}
        onPointerDown={() => (pressed.current = true)}
        onPointerCancel={() => (pressed.current = false)}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={() => {
          pressed.current = false;
          props.onBlur?.();
        }}
      >
        <StaticCode text={value} language={language} lineNumbers={lineNumbers} fontSize={fontSize} />
      </div>
      {state === 'failed' && wish?.focus && <p className="code-failed">{editorText.failed}</p>}
    </div>
  );
}

/** What a key on the closed editor asks for. Tab passes by: nobody is caught in an editor on the way through the page. */
function wishOf(event: KeyboardEvent, wish: Wish | null): Wish | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === 'Enter' || event.key === 'F2') return { focus: true, place: 'end' };
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') return { focus: true, place: event.key === 'ArrowDown' ? 'start' : 'end' };
  if (event.key.length === 1) return { focus: true, place: 'end', typed: (wish?.typed ?? '') + event.key };
  return null;
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
