/** Imports Jupyter notebooks as notes. */
import { fromNotebook, magicOf, splitMagic } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { Refusal } from '../errors.ts';
import { renderMarkdown } from '../interpreters/markdown.ts';

/** Time limit for rendering all Markdown cells of a notebook, in ms. The rest can be run later. */
const RENDER_ALL_MS = 10_000;

/**
 * Converts a notebook to the JSON of an exported note. Markdown cells are already rendered, as in a
 * notebook, except those that take too long. `principal`: who imports it. Rejects if it is not a
 * notebook.
 */
export async function notebookAsNote(raw: JsonObject, principal: string): Promise<JsonObject> {
  const { name, paragraphs } = notebookOf(raw);
  const options = { signal: AbortSignal.timeout(RENDER_ALL_MS), asker: principal };
  return {
    ...(name === undefined ? {} : { name }),
    paragraphs: await Promise.all(
      paragraphs.map(async (paragraph) => {
        const { text = '', config, results } = paragraph;
        if (magicOf(text) !== 'md' || results || splitMagic(text).script === '') return paragraph;
        const data = await renderMarkdown(splitMagic(text).script, options).catch(() => undefined);
        if (data === undefined) return paragraph;
        return {
          ...paragraph,
          config: { ...config, editorHide: true },
          status: 'FINISHED',
          results: { code: 'SUCCESS', msg: [{ type: 'HTML', data }] },
        };
      }),
    ),
  };
}

function notebookOf(raw: JsonObject): ReturnType<typeof fromNotebook> {
  try {
    return fromNotebook(raw);
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
}
