/** `%md`: converts Markdown to HTML. */
import MarkdownIt from 'markdown-it';
import type { InterpreterSpec } from './contract.ts';

const renderer = new MarkdownIt({ html: false, linkify: true });
renderer.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet('target', '_blank');
  tokens[index]?.attrSet('rel', 'noopener noreferrer');
  return self.renderToken(tokens, index, options);
};

/**
 * Renders CommonMark with tables and strikethrough; bare addresses become links. The markup is safe
 * by construction: raw HTML in the source is escaped, and links or images with script addresses
 * remain text.
 */
export function renderMarkdown(source: string): string {
  return `<div class="markdown-body">\n${renderer.render(source)}</div>`;
}

/** Renders a paragraph as one HTML output. */
export const markdown: InterpreterSpec = {
  name: 'md',
  aliases: ['markdown'],
  sessions: true,
  editor: { language: 'markdown', editOnDblClick: true, completionSupport: false },
  create: () => ({
    run: async (run) => {
      run.output.add('HTML', renderMarkdown(run.code));
      return { code: 'SUCCESS' };
    },
    close: async () => undefined,
  }),
};
