import { memo, useMemo, useSyncExternalStore } from 'react';
import { highlightLines } from './highlight.ts';
import { loadLanguage, loadedLanguage } from './languages.ts';
import { useIsNear, useSettledNear } from '../runtime/near.ts';
import { codeSize } from './size.ts';

export interface StaticCodeProps {
  text: string;
  /** Mode name: `python`, `sql`, `ace/mode/scala`…; unknown names stay plain. */
  language?: string;
  lineNumbers?: boolean;
  /** As stored: points from 9 to 20, where 9 is the design's own size. */
  fontSize?: number;
}

/**
 * Highlighted code without an editor: some hundred blocks cost what one editor costs. It has the editor's geometry to
 * the pixel, so that the editor can take its place without moving anything.
 */
export const StaticCode = memo(function StaticCode({ text, language, lineNumbers = false, fontSize }: StaticCodeProps) {
  const coloured = useSettledNear(useIsNear());
  const support = useLanguage(coloured ? language : undefined);
  const lines = useMemo(() => highlightLines(text, support?.language ?? null), [text, support]);
  return (
    <div className="code static-code" style={codeSize(fontSize)}>
      <div className="static-scroller">
        {lineNumbers && (
          <div className="static-gutter" aria-hidden="true">
            {lines.map((_, index) => (
              <div key={index}>{index + 1}</div>
            ))}
          </div>
        )}
        <div className={lineNumbers ? 'static-content' : 'static-content without-numbers'}>
          {lines.map((pieces, index) => (
            <div key={index} className="static-line">
              {pieces.map((piece, at) => (piece.className ? <span key={at} className={piece.className}>{piece.text}</span> : piece.text))}
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
