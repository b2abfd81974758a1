import { memo, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useRenderInFull } from '../runtime/render-in-full.ts';
import { codeSize } from './font-size.ts';
import { loadedLanguage, loadLanguage } from './languages/languages.ts';
import type { LineError } from './marks/error-lines.ts';
import { errorSpans } from './marks/error-spans.ts';
import { formSpans } from './marks/form-spans.ts';
import { highlightLines } from './marks/highlight.ts';
import { type FindMark, markSpans, overlay } from './marks/overlay.ts';
import { onUserInput } from './user-input.ts';

interface StaticCodeProps {
  text: string;
  /** Mode name, such as `python`, `sql` or `ace/mode/scala`. Unknown names are not highlighted. */
  language?: string;
  lineNumbers?: boolean;
  /** Stored font size in points, 9 to 20; 9 means the default size. */
  fontSize?: number;
  /** Search matches in the text. */
  marks?: readonly FindMark[] | undefined;
  /** Errors of the last run, with their lines. */
  errors?: readonly LineError[] | undefined;
}

/**
 * Highlighted code without an editor: several hundred blocks cost as much as one editor. Its
 * geometry is identical to the editor's, so that the editor can replace it without moving anything.
 */
export const StaticCode = memo(function StaticCode({
  text,
  language,
  lineNumbers = false,
  fontSize,
  marks,
  errors,
}: StaticCodeProps) {
  const settled = useSettledRenderInFull(useRenderInFull());
  const support = useLanguage(settled ? language : undefined);
  const coloured = useMemo(
    () => overlay(highlightLines(text, support?.language ?? null), formSpans(text)),
    [text, support],
  );
  const lines = useMemo(
    () => overlay(overlay(coloured, errorSpans(text, errors ?? [])), markSpans(marks ?? [])),
    [coloured, text, errors, marks],
  );
  const wrong = (index: number) => errors?.find(({ line }) => line === index + 1);
  return (
    <div className="code static-code" style={codeSize(fontSize)}>
      <div className="static-scroller">
        {lineNumbers && (
          <div className="static-gutter" aria-hidden="true">
            {lines.map((_, index) => (
              <div key={index} className={wrong(index) && 'error-number'}>
                {index + 1}
              </div>
            ))}
          </div>
        )}
        <div className={lineNumbers ? 'static-content' : 'static-content without-numbers'}>
          {lines.map((pieces, index) => (
            <div
              key={index}
              className={wrong(index) ? 'static-line error-line' : 'static-line'}
              title={wrong(index)?.message}
            >
              {pieces.map((piece, at) =>
                piece.className ? (
                  <span key={at} className={piece.className}>
                    {piece.text}
                  </span>
                ) : (
                  piece.text
                ),
              )}
              {/*
               * The line break is needed for selection and copying, and gives an empty line its
               * height.
               */}
              {index < lines.length - 1 || pieces.length === 0 ? '\n' : null}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
});

/** Returns the language once it is loaded; null (plain text) until then. */
function useLanguage(name: string | undefined) {
  return useSyncExternalStore(
    (changed) => {
      let live = true;
      if (!loadedLanguage(name)) void loadLanguage(name).then(() => live && changed());
      return () => {
        live = false;
      };
    },
    () => loadedLanguage(name),
    () => null,
  );
}

/**
 * Like `near`, but delayed while the page does not have the focus: the browser's find dialog has it
 * then, and would lose its highlight if the text nodes were replaced.
 */
function useSettledRenderInFull(near: boolean): boolean {
  const [settled, setSettled] = useState(near);
  useEffect(() => {
    if (!near) {
      setSettled(false);
      return undefined;
    }
    if (settled) return undefined;
    if (document.hasFocus()) {
      setSettled(true);
      return undefined;
    }
    return onUserInput(() => setSettled(true));
  }, [near, settled]);
  return settled;
}
