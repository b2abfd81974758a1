/** A small server with OpenAI's protocol for chats, for tests of the assistant. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface ChatRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: { model: string; messages: { role: string; content: string }[]; stream: boolean };
}

/** What the model does: the answer to a question, or a whole response. */
export type ModelReply = (request: ChatRequest, response: ServerResponse) => string | undefined;

/** A running model. `left` counts the requests that their caller ended before the answer did. */
export interface ModelServer {
  readonly url: string;
  readonly asked: ChatRequest[];
  reply: ModelReply;
  left: number;
  stop(): Promise<void>;
}

/** Sends an event of a streamed answer. */
export const sendChunk = (response: ServerResponse, chunk: unknown): void =>
  void response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);

/** Starts a model that answers each request by `reply`, a few characters at a time. */
export async function startModel(reply: ModelReply): Promise<ModelServer> {
  const http = createServer((request, response) => {
    response.on('close', () => (model.left += response.writableFinished ? 0 : 1));
    void json(request).then((body) => {
      const asked = { headers: request.headers, body: body as ChatRequest['body'] };
      model.asked.push(asked);
      const answer = model.reply(asked, response);
      if (answer === undefined) return;
      response.setHeader('Content-Type', 'text/event-stream');
      for (const content of answer.match(/[\s\S]{1,7}/g) ?? [])
        sendChunk(response, { choices: [{ delta: { content } }] });
      const usage = { prompt_tokens: 120, completion_tokens: answer.length };
      sendChunk(response, { choices: [], usage });
      sendChunk(response, '[DONE]');
      response.end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const model: ModelServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    asked: [],
    reply,
    left: 0,
    stop: () => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
  return model;
}
