/** A Jupyter notebook as the note it is imported as. */
import { fromNotebook, magicOf, splitMagic } from 'tiding/model';
import type { Bag } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import { renderMarkdown } from '../interpreters/markdown.ts';

/** The note, as the JSON of an export would be. Markdown is rendered, as it is in the notebook. Refuses what is none. */
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
