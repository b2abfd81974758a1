import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { useRenderInFull } from '../runtime/render-in-full.ts';
import type { EditorCallbacks } from './callbacks.ts';
import { CodeLines, type ShownCodeProps } from './code-lines.tsx';
import type { EditorHandle } from './handle.ts';
import { languageName } from './languages/language-name.ts';
import { errorSummary } from './marks/error-spans.ts';
import { formSpans } from './marks/form-spans.ts';
import { highlightLines, magicEnd } from './marks/highlight.ts';
import { overlay } from './marks/overlay.ts';
import { plainSpans } from './marks/plain-highlight.ts';
import { revealStatic } from './scroll.ts';

/** Code that no editor will replace: it is highlighted without the languages of the editor. */
export const PlainCode = memo(function PlainCode({ language, ...code }: ShownCodeProps) {
  const { text } = code;
  const coloured = useMemo(() => {
    const spans = plainSpans(text, languageName(language), magicEnd(text));
    return overlay(overlay(highlightLines(text, null), spans), formSpans(text, language));
  }, [text, language]);
  return <CodeLines coloured={coloured} {...code} />;
});

interface FixedCodeProps
  extends ShownCodeProps,
    Required<Pick<EditorCallbacks, 'onRun' | 'onLeave' | 'onEdge'>> {
  handle: RefObject<EditorHandle | null>;
  /** Accessible name. */
  label: string;
  /** Why the user may not edit it. */
  reason: string;
  /** Called when the paragraph comes near the window. */
  onNear(): void;
}

/** Code that the user may read and not edit. No editor is loaded for it. */
export function FixedCode({
  handle,
  label,
  reason,
  onNear,
  onRun,
  onLeave,
  onEdge,
  ...code
}: FixedCodeProps) {
  const root = useRef<HTMLDivElement>(null);
  const text = useRef(code.text);
  text.current = code.text;
  const near = useRenderInFull();
  const latestOnNear = useRef(onNear);
  latestOnNear.current = onNear;
  useEffect(() => {
    if (near) latestOnNear.current();
  }, [near]);
  useImperativeHandle(
    handle,
    () => ({
      focus: () => root.current?.focus({ preventScroll: true }),
      reveal: (from) =>
        root.current && revealStatic(root.current.parentElement!, text.current, from),
      insert: () => false,
      insertAtCursor: () => false,
      replace: () => false,
      search: () => false,
      selection: () => null,
      offsetAt: () => null,
    }),
    [],
  );
  const act = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    if (shiftKey && key !== 'Enter') return false;
    if (shiftKey) onRun();
    else if (key === 'Escape') onLeave();
    else if (key === 'ArrowUp' || key === 'ArrowDown') onEdge(key === 'ArrowUp' ? 'up' : 'down');
    else return false;
    return true;
  };
  return (
    <div className="code-area">
      <div
        ref={root}
        className="code-closed"
        role="textbox"
        aria-multiline="true"
        aria-readonly
        aria-label={label}
        aria-invalid={code.errors?.length ? true : undefined}
        aria-description={[errorSummary(code.errors ?? []), reason].filter(Boolean).join(' ')}
        tabIndex={0}
        onKeyDown={(event) => {
          if (!act(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <PlainCode {...code} />
      </div>
    </div>
  );
}
