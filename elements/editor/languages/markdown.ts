/**
 * Markdown for the editor. The languages of HTML, which are larger than Markdown itself, load with
 * the first tag in a text; its tags are plain until then.
 */
import { commonmarkLanguage, markdownKeymap, pasteURLAsLink } from '@codemirror/lang-markdown';
import {
  foldService,
  Language,
  LanguageSupport,
  ParseContext,
  syntaxTree,
} from '@codemirror/language';
import { Prec, StateEffect } from '@codemirror/state';
import { keymap, ViewPlugin } from '@codemirror/view';
import { Parser, type PartialParse, type SyntaxNode } from '@lezer/common';
import { type MarkdownParser, parseCode } from '@lezer/markdown';
import { createLazyValue } from '../../runtime/lazy-value.ts';

/** The language of HTML tags. */
export const tagLanguage = createLazyValue(async () => {
  const { autoCloseTags, html } = await import('@codemirror/lang-html');
  return { autoCloseTags, parser: html({ matchClosingTags: false }).language.parser };
});

const htmlParser = new (class extends Parser {
  createParse(...text: Parameters<Parser['createParse']>): PartialParse {
    const parser = tagLanguage.now()?.parser ?? ParseContext.getSkippingParser(tagLanguage.load());
    return parser.createParse(...text);
  }
})();

/** Closes typed tags. The editor is updated when a text is parsed again with their language. */
const closedTags = ViewPlugin.define((view) => ({
  update() {
    const extension = tagLanguage.now()?.autoCloseTags;
    if (!extension) return;
    this.update = () => {};
    queueMicrotask(() => view.dispatch({ effects: StateEffect.appendConfig.of(extension) }));
  },
}));

const levelOf = ({ name }: SyntaxNode): number =>
  Number(/^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1] ?? Infinity);

/** Folds a heading with all up to the next one of its level. */
const headingFolds = foldService.of((state, start, end) => {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(end, -1);
  while (node && node.from >= start && levelOf(node) === Infinity) node = node.parent;
  if (!node || node.from < start) return null;
  let last = node;
  for (let next = node.nextSibling; next && levelOf(next) > levelOf(node); next = next.nextSibling)
    last = next;
  return last.to > end ? { from: end, to: last.to } : null;
});

const parser = (commonmarkLanguage.parser as MarkdownParser).configure(parseCode({ htmlParser }));

/** Markdown without the languages of HTML, see `tagLanguage`. */
export const markdown = new LanguageSupport(
  new Language(commonmarkLanguage.data, parser, [], 'markdown'),
  [headingFolds, pasteURLAsLink, Prec.high(keymap.of(markdownKeymap)), closedTags],
);
