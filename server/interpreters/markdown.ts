/** `%md`: converts Markdown to HTML in a worker thread, so that other requests don't wait. */
import { addMarkdownRules } from '@tiding/client/model';
import type { InterpreterSpec } from './contract.ts';
import { type AskOptions, DeadlineWorker } from './deadline-worker.ts';
import program from './programs/markdown.cjs?raw';

/** Time limit for one text, in ms. */
const RENDER_MS = 2_000;

const worker = new DeadlineWorker<{ source: string } | { latex: string }, { html: string }>(
  `const addRules = ${addMarkdownRules};\n${program}`,
  {
    limitMs: RENDER_MS,
    tooLong:
      `The text takes more than ${RENDER_MS / 1_000} seconds to render. ` +
      'Split the paragraph, or remove long runs of brackets, links or table columns.',
  },
);

/**
 * Renders CommonMark with tables, strikethrough, task lists, footnotes, admonitions and formulas;
 * bare addresses become links. The markup is safe
 * by construction: raw HTML in the source is escaped, and links or images with script addresses
 * remain text. Rejects with a one-sentence message if it takes too long, or with the signal's
 * reason.
 */
export function renderMarkdown(source: string, options?: AskOptions): Promise<string> {
  return render({ source }, options);
}

/**
 * Renders a text with LaTeX formulas to HTML with MathML. A formula with an error is shown as its
 * source, with the reason. Rejects like {@link renderMarkdown}.
 */
export function renderLatex(latex: string, options?: AskOptions): Promise<string> {
  return render({ latex }, options);
}

async function render(
  request: { source: string } | { latex: string },
  options: AskOptions | undefined,
): Promise<string> {
  const { html } = await worker.ask(request, options);
  return `<div class="markdown-body">\n${html}</div>`;
}

/** Renders a paragraph as one HTML output. */
export const markdown: InterpreterSpec = {
  name: 'md',
  aliases: ['markdown'],
  sessions: true,
  editor: { language: 'markdown', editOnDblClick: true, completionSupport: false },
  create: () => ({
    run: async (run) => {
      try {
        run.output.add(
          'HTML',
          await renderMarkdown(run.code, { signal: run.signal, asker: run.principal }),
        );
        return { code: 'SUCCESS' };
      } catch (error) {
        if (run.signal.aborted) return { code: 'ABORT' };
        return { code: 'ERROR', message: (error as Error).message };
      }
    },
    close: async () => undefined,
  }),
};
