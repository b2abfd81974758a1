/** Paragraphs, their forms and their runs. */
import { isRunning, magicOf, splitMagic } from '@tiding/client/model';
import {
  checkSeen,
  type ParagraphContent,
  paragraphCommit,
  paragraphInsertion,
  paragraphJob,
  paragraphMove,
  paragraphOf,
  paragraphRemoval,
  runContents,
  runGrowth,
  runnableContent,
} from '@tiding/client/notebook';
import type { Completion, EndpointName, Results } from '@tiding/client/protocol';
import { shownName } from '../../auth/embed-access.ts';
import { Refusal } from '../../base/errors.ts';
import { parseUntrustedJson } from '../../base/json.ts';
import type { Interpreter, Run } from '../../interpreters/contract.ts';
import { python } from '../../interpreters/python/python.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import { mayUseInterpreter } from '../../run/embed-interpreters.ts';
import type { Caller } from '../../run/pool.ts';
import type {
  LiveHandlers,
  LiveRequest,
  RestHandlers,
  RestRequest,
  ServerContext,
} from '../context.ts';
import { reportConflict } from './note-operations.ts';
import { withRight } from './notes.ts';
import { restParagraph } from './rest-paragraph.ts';

const runnable = (
  note: StoredNote,
  paragraph: StoredParagraph,
  content: ParagraphContent,
  { person, connection }: Pick<LiveRequest<'RUN_PARAGRAPH'>, 'person' | 'connection'>,
  { permissions, editor }: ServerContext,
): ParagraphContent =>
  runnableContent(
    paragraph,
    editor.seen.based(connection, paragraph, content),
    permissions.has(person, note.id, 'writer'),
    () => permissions.require(person, note.id, 'writer'),
  );

/** Asks the interpreter of a text for its editor; not in variants without completion. */
async function askInterpreter<Answer>(
  { data, noteId, person }: LiveRequest<'COMPLETION' | 'TIDING_INSPECT'>,
  { pool, notes }: ServerContext,
  question: (
    instance: Interpreter,
    script: string,
    cursor: number,
    caller: Caller & Pick<Run, 'variant'>,
  ) => Promise<Answer> | undefined,
): Promise<Answer | undefined> {
  const { magic, options, scriptOffset } = splitMagic(data.buf);
  const spec = pool.lookup.find(magic, notes.get(noteId), options);
  if (!spec || !mayUseInterpreter(person.embed, spec.name)) return undefined;
  const { variant } = spec;
  if (variant !== undefined && !spec.editor.completionSupport) return undefined;
  // Keep trailing spaces: after one, a new word begins.
  const script = data.buf.slice(scriptOffset);
  const cursor = Math.min(data.cursor - scriptOffset, script.length);
  const caller = { noteId, principal: person.principal, variant };
  return pool.ask(spec, caller, (instance) => question(instance, script, cursor, caller));
}

async function complete(
  request: LiveRequest<'COMPLETION'>,
  context: ServerContext,
): Promise<Completion[]> {
  const { data, person } = request;
  const { magic, scriptOffset } = splitMagic(data.buf);
  if (data.cursor < scriptOffset && magic !== undefined) {
    return context.pool
      .settings()
      .filter(({ name }) => mayUseInterpreter(person.embed, name))
      .map(({ name }) => ({ name, value: name, meta: 'setting' }));
  }
  const found = await askInterpreter(request, context, (instance, script, cursor, caller) =>
    instance.complete?.(script, cursor, caller),
  );
  return found ?? [];
}

/**
 * Returns the ruff that checks a text: a path, '' for the installed one, or undefined if the text
 * is not Python or ruff is turned off.
 */
function ruffFor(note: StoredNote, text: string, { pool, settings }: ServerContext) {
  const { magic, options } = splitMagic(text);
  const found = pool.lookup.find(magic, note, options);
  if (found?.editor.language !== 'python') return undefined;
  // Kernels of Python and PySpark have no such property.
  const property = (id: string) => settings.get(id)?.properties['python.ruff']?.value;
  const configured = String(property(found.name) ?? property(python.name) ?? '').trim();
  return configured === 'none' ? undefined : configured;
}

export const paragraphsLive = {
  RUN_PARAGRAPH: (request, context) =>
    reportConflict(request, context, async () => {
      const note = context.notes.get(request.noteId);
      const paragraph = paragraphOf(note, request.data.id);
      const content = runnable(note, paragraph, request.data, request, context);
      await runAndGrow(note, paragraph, content, request, context);
    }),
  RUN_ALL_PARAGRAPHS: (request, context) =>
    reportConflict(request, context, async () => {
      const { data, noteId, person, connection } = request;
      const { notes, runs, editor } = context;
      const note = notes.get(noteId);
      const contents = runContents(
        note,
        data.paragraphs,
        parseUntrustedJson,
        (paragraph, content) => runnable(note, paragraph, content, request, context),
      );
      runs.startNote(note, contents, { ...person, address: connection.address });
      // The next edit of a page that names no base continues from the texts that it has sent here,
      // so they are saved before their turn comes.
      await Promise.all(
        [...contents].map(([id, content]) => {
          if (content.paragraph === undefined || content.author !== undefined) return undefined;
          contents.set(id, { ...content, paragraph: undefined, baseRev: undefined });
          if (content.paragraph === paragraphOf(note, id).text) return undefined;
          const change = paragraphCommit(note, id, content, shownName(person), editor.rules);
          return editor.make(note, change);
        }),
      );
    }),
  CANCEL_PARAGRAPH: async ({ data, noteId }, { notes, editor, runs }) => {
    const note = notes.get(noteId);
    const paragraph = paragraphOf(note, data.id);
    if (isRunning(paragraph.status)) await runs.cancel(note, data.id);
    else editor.sendParagraph(note, paragraph);
  },
  PARAGRAPH_REMOVE: ({ data, noteId }, context) =>
    remove(context.notes.get(noteId), data.id, context, data.rev),
  COMPLETION: async (request, context) => {
    // The text of a completion request is not an edit and is not written to the note.
    const completions = await complete(request, context);
    context.hub.send(request.connection, 'COMPLETION_LIST', { id: request.data.id, completions });
  },
  TIDING_INSPECT: async (request, context) => {
    const { id, buf, cursor, hover } = request.data;
    const text =
      cursor < splitMagic(buf).scriptOffset
        ? undefined
        : await askInterpreter(request, context, (instance, script, at, caller) =>
            caller.variant === undefined
              ? instance.inspect?.(script, at, hover === true)
              : undefined,
          );
    context.hub.send(request.connection, 'TIDING_INSPECTION', { id, text });
  },
  EDITOR_SETTING: ({ data, connection, noteId, person }, { pool, notes, hub, permissions }) => {
    const magic = data.paragraphText === undefined ? data.magic : magicOf(data.paragraphText);
    if (noteId !== '') permissions.require(person, noteId, 'reader');
    const note = notes.find(noteId);
    const spec = note && pool.lookup.find(magic || undefined, note);
    hub.send(connection, 'EDITOR_SETTING', {
      paragraphId: data.paragraphId,
      editor: spec?.editor ?? { language: 'text', editOnDblClick: false },
    });
  },
} satisfies Partial<LiveHandlers>;

/**
 * Runs a paragraph. As in Zeppelin, running the last one adds an empty paragraph with the same
 * magic below it.
 */
async function runAndGrow(
  note: StoredNote,
  paragraph: StoredParagraph,
  content: ParagraphContent,
  request: LiveRequest<'RUN_PARAGRAPH'>,
  { runs, editor }: ServerContext,
): Promise<void> {
  // A page that may not change the note must not add a paragraph.
  const last =
    note.paragraphs.at(-1) === paragraph &&
    (!request.person.embed ||
      (request.person.embed.scope === 'edit' && request.person.embed.paragraphId === undefined));
  await runs.start(
    note,
    paragraph.id,
    content,
    { ...request.person, address: request.connection.address },
    request.msgId,
  );
  const growth = last && runGrowth(note, paragraph, shownName(request.person), editor.rules);
  if (growth) await editor.make(note, growth);
}

/** Removes a paragraph after stopping its run. */
async function remove(
  note: StoredNote,
  id: string,
  { editor, runs }: ServerContext,
  rev?: number,
): Promise<void> {
  checkSeen(paragraphOf(note, id), rev);
  if (note.paragraphs.length > 1) await runs.cancel(note, id);
  await editor.make(note, paragraphRemoval(note, id, editor.rules, rev));
}

/** Saves an edit that a REST call makes. */
async function commit(
  { params, person }: Pick<RestRequest<EndpointName>, 'params' | 'person'>,
  content: ParagraphContent,
  context: ServerContext,
): Promise<StoredParagraph> {
  const { editor } = context;
  const note = withRight(params, person, 'writer', context);
  const id = params['paragraphId'] ?? '';
  await editor.make(note, paragraphCommit(note, id, content, shownName(person), editor.rules));
  return paragraphOf(note, id);
}

const jobState = (note: StoredNote, paragraph: StoredParagraph, { runs }: ServerContext) =>
  paragraphJob(paragraph, runs.progress(note, paragraph));

/**
 * Starts a run. As in a Zeppelin, a call without values for its forms joins the current run; with
 * values, it is refused.
 */
async function startOrJoin(
  { params, body, person, address }: RestRequest<'runParagraph'> | RestRequest<'startParagraph'>,
  context: ServerContext,
) {
  const note = withRight(params, person, 'runner', context);
  const paragraph = paragraphOf(note, params['paragraphId'] ?? '');
  const by = { ...person, address };
  const given = body?.params ? { params: body.params } : {};
  const running = body?.params ? undefined : context.runs.endOf(note, paragraph.id);
  const end = running ?? (await context.runs.start(note, paragraph.id, given, by)).end;
  return { paragraph, end };
}

export const paragraphsRest = {
  runNote: async ({ params, body, query, person, address }, context) => {
    const note = withRight(params, person, 'runner', context);
    const given = body?.params;
    const { end } = context.runs.startNote(
      note,
      new Map(given ? note.paragraphs.map(({ id }) => [id, { params: given }]) : []),
      { ...person, address },
    );
    if (query.get('blocking') === 'true') await end;
  },
  stopNote: async ({ params, person }, context) =>
    context.runs.cancelNote(withRight(params, person, 'runner', context)),
  noteJob: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const paragraphs = note.paragraphs.map((paragraph) => jobState(note, paragraph, context));
    // Tools for 0.8 and earlier read the list alone.
    if (/^0\.[0-8]\./.test(context.options.zeppelinVersion)) return paragraphs;
    return {
      id: note.id,
      isRunning:
        context.runs.isSequential(note.id) ||
        note.paragraphs.some(({ status }) => isRunning(status)),
      paragraphs,
    };
  },
  paragraphJob: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    return jobState(note, paragraphOf(note, params['paragraphId'] ?? ''), context);
  },
  startParagraph: async (request, context) => {
    await startOrJoin(request, context);
  },
  stopParagraph: async ({ params, person }, context) => {
    const note = withRight(params, person, 'runner', context);
    paragraphOf(note, params['paragraphId'] ?? '');
    await context.runs.cancel(note, params['paragraphId'] ?? '');
  },
  runParagraph: async (request, context): Promise<Results> => {
    const { paragraph, end } = await startOrJoin(request, context);
    await end;
    return paragraph.results ?? { code: 'SUCCESS', msg: [] };
  },
  insertParagraph: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    const insertion = paragraphInsertion(
      note,
      body.index ?? note.paragraphs.length,
      {
        user: shownName(person),
        text: body.text ?? '',
        ...(body.title ? { title: body.title } : {}),
        ...(body.config ? { config: body.config } : {}),
      },
      context.editor.rules,
    );
    await context.editor.make(note, insertion);
    return insertion.paragraph.id;
  },
  getParagraph: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const paragraph = paragraphOf(note, params['paragraphId'] ?? '');
    return restParagraph(note, paragraph, context);
  },
  checkCode: async ({ params, person, body: { text } }, context) => {
    const note = withRight(params, person, 'writer', context);
    paragraphOf(note, params['paragraphId'] ?? '');
    const configured = ruffFor(note, text, context);
    const program = configured === undefined ? undefined : await context.ruff.program(configured);
    if (program === undefined) return { ready: false, diagnostics: [] };
    return context.ruff.check(program, text).then(
      (diagnostics) => ({ ready: true, diagnostics }),
      (error: Error) => {
        context.log.warn({ reason: error.message }, 'ruff failed');
        return { ready: false, diagnostics: [] };
      },
    );
  },
  formatCode: async ({ params, person, body: { text } }, context) => {
    const note = withRight(params, person, 'writer', context);
    paragraphOf(note, params['paragraphId'] ?? '');
    const configured = ruffFor(note, text, context);
    if (configured === undefined)
      throw new Refusal(404, 'Only Python can be formatted, unless ruff is turned off.');
    const program = await context.ruff.program(configured);
    if (program === undefined)
      throw new Refusal(
        409,
        'Ruff, which formats code, is being installed. Try again in a minute.',
      );
    return context.ruff.format(program, text).then(
      (formatted) => ({ text: formatted }),
      ({ message }: Error) => {
        throw new Refusal(400, message);
      },
    );
  },
  updateParagraph: async (request, context) => {
    const { text, title } = request.body;
    await commit(request, { paragraph: text, title }, context);
  },
  configureParagraph: async (request, context) => {
    if (Object.keys(request.body).length === 0)
      throw new Refusal(400, 'paragraph config cannot be empty');
    const paragraph = await commit(request, { config: request.body }, context);
    return restParagraph(context.notes.get(request.params['noteId'] ?? ''), paragraph, context);
  },
  moveParagraph: async ({ params, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    const move = paragraphMove(note, params['paragraphId'] ?? '', Number(params['index']));
    await context.editor.make(note, move);
  },
  deleteParagraph: async ({ params, person }, context) => {
    await remove(
      withRight(params, person, 'writer', context),
      params['paragraphId'] ?? '',
      context,
    );
  },
} satisfies Partial<RestHandlers>;
