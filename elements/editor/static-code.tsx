import { memo, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useRenderInFull } from '../runtime/render-in-full.ts';
import { CodeLines, type ShownCodeProps } from './code-lines.tsx';
import { loadedLanguage, loadLanguage } from './languages/languages.ts';
import { formSpans } from './marks/form-spans.ts';
import { highlightLines } from './marks/highlight.ts';
import { overlay } from './marks/overlay.ts';
import { onUserInput } from './user-input.ts';

/**
 * Highlighted code without an editor: several hundred blocks cost as much as one editor. Its
 * geometry is identical to the editor's, so that the editor can replace it without moving anything.
 */
export const StaticCode = memo(function StaticCode({ language, ...code }: ShownCodeProps) {
  const { text } = code;
  const settled = useSettledRenderInFull(useRenderInFull());
  const support = useLanguage(settled ? language : undefined, text);
  const coloured = useMemo(
    () => overlay(highlightLines(text, support?.language ?? null), formSpans(text, language)),
    [text, support, language],
  );
  return <CodeLines coloured={coloured} {...code} />;
});

/** Returns the language once it is loaded; null (plain text) until then. */
function useLanguage(name: string | undefined, text: string) {
  return useSyncExternalStore(
    (changed) => {
      let live = true;
      if (!loadedLanguage(name, text)) void loadLanguage(name, text).then(() => live && changed());
      return () => {
        live = false;
      };
    },
    () => loadedLanguage(name, text),
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
    if (near && !settled && !document.hasFocus()) return onUserInput(() => setSettled(true));
    setSettled(near);
    return undefined;
  }, [near, settled]);
  return settled;
}
