/** Streams answers of a model by OpenAI's protocol for chats. */
import { createParser } from 'eventsource-parser';
import * as z from 'zod/mini';
import type { AssistantOptions } from '../base/assistant-options.ts';
import { Refusal } from '../base/errors.ts';
import { parseUntrustedJson } from '../base/json.ts';

/** A message of a chat with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** Numbers of tokens that a model has read and written. */
export interface TokenCount {
  readonly read: number;
  readonly written: number;
}

/** Time limit of an answer, in ms. Models on small machines are slow. */
const LIMIT_MS = 300_000;
/** Maximum length of an answer, in characters. */
const MAX_ANSWER = 100_000;
/** Maximum size of what is read of an error, in characters. */
const MAX_ERROR = 2_000;

const chunk = z.object({
  choices: z.optional(
    z.array(z.object({ delta: z.optional(z.object({ content: z.nullish(z.string()) })) })),
  ),
  usage: z.nullish(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })),
  error: z.optional(z.object({ message: z.string() })),
});

const failure = (sentence: string): Refusal => new Refusal(502, sentence);

/** Returns what a server says about an error, in one line. */
async function statedError(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > MAX_ERROR) break;
  }
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? '';
  return message.replace(/\\[nrt]|\s+/g, ' ').slice(0, 300);
}

/**
 * Yields the pieces of a model's answer, and returns its count of tokens if the server says it.
 * Throws a {@link Refusal} with a sentence if there is no answer. When the caller stops reading or
 * `signal` aborts, the call to the model ends.
 */
export async function* streamAnswer(
  { url, model, key }: AssistantOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): AsyncGenerator<string, TokenCount | undefined> {
  const { host } = new URL(url);
  const stop = new AbortController();
  const late = AbortSignal.timeout(LIMIT_MS);
  try {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      // Another address could get the key and what the note contains.
      redirect: 'error',
      headers: {
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }),
      signal: AbortSignal.any([signal, late, stop.signal]),
    });
    if (!response.ok || !response.body)
      throw failure(
        `The model at ${host} answered with status ${response.status}. ` +
          `${await statedError(response)}`.trim(),
      );
    return yield* piecesOf(response.body, host);
  } catch (error) {
    if (error instanceof Refusal || signal.aborted) throw error;
    if (late.aborted)
      throw failure(`The model at ${host} did not finish within ${LIMIT_MS / 60_000} minutes.`);
    throw failure(`The model at ${host} can't be reached. Ask an administrator to check it.`);
  } finally {
    stop.abort();
  }
}

async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  host: string,
): AsyncGenerator<string, TokenCount | undefined> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  let tokens: TokenCount | undefined;
  let length = 0;
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const data of events.splice(0)) {
      if (data === '[DONE]') return tokens;
      const { success, data: read } = chunk.safeParse(jsonOf(data));
      if (!success)
        throw failure(`The server at ${host} does not answer as OpenAI's protocol says.`);
      if (read.error) throw failure(`The model at ${host} failed. ${read.error.message}`);
      if (read.usage)
        tokens = { read: read.usage.prompt_tokens, written: read.usage.completion_tokens };
      const piece = read.choices?.[0]?.delta?.content ?? '';
      length += piece.length;
      if (length > MAX_ANSWER) throw failure(`The answer has more than ${MAX_ANSWER} characters.`);
      if (piece !== '') yield piece;
    }
  }
  return tokens;
}

function jsonOf(text: string): unknown {
  try {
    return parseUntrustedJson(text);
  } catch {
    return undefined;
  }
}
