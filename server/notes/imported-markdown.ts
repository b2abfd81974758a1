/** Renders the Markdown of imported files, so that it is readable before anything was run. */
import {
  fromNotebook,
  isJsonObject,
  isNotebook,
  jsonObjectOf,
  magicOf,
  renderedType,
  splitMagic,
  substituteForms,
  withHtml,
} from '@tiding/client/model';
import type { JsonObject, ResultMessage } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import type { AskOptions } from '../interpreters/deadline-worker.ts';
import { renderLatex, renderMarkdown } from '../interpreters/markdown.ts';

/** Time limit for rendering all Markdown of a file, in ms. The rest can be run later. */
const RENDER_ALL_MS = 10_000;

/**
 * Returns the JSON of a note to import; a Jupyter notebook is converted. Renders Markdown that was
 * converted from other formats: its paragraphs have no id yet. `principal`: who imports it. Rejects
 * invalid notebooks.
 */
export async function withRenderedMarkdown(
  raw: JsonObject,
  principal: string,
): Promise<JsonObject> {
  const note = isNotebook(raw) ? notebookOf(raw) : raw;
  const { paragraphs } = note;
  if (!Array.isArray(paragraphs)) return note;
  const options = { signal: AbortSignal.timeout(RENDER_ALL_MS), asker: principal };
  return {
    ...note,
    paragraphs: await Promise.all(
      paragraphs.map(async (paragraph: unknown) => {
        const script = markdownOf(paragraph);
        if (script === undefined) return withRenderedOutputs(paragraph, options);
        const data = await renderMarkdown(script, options).catch(() => undefined);
        if (data === undefined) return paragraph;
        const converted = paragraph as JsonObject;
        return {
          ...converted,
          config: { ...(converted['config'] as object | undefined), editorHide: true },
          status: 'FINISHED',
          results: { code: 'SUCCESS', msg: [{ type: 'HTML', data }] },
        };
      }),
    ),
  };
}

/** Renders the outputs of a notebook that are Markdown or LaTeX. */
async function withRenderedOutputs(paragraph: unknown, options: AskOptions): Promise<unknown> {
  const { results } = jsonObjectOf(paragraph);
  const { msg } = jsonObjectOf(results);
  if (!Array.isArray(msg)) return paragraph;
  const rendered = msg.map(async (message: ResultMessage) => {
    const type = isJsonObject(message) ? renderedType(message) : undefined;
    if (type === undefined) return message;
    const render = type === 'text/latex' ? renderLatex : renderMarkdown;
    const html = await render(message.data, options).catch(() => undefined);
    return html === undefined ? message : withHtml(message, html);
  });
  const shown = { ...jsonObjectOf(results), msg: await Promise.all(rendered) };
  return { ...jsonObjectOf(paragraph), results: shown };
}

/** Returns the Markdown of a converted paragraph that has no result; otherwise `undefined`. */
function markdownOf(paragraph: unknown): string | undefined {
  if (typeof paragraph !== 'object' || paragraph === null) return undefined;
  const { id, text, results } = paragraph as JsonObject;
  if (id !== undefined || results || typeof text !== 'string' || magicOf(text) !== 'md')
    return undefined;
  return substituteForms(splitMagic(text).script) || undefined;
}

function notebookOf(raw: JsonObject): JsonObject {
  try {
    const { name, paragraphs, ...rest } = fromNotebook(raw);
    return {
      ...(name === undefined ? {} : { name }),
      paragraphs: [...paragraphs] as object[],
      ...rest,
    };
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
}
