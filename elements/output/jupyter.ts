/** Outputs, cells and notebooks of Jupyter as outputs. */

import {
  addMarkdownRules,
  fromNotebook,
  jsonObjectOf,
  magicOf,
  renderedType,
  splitMagic,
  substituteForms,
} from '@tiding/client/model';
import type { JsonObject, ResultMessage } from '@tiding/client/protocol';
import { withImages } from '../result/displays/markdown/embedded-images.ts';
import { blockOf, type OutputBlock, type OutputContent } from './data.ts';
import { refused } from './plain-rows.ts';
import { outputTexts } from './texts.ts';

const OUTPUT_TYPES = ['stream', 'display_data', 'execute_result', 'error'];

const notebookOf = (...cells: readonly JsonObject[]): JsonObject => ({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells,
});

/** Reads an output, a cell or a notebook. Rejects if it can't be shown. */
export async function readJupyter(value: JsonObject): Promise<OutputContent> {
  const type = value['output_type'];
  if (type === undefined)
    return { blocks: await blocksOf('cell_type' in value ? notebookOf(value) : value) };
  if (typeof type !== 'string' || !OUTPUT_TYPES.includes(type))
    throw refused(outputTexts.unknown(`output_type ${String(type)}`));
  const cell = { cell_type: 'code', metadata: {}, source: '', outputs: [value] };
  const blocks = await blocksOf(notebookOf(cell));
  const types = Object.keys(jsonObjectOf(value['data']));
  if (types.length > 0 && blocks.every(({ outputs }) => outputs.every(({ count }) => count === 0)))
    throw refused(outputTexts.types(types.join(', ')));
  return { blocks };
}

async function blocksOf(notebook: JsonObject): Promise<OutputBlock[]> {
  const { paragraphs, images } = readNotebook(notebook);
  const texts = paragraphs.map(({ text = '', results }) =>
    !results && magicOf(text) === 'md' ? substituteForms(splitMagic(text).script) : undefined,
  );
  const hasMarkdown =
    texts.some((text) => text !== undefined) ||
    paragraphs.some(({ results }) => results?.msg?.some(renderedType));
  const render = hasMarkdown ? await markdownRenderer() : undefined;
  const rendered = async (text: string, isLatex = false): Promise<ResultMessage> => {
    const html = `<div class="markdown-body">\n${await render!(text, isLatex)}</div>`;
    return { type: 'HTML', data: withImages(html, images) };
  };
  const blocks = paragraphs.map(async ({ results, status }, at) => {
    const text = texts[at];
    if (text !== undefined) return blockOf([await rendered(text)]);
    const messages = (results?.msg ?? []).map((each) => {
      const type = renderedType(each);
      return type ? rendered(each.data, type === 'text/latex') : each;
    });
    return blockOf(await Promise.all(messages), status);
  });
  return Promise.all(blocks);
}

/** Renders Markdown and LaTeX as the server does. KaTeX is loaded with the first formula. */
async function markdownRenderer(): Promise<(text: string, isLatex: boolean) => Promise<string>> {
  const markdown = new (await import('markdown-it')).default(OPTIONS);
  let katex: typeof import('katex')['default'] | undefined;
  let isMissing = false;
  const latexOf = addMarkdownRules(markdown, (tex, options) => {
    isMissing = !katex;
    return katex?.renderToString(tex, options) ?? '';
  });
  return async (text, isLatex) => {
    const toHtml = () => (isLatex ? latexOf(text) : markdown.render(text));
    const html = toHtml();
    if (!isMissing) return html;
    katex ??= (await import('katex')).default;
    isMissing = false;
    return toHtml();
  };
}

/** HTML is sanitized where it is shown. */
const OPTIONS = { html: true, linkify: true };

function readNotebook(notebook: JsonObject): ReturnType<typeof fromNotebook> {
  try {
    return fromNotebook(notebook);
  } catch (error) {
    throw refused((error as Error).message);
  }
}
