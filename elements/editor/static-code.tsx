import { memo, useMemo, useSyncExternalStore } from 'react';
import { highlightLines } from './highlight.ts';
import { loadLanguage, loadedLanguage } from './languages.ts';
import { markLines, type Mark } from './mark.ts';
import { codeSize } from './size.ts';

const none: readonly Mark[] = [];

export interface StaticCodeProps {
  text: string;
  /** Mode name: `python`, `sql`, `ace/mode/scala`…; unknown names stay plain. */
  language?: string;
  lineNumbers?: boolean;
  /** As stored: points from 9 to 20, where 9 is the design's own size. */
  fontSize?: number;
  /** Marked stretches, in order. */
  marks?: readonly Mark[] | undefined;
}

/**
 * Highlighted code without an editor: some hundred blocks cost what one editor costs. It has the editor's geometry to
 * the pixel, so that the editor can take its place without moving anything.
 */
export const StaticCode = memo(function StaticCode({ text, language, lineNumbers = false, fontSize, marks = none }: StaticCodeProps) {
  const support = useLanguage(language);
  const coloured = useMemo(() => highlightLines(text, support?.language ?? null), [text, support]);
  const lines = useMemo(() => markLines(coloured, marks), [coloured, marks]);
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
