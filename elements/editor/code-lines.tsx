import { memo, useMemo } from 'react';
import { codeSize } from './font-size.ts';
import type { LineError } from './marks/error-lines.ts';
import { errorSpans } from './marks/error-spans.ts';
import type { Piece } from './marks/highlight.ts';
import { type FindMark, markSpans, overlay } from './marks/overlay.ts';

/** Code that is shown without an editor. */
export interface ShownCodeProps {
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

/** Lines of coloured code, in the geometry of the editor. */
export const CodeLines = memo(function CodeLines({
  text,
  coloured,
  lineNumbers = false,
  fontSize,
  marks,
  errors,
}: Omit<ShownCodeProps, 'language'> & { coloured: readonly Piece[][] }) {
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
