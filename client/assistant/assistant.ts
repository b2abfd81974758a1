import type { CallOptions } from '../core/abort.ts';
import { type ErrorCode, TidingError } from '../core/errors.ts';
import { type AssistantPreview, type AssistantRequest, assistantLine } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/** Options of {@link AssistantApi.ask}. */
export interface AskOptions extends CallOptions {
  /** Called with each piece of the answer as the model writes it. */
  onText?: (piece: string) => void;
}

/** An answer of the assistant. */
export interface AssistantAnswer {
  /** The whole answer. If code was asked for, it is the code alone. */
  readonly answer: string;
  /** Number of tokens that the model has read and written, if it counts them. */
  readonly tokens?: { readonly read: number; readonly written: number } | undefined;
}

/**
 * The assistant: a model, chosen by the server's administrator, that writes, corrects and explains
 * code and describes charts. It changes nothing. `client.state.server.assistant` says whether the
 * server has one; other servers reject with status 404 or `unsupported`.
 *
 * @example
 * const request = { task: 'write', magic: 'sql', question: 'Sales by month' } as const;
 * const { answer } = await client.assistant.ask('2A94M5J1Z', request, {
 *   onText: (piece) => process.stdout.write(piece),
 * });
 */
export class AssistantApi extends ClientArea {
  /** Returns the messages that {@link ask} would send, and to which model. */
  preview(
    noteId: string,
    request: AssistantRequest,
    options: CallOptions = {},
  ): Promise<AssistantPreview> {
    return this.context.call('previewAssistant', { ...options, params: { noteId }, body: request });
  }

  /**
   * Asks the model, for people who may run the note. Rejects with `server` and the reason if the
   * model fails, with status 400 if the request lacks something, 409 if there is no error to
   * explain, and 429 after twenty requests in a minute. There is no time limit unless you set one;
   * ending the call by its `signal` stops the model.
   */
  async ask(
    noteId: string,
    request: AssistantRequest,
    { onText, ...options }: AskOptions = {},
  ): Promise<AssistantAnswer> {
    const response = await this.context.call('askAssistant', {
      timeout: 0,
      ...options,
      params: { noteId },
      body: request,
    });
    const failure = (code: ErrorCode, message: string, cause?: unknown) =>
      new TidingError(code, message, { operation: 'askAssistant', cause });
    const incomplete = 'The answer of the assistant is not complete.';
    const decoder = new TextDecoder();
    const source = response.body?.getReader();
    let rest = '';
    for (;;) {
      const { done, value } = (await source?.read().catch((error: unknown) => {
        const { name } = error as Error;
        if (options.signal?.aborted) throw failure('aborted', 'askAssistant was aborted.', error);
        throw failure(name === 'TimeoutError' ? 'timeout' : 'network', incomplete, error);
      })) ?? { done: true };
      if (done) throw failure('network', incomplete);
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { text, answer, tokens, error } = assistantLine.parse(JSON.parse(line));
        if (error !== undefined) throw failure('server', error);
        if (answer !== undefined) return { answer, tokens };
        if (text !== undefined) onText?.(text);
      }
    }
  }
}
