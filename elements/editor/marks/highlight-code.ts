/** Highlights code blocks of Markdown with the editor's languages, loaded when there is one. */
import { languageName } from '../languages/language-name.ts';
import { loadLanguage } from '../languages/languages.ts';
import { highlightLines } from './highlight.ts';
import marksSheet from './marks.css';

export const codeSheets: readonly string[] = [marksSheet];

/** Names after the fence of Markdown, besides those of paragraphs. */
const shortNames: Readonly<Record<string, string>> = { ts: 'javascript', zsh: 'sh' };

/** Colours the code of an element whose class names its language, such as `language-sql`. */
export async function highlightCode(code: HTMLElement): Promise<void> {
  const found = /(?:^|\s)language-(\S+)/.exec(code.className)?.[1]?.toLowerCase() ?? '';
  const text = code.textContent ?? '';
  const support = await loadLanguage(languageName(shortNames[found] ?? found), text);
  if (!support) return;
  const lines = highlightLines(text, support.language);
  code.replaceChildren(
    ...lines.flatMap((pieces, at) => [
      ...(at === 0 ? [] : ['\n']),
      ...pieces.map(({ text, className }) => {
        if (className === '') return text;
        const span = document.createElement('span');
        span.className = className;
        span.textContent = text;
        return span;
      }),
    ]),
  );
}
