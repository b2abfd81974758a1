import { memo, useMemo, useSyncExternalStore } from 'react';
import type { LineError } from './error-lines.ts';
import { errorSpans } from './error-spans.ts';
import { formSpans } from './form-spans.ts';
import { highlightLines } from './highlight.ts';
import { loadLanguage, loadedLanguage } from './languages.ts';
import { markSpans, overlay, type Mark } from './overlay.ts';
import { useIsNear, useSettledNear } from '../runtime/near.ts';
import { codeSize } from './size.ts';

export interface StaticCodeProps {
  text: string;
  /** Mode name: `python`, `sql`, `ace/mode/scala`…; unknown names stay plain. */
  language?: string;
  lineNumbers?: boolean;
  /** As stored: points from 9 to 20, where 9 is the design's own size. */
  fontSize?: number;
  /** What was found in the text. */
  marks?: readonly Mark[] | undefined;
  /** Errors of the last run, at their lines. */
  errors?: readonly LineError[] | undefined;
}

/**
 * Highlighted code without an editor: some hundred blocks cost what one editor costs. It has the editor's geometry to
 * the pixel, so that the editor can take its place without moving anything.
 */
export const StaticCode = memo(function StaticCode({
  text,
  language,
  lineNumbers = false,
  fontSize,
  marks,
  errors,
}: StaticCodeProps) {
  const settled = useSettledNear(useIsNear());
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
              {/* the line break is there for selection and copy; an empty line keeps its height through it */}
              {index < lines.length - 1 || pieces.length === 0 ? '\n' : null}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
});

/** The language's parser once it is here; plain text until then. */
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
