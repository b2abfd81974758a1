/** The assistant: a model that writes, corrects and explains code, and describes charts. */
import { Readable } from 'node:stream';
import { splitMagic } from '@tiding/client/model';
import { paragraphOf } from '@tiding/client/notebook';
import type { assistantLine, Variable } from '@tiding/client/protocol';
import type * as z from 'zod/mini';
import { type ChatMessage, streamAnswer } from '../assistant/model.ts';
import { codeOf, messagesFor, type NoteFacts } from '../assistant/prompt.ts';
import type { AssistantOptions } from '../base/assistant-options.ts';
import { Refusal } from '../base/errors.ts';
import type { TableSchema } from '../interpreters/contract.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { FoundInterpreter } from '../run/interpreter-lookup.ts';
import { relationsOf } from './connections.ts';
import type { RestHandlers, RestRequest, ServerContext } from './context.ts';
import { userLimit } from './user-limit.ts';

type Request = RestRequest<'previewAssistant'> | RestRequest<'askAssistant'>;

/** Requests that a user may make in a minute; each may cost money. */
const MAX_PER_MINUTE = 20;
const countQuestion = userLimit(
  MAX_PER_MINUTE,
  'Too many questions to the assistant. Try again in a minute.',
);

/** What the engines of settings speak, where their language does not say it. */
const dialects: Readonly<Record<string, string>> = { sql: 'SQL of DuckDB', python: 'Python' };

function assistantOf({ options }: ServerContext): AssistantOptions {
  if (!options.assistant)
    throw new Refusal(
      404,
      'This server has no assistant. An administrator sets TIDING_ASSISTANT_URL and ' +
        'TIDING_ASSISTANT_MODEL.',
    );
  return options.assistant;
}

/** The text of a failed run. */
const errorOf = ({ results }: StoredParagraph): string =>
  results?.code === 'ERROR'
    ? (results.msg ?? []).flatMap(({ type, data }) => (type === 'TEXT' ? [data] : [])).join('\n')
    : '';

function variableLine(variable: Variable, sendsValues: boolean): string {
  const { name, type, shape, preview, isTable } = variable;
  // Of a frame, it has the names of the columns.
  const isSchema = isTable === true && type !== 'Series';
  return [name, type, shape, sendsValues || isSchema ? preview : ''].filter(Boolean).join(' ');
}

/** Returns the tables that code of an interpreter can use; none if they can't be read. */
async function tablesFor(
  found: FoundInterpreter,
  note: StoredNote,
  request: Request,
  context: ServerContext,
): Promise<readonly TableSchema[]> {
  const { pool } = context;
  const { principal } = request.person;
  const schema = await relationsOf(found.name, request, context).catch(() => undefined);
  if (schema) return schema.relations;
  const sql = found.group === 'sql' ? found : pool.lookup.find('sql', note);
  const read = sql && pool.ask(sql, { noteId: note.id, principal }, (one) => one.tables?.());
  return (await read?.catch(() => undefined)) ?? [];
}

/** Returns what would be sent to the model. Throws a {@link Refusal} if something is missing. */
async function messagesOf(
  request: Request,
  context: ServerContext,
  isPreview: boolean,
): Promise<ChatMessage[]> {
  const { body, params, person } = request;
  const { notes, pool } = context;
  const { sends } = assistantOf(context);
  const note = notes.get(params['noteId'] ?? '');
  const { task, paragraphId, magic, question = '' } = body;
  if (task !== 'write' && paragraphId === undefined)
    throw new Refusal(400, `paragraphId is missing: name the paragraph to ${task}.`);
  if (task === 'write' && question.trim() === '' && !isPreview)
    throw new Refusal(400, 'question is missing: say what the code should do.');
  if (task === 'describe' && sends !== 'results')
    throw new Refusal(
      403,
      'This server sends no results to the assistant. An administrator can allow it with ' +
        'TIDING_ASSISTANT_SENDS=results.',
    );
  if (task === 'describe' && !body.chart?.trim())
    throw new Refusal(400, 'chart is missing: give its title and values.');
  const paragraph = paragraphId === undefined ? undefined : paragraphOf(note, paragraphId);
  const text = task === 'write' ? '' : (paragraph?.text ?? '');
  const own = splitMagic(text);
  const found = pool.lookup.find(magic || own.magic, note, own.options);
  const setting = found && pool.lookup.get(found.name);
  if (!setting || !pool.lookup.mayUse(setting, person.principal))
    throw new Refusal(400, pool.lookup.explain(magic || own.magic, person, note));
  const error = paragraph && task !== 'write' ? errorOf(paragraph) : '';
  if (task === 'explain' && error === '')
    throw new Refusal(409, 'The last run of this paragraph did not fail.');
  const index = paragraph ? note.paragraphs.indexOf(paragraph) + (task === 'write' ? 1 : 0) : -1;
  const before = index < 0 ? note.paragraphs : note.paragraphs.slice(0, index);
  const isChart = task === 'describe';
  const groups = isChart
    ? []
    : await pool.variables({ noteId: note.id, principal: person.principal });
  const facts: NoteFacts = {
    magic: magic || own.magic || found.name,
    language: dialects[found.group] ?? `${found.editor.language} of ${found.group}`,
    tables: isChart ? [] : await tablesFor(found, note, request, context),
    variables: groups
      .filter(({ interpreter }) => interpreter === found.name)
      .flatMap(({ variables }) => variables.map((one) => variableLine(one, sends === 'results'))),
    before: before.map((each) => each.text ?? '').filter((each) => splitMagic(each).script !== ''),
    code: own.script,
    error,
  };
  return messagesFor(body, facts);
}

type Line = z.infer<typeof assistantLine>;

/** Yields the lines of an answer. A failure is its last line. */
async function* linesOf(
  { body: { task }, signal }: Request,
  context: ServerContext,
  messages: readonly ChatMessage[],
): AsyncGenerator<Line> {
  let whole = '';
  try {
    const pieces = streamAnswer(assistantOf(context), messages, signal);
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) {
        if (value) context.metrics.assistant(value);
        const isCode = task === 'write' || task === 'fix';
        yield {
          answer: isCode ? codeOf(whole) : whole.trim(),
          ...(value ? { tokens: value } : {}),
        };
        return;
      }
      whole += value;
      yield { text: value };
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal))
      context.log.error({ error: (error as Error).stack }, 'the assistant failed');
    yield { error: error instanceof Refusal ? error.message : 'The request failed on the server.' };
  }
}

export const assistantRest = {
  previewAssistant: async (request, context) => {
    const { model, url } = assistantOf(context);
    const messages = await messagesOf(request, context, true);
    return { model, host: new URL(url).host, messages };
  },
  askAssistant: async (request, context) => {
    const messages = await messagesOf(request, context, false);
    countQuestion(request.person, context);
    const text = async function* () {
      for await (const line of linesOf(request, context, messages))
        yield `${JSON.stringify(line)}\n`;
    };
    const lines = Readable.toWeb(Readable.from(text())) as ReadableStream<Uint8Array>;
    return new Response(lines, {
      headers: { 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' },
    });
  },
} satisfies Partial<RestHandlers>;
