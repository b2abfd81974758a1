/** Imports Jupyter notebooks as notes. */
import { fromNotebook, magicOf, splitMagic } from '@tiding/client/model';
import type { Bag } from '@tiding/client/protocol';
import { Refusal } from '../errors.ts';
import { renderMarkdown } from '../interpreters/markdown.ts';

/**
 * Converts a notebook to the JSON of an exported note. Markdown cells are already rendered, as in a
 * notebook. Throws if it is not a notebook.
 */
export function notebookAsNote(raw: Bag): Bag {
  try {
    const { name, paragraphs } = fromNotebook(raw);
    return {
      ...(name === undefined ? {} : { name }),
      paragraphs: paragraphs.map((paragraph) => {
        const { text = '', config, results } = paragraph;
        if (magicOf(text) !== 'md' || results || splitMagic(text).script === '') return paragraph;
        return {
          ...paragraph,
          config: { ...config, editorHide: true },
          status: 'FINISHED',
          results: {
            code: 'SUCCESS',
            msg: [{ type: 'HTML', data: renderMarkdown(splitMagic(text).script) }],
          },
        };
      }),
    };
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
}
