/** The assistant, a model that writes and explains code. */
import * as z from 'zod/mini';
import { endpoint, maybe, open, strict } from '../define.ts';
import { text } from './schemas.ts';

/** Maximum length of a question, and of the values of a chart, in characters. */
const MAX_QUESTION = 4_000;
const MAX_CHART = 20_000;

/**
 * What the assistant does: `write` code that answers a question, `explain` the error of a
 * paragraph, `fix` its code, or `describe` a chart.
 */
const assistantTasks = ['write', 'explain', 'fix', 'describe'] as const;

/**
 * A request to the assistant. `paragraphId`: the paragraph with the error or the chart, or the one
 * below which code is written; otherwise code is for the end of the note. `magic`: the interpreter
 * of the code to write, such as `sales` for `%sales`; absent: that of the note. `chart`: the title
 * and values that a chart shows, as text.
 */
const assistantRequest = strict({
  task: z.enum(assistantTasks),
  paragraphId: z.optional(text),
  magic: z.optional(text.check(z.maxLength(100))),
  question: z.optional(text.check(z.maxLength(MAX_QUESTION))),
  chart: z.optional(text.check(z.maxLength(MAX_CHART))),
});
/** A request to the assistant. */
export type AssistantRequest = z.infer<typeof assistantRequest>;

/** What would be sent to the model `model` of the server `host`. */
const assistantPreview = open({
  model: text,
  host: text,
  messages: z.array(open({ role: text, content: text })),
});
/** What would be sent to a model. */
export type AssistantPreview = z.infer<typeof assistantPreview>;

/**
 * A line of an answer: a piece of its text, or at the end either the whole `answer` with the number
 * of `tokens` that were read and written, if the model counts them, or an `error`.
 */
export const assistantLine = open({
  text: maybe(text),
  answer: maybe(text),
  tokens: maybe(open({ read: z.number(), written: z.number() })),
  error: maybe(text),
});

/** REST calls for the assistant. They answer 404 if the server has none. */
export const assistantEndpoints = {
  /** Tiding: what `askAssistant` would send. */
  previewAssistant: endpoint('POST', '/magpie/assistant/:noteId/preview', {
    right: 'runner',
    body: assistantRequest,
    answer: assistantPreview,
  }),
  /**
   * Tiding: asks the model, and streams its answer as lines of JSON. 400 if the request lacks
   * something, 429 after twenty requests in a minute. Ending the call stops the model.
   */
  askAssistant: endpoint('POST', '/magpie/assistant/:noteId', {
    right: 'runner',
    body: assistantRequest,
    content: 'raw',
    audit: 'assistant-asked',
  }),
};
