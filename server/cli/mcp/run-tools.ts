/** Tools that run notes and paragraphs. */
import {
  isTidingError,
  type Note,
  outputText,
  type Paragraph,
  type Run,
  type RunEvent,
  type RunResult,
} from '@tiding/client';
import {
  codeForms,
  formSource,
  normalizeForm,
  paramsFor,
  substituteForms,
  textForms,
  textWithForms,
} from '@tiding/client/model';
import type { Form, JsonObject } from '@tiding/client/protocol';
import { envelopeOf } from '@tiding/client/widgets';
import { z } from 'zod';
import { headingIn, headingOf } from '../heading.ts';
import { paragraphForms } from './markdown.ts';
import { noteArgument, paragraphArgument, paragraphIn, withNote } from './notes.ts';
import { cut, isTable, markdownPage, readPage, tablePage } from './table.ts';
import { defineTool, type Tool, type ToolContext, ToolError } from './tool.ts';

/** Characters of each text output in the answer of a run. */
const RUN_TEXT = 10_000;
/** Outputs in the answer of a run. */
const MAX_OUTPUTS = 50;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const runArguments = {
  params: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .default({})
    .describe('Values of forms by name; a list for check boxes. read_note lists the forms.'),
  timeout_seconds: z
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe('The run is cancelled on the server if it takes longer.'),
  rows: z.int().min(1).max(200).default(20).describe('Maximum number of rows of each table.'),
};

const runOutput = z.object({
  output: z.number(),
  type: z.string(),
  table: z.object(tablePage).optional(),
  text: z.string().optional(),
  more: z.string().optional().describe('How to get the rest.'),
});
const runAnswer = z.object({
  note: z.string(),
  path: z.string(),
  status: z.enum(['FINISHED', 'ERROR', 'ABORT']),
  took_ms: z.number(),
  paragraphs: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      error: z.string().optional(),
      outputs: z.array(runOutput),
    }),
  ),
});
type RunAnswer = z.infer<typeof runAnswer>;
type Params = Record<string, z.infer<typeof scalar> | z.infer<typeof scalar>[]>;

/** Returns the forms of paragraphs and of their note, by name. */
function formsIn(paragraphs: readonly Paragraph[]): Readonly<Record<string, Form>> {
  return Object.assign(
    {},
    ...paragraphs.flatMap(({ text, state }) => [
      textForms(formSource({ ...state.server, text })).noteForms,
      paragraphForms({ ...state.server, text }),
    ]),
  ) as Readonly<Record<string, Form>>;
}

/**
 * Refuses values that don't have the type of their form or are not among its choices. The client
 * would replace them by the default.
 */
function checkParams(params: Params, forms: Readonly<Record<string, Form>>): void {
  for (const [name, value] of Object.entries(params)) {
    // The client knows forms that only exist in code, and lists the others.
    if (!Object.hasOwn(forms, name)) continue;
    const { options, defaultValue, type } = normalizeForm(forms[name]!);
    const given = [value].flat();
    if (options && options.length > 0) {
      const choices = options.map((option) => option.value);
      const wrong = given.find(
        (each) => !choices.some((choice) => String(choice) === String(each)),
      );
      if (wrong !== undefined)
        throw new ToolError(
          `The form '${name}' has no choice '${wrong}'. Its choices are ` +
            `${cut(choices.map(String).join(', '), 1_000)}.`,
        );
    }
    if (Array.isArray(value) && type !== 'CheckBox')
      throw new ToolError(`The form '${name}' has one value: pass it without a list.`);
    if (typeof defaultValue === 'number' && !Number.isFinite(Number(value)))
      throw new ToolError(`The form '${name}' needs a number, not '${String(value)}'.`);
    if (typeof defaultValue === 'boolean' && !['true', 'false'].includes(String(value)))
      throw new ToolError(`The form '${name}' needs true or false, not '${String(value)}'.`);
  }
}

/**
 * Returns the code of paragraphs as it will run, with the values of its forms, and the values of
 * forms that the code itself creates. Stored passwords stay hidden.
 */
function codeToRun(note: Note, chosen: readonly Paragraph[], params: Params): string {
  const shown = (stored: JsonObject, given: JsonObject, forms: Readonly<Record<string, Form>>) => {
    const secret = Object.entries(forms)
      .filter(
        ([name, form]) => Object.hasOwn(stored, name) && normalizeForm(form).type === 'Password',
      )
      .map(([name]) => [name, '(hidden)']);
    return { ...stored, ...Object.fromEntries(secret), ...given } as JsonObject;
  };
  return chosen
    .map(({ text, state }) => {
      const { settings } = state.server;
      const source = formSource({ ...state.server, text });
      const inText = textForms(source);
      const values = shown(
        settings?.params ?? {},
        paramsFor(source, params) as JsonObject,
        paragraphForms({ ...state.server, text }),
      );
      const created = { ...codeForms(source), ...paramsFor(source, params) };
      const lines = Object.keys(created)
        .filter((name) => !Object.hasOwn(inText.forms, name) && Object.hasOwn(values, name))
        .map((name) => `${name} = ${JSON.stringify(values[name])}`);
      const ofNote = shown(note.state.params, params, inText.noteForms);
      const code =
        textWithForms(text, source.language) === '' ? text : substituteForms(text, values, ofNote);
      return [code, ...lines].join('\n');
    })
    .join('\n\n');
}

/** Follows a run and reports its progress in percent of all its paragraphs. */
async function follow(
  run: AsyncIterable<RunEvent>,
  note: Note,
  count: number,
  { progress }: ToolContext,
): Promise<void> {
  const done = new Set<string>();
  let reported = -1;
  for await (const event of run) {
    if (event.type === 'result') done.add(event.paragraphId);
    else if (event.type !== 'progress' && event.type !== 'status') continue;
    const part = event.type === 'progress' && !done.has(event.paragraphId) ? event.progress : 0;
    const percent = Math.floor(Math.min(100, (done.size * 100 + part) / Math.max(1, count)));
    // Progress must grow with each notification.
    if (percent <= reported) continue;
    reported = percent;
    progress(percent, headingIn(note, event.paragraphId));
  }
}

async function outputsOf(
  note: Note,
  paragraph: Paragraph,
  rows: number,
  signal: AbortSignal,
): Promise<{ outputs: z.infer<typeof runOutput>[]; lines: string[] }> {
  const outputs: z.infer<typeof runOutput>[] = [];
  const lines: string[] = [];
  for (const [output, each] of paragraph.outputs.slice(0, MAX_OUTPUTS).entries()) {
    const { type } = each;
    const call = (tool: string) =>
      `call ${tool} with note "${note.id}", paragraph "${paragraph.id}", output ${output}`;
    if (isTable(each)) {
      const table = await readPage(paragraph, output, { offset: 0, limit: rows, signal });
      const left = table.total - table.rows.length;
      const more = left > 0 ? `${call('read_result')}, offset ${table.rows.length}` : undefined;
      outputs.push({ output, type, table, more });
      lines.push(markdownPage(table, more ?? ''));
      continue;
    }
    const text = outputText(each);
    const isShown = type === 'TEXT';
    const widget = type === 'HTML' ? envelopeOf(text.trim())?.widget : undefined;
    const more = isShown
      ? text.length > RUN_TEXT
        ? call('read_result')
        : undefined
      : widget === undefined
        ? call('read_result')
        : `call describe with note "${note.id}", paragraph "${paragraph.id}"`;
    const shown = isShown ? cut(text, RUN_TEXT, more === undefined ? '' : `: ${more}`) : undefined;
    outputs.push({ output, type, text: shown, more });
    lines.push(shown ?? `${widget ?? type} of ${text.length} characters: ${more}.`);
  }
  const left = paragraph.outputs.length - outputs.length;
  if (left > 0) lines.push(`${left} more results: call read_result with output ${MAX_OUTPUTS}.`);
  return { outputs, lines };
}

/** Runs, and returns the results in bounded form. */
async function perform(
  note: Note,
  chosen: readonly Paragraph[],
  start: (options: {
    params: Params;
    signal: AbortSignal;
    timeout: number;
  }) => Run<RunResult> | Run<RunResult[]>,
  args: { params: Params; timeout_seconds: number; rows: number },
  context: ToolContext,
): Promise<{ text: string; data: RunAnswer; failed: boolean }> {
  checkParams(args.params, formsIn(chosen));
  const code = codeToRun(note, chosen, args.params);
  const user = context.client.state.session.ticket?.principal ?? 'the signed-in user';
  await context.confirm(
    `Run ${chosen.length === 1 ? `the paragraph '${headingOf(chosen[0]!)}' of ` : ''}` +
      `'${note.path}' as ${user}?\n\n${code}`,
  );
  if (codeToRun(note, chosen, args.params) !== code)
    throw new ToolError(
      'The code or a value has changed meanwhile. Read the note and call the tool again.',
    );
  const began = performance.now();
  const timeout = args.timeout_seconds * 1_000;
  const run = start({ params: args.params, signal: context.signal, timeout });
  const results = Promise.resolve(run);
  results.catch(() => {});
  let ended: readonly RunResult[];
  try {
    await follow(run, note, chosen.length, context);
    ended = [await results].flat();
  } catch (error) {
    if (isTidingError(error, 'timeout') && performance.now() - began >= timeout)
      throw new ToolError(
        `The run did not finish within ${args.timeout_seconds} s and was cancelled on the ` +
          'server. Use a larger timeout_seconds.',
        'failed',
      );
    throw error;
  }
  const took = Math.round(performance.now() - began);
  const bad = ended.find(({ status }) => status === 'ERROR' || status === 'ABORT');
  const status = bad ? (bad.status as 'ERROR' | 'ABORT') : 'FINISHED';
  const lines = [`${note.path}: ${status} in ${took} ms.`];
  const paragraphs: RunAnswer['paragraphs'] = [];
  for (const result of ended) {
    const paragraph = note.paragraphs.find(({ id }) => id === result.paragraphId);
    if (!paragraph) continue;
    const title = headingOf(paragraph);
    const { outputs, lines: shown } = await outputsOf(note, paragraph, args.rows, context.signal);
    const error = result.error === undefined ? undefined : cut(result.error, RUN_TEXT);
    paragraphs.push({ id: paragraph.id, title, status: result.status, error, outputs });
    lines.push(`## ${title} (\`${paragraph.id}\`): ${result.status}`, ...shown);
    if (error !== undefined && !outputs.some(({ text }) => text?.includes(error)))
      lines.push(error);
  }
  if (paragraphs.length === 0) lines.push('There was nothing to run.');
  return {
    text: lines.join('\n\n'),
    data: { note: note.id, path: note.path, status, took_ms: took, paragraphs },
    failed: bad !== undefined,
  };
}

const sharedText =
  'Waits for the end and returns the status, texts and the first rows of tables. The result is ' +
  'stored in the note and visible to its readers. Cancelling the call cancels the run.';

/** Tools that run. */
export const runTools: readonly Tool[] = [
  defineTool({
    name: 'run_note',
    title: 'Run a note',
    description: `Runs all paragraphs of a note until the first failure. ${sharedText}`,
    grant: 'run',
    destructive: true,
    input: z.object({ note: noteArgument, ...runArguments }),
    output: runAnswer,
    call: (args, context) =>
      withNote(args.note, context, (note) =>
        perform(
          note,
          note.paragraphs.filter(({ state }) => state.server.config?.enabled !== false),
          (options) => note.run(options),
          args,
          context,
        ),
      ),
  }),
  defineTool({
    name: 'run_paragraph',
    title: 'Run a paragraph',
    description: `Runs one paragraph of a note. ${sharedText}`,
    grant: 'run',
    destructive: true,
    input: z.object({ note: noteArgument, paragraph: paragraphArgument, ...runArguments }),
    output: runAnswer,
    call: (args, context) =>
      withNote(args.note, context, (note) => {
        const paragraph = paragraphIn(note, args.paragraph, context);
        return perform(note, [paragraph], (options) => paragraph.run(options), args, context);
      }),
  }),
];
