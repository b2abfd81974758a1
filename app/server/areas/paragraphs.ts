/** Paragraphs, their forms and their runs. */
import { isRunning, magicOf, splitMagic, TextConflict } from 'tiding/model';
import { bag, paragraphConfig, type Bag, type Results } from 'tiding/protocol';
import type { LiveHandlers, LiveRequest, RestHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { parse } from '../json.ts';
import type { Content } from '../notes/editor.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import { withRight } from './notes.ts';

/** A text that does not merge: its author alone is told, with both texts' whereabouts; nothing was written. */
export async function orConflict(
  request: Pick<LiveRequest<'COMMIT_PARAGRAPH'>, 'connection' | 'noteId' | 'msgId'>,
  { hub }: ServerContext,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    const { paragraph, baseText } = error;
    hub.tell(
      request.connection,
      'PARAGRAPH_CONFLICT',
      {
        id: paragraph.id,
        noteId: request.noteId,
        rev: paragraph.rev,
        text: paragraph.text,
        baseText,
      },
      request.msgId,
    );
  }
}

/** Who may run but not write runs what is stored; another text would be an edit. */
function runnable(
  note: StoredNote,
  paragraph: StoredParagraph,
  content: Content,
  { person }: Pick<LiveRequest<'RUN_PARAGRAPH'>, 'person'>,
  { permissions }: ServerContext,
): Content {
  if (permissions.has(person, note.id, 'writer')) return content;
  if (content.paragraph !== undefined && content.paragraph !== paragraph.text)
    permissions.require(person, note.id, 'writer');
  return content.params ? { params: content.params } : {};
}

function complete(
  { data, noteId, person }: LiveRequest<'COMPLETION'>,
  { pool, notes }: ServerContext,
) {
  const { magic, scriptOffset } = splitMagic(data.buf);
  // With the blanks at its end: behind one another word begins.
  const script = data.buf.slice(scriptOffset);
  if (data.cursor < scriptOffset && magic !== undefined) {
    return pool.settings().map(({ name }) => ({ name, value: name, meta: 'setting' }));
  }
  const spec = pool.find(magic, notes.get(noteId));
  return spec
    ? pool.complete(
        spec,
        { noteId, principal: person.principal },
        script,
        Math.min(data.cursor - scriptOffset, script.length),
      )
    : [];
}

/** Live operations. */
export const paragraphsLive = {
  COMMIT_PARAGRAPH: (request, context) =>
    orConflict(request, context, () =>
      context.editor.commit(
        context.notes.get(request.noteId),
        request.data.id,
        request.data,
        request.person.principal,
        request.msgId,
      ),
    ),
  RUN_PARAGRAPH: (request, context) =>
    orConflict(request, context, () => {
      const note = context.notes.get(request.noteId);
      const paragraph = context.editor.paragraph(note, request.data.id);
      return runAndGrow(
        note,
        paragraph,
        runnable(note, paragraph, request.data, request, context),
        request,
        context,
      );
    }),
  RUN_ALL_PARAGRAPHS: ({ data, noteId, person, connection: { address } }, context) => {
    const note = context.notes.get(noteId);
    const contents = new Map<string, Content>();
    const wanted = contentsOf(data.paragraphs);
    for (const entry of wanted) {
      const paragraph = note.paragraphs.find(({ id }) => id === entry['id']);
      if (paragraph)
        contents.set(
          paragraph.id,
          runnable(note, paragraph, readContent(entry), { person }, context),
        );
    }
    if (wanted.length > 0 && contents.size === 0)
      throw new Refusal(404, 'none of these paragraphs is in the note');
    context.runs.startNote(note, contents, { ...person, address });
  },
  CANCEL_PARAGRAPH: async ({ data, noteId }, { notes, editor, runs }) => {
    const note = notes.get(noteId);
    const paragraph = editor.paragraph(note, data.id);
    if (isRunning(paragraph.status)) await runs.cancel(note, data.id);
    else editor.tell(note, paragraph);
  },
  INSERT_PARAGRAPH: async ({ data, noteId, person }, { notes, editor }) => {
    await editor.insert(
      notes.get(noteId),
      data.index,
      { user: person.principal, ...(data.config ? { config: data.config as Bag } : {}) },
      true,
    );
  },
  COPY_PARAGRAPH: async ({ data, noteId, person, msgId }, { notes, editor }) => {
    const note = notes.get(noteId);
    const paragraph = await editor.insert(note, data.index, {
      user: person.principal,
      text: data.paragraph ?? '',
      ...(data.title ? { title: data.title } : {}),
      ...(data.config ? { config: data.config as Bag } : {}),
      ...(data.params ? { params: data.params } : {}),
    });
    editor.tell(note, paragraph, msgId);
  },
  MOVE_PARAGRAPH: ({ data, noteId }, { notes, editor }) =>
    editor.move(notes.get(noteId), data.id, data.index),
  PARAGRAPH_REMOVE: ({ data, noteId }, context) =>
    remove(context.notes.get(noteId), data.id, context, data.rev),
  PARAGRAPH_CLEAR_OUTPUT: async ({ data, noteId, msgId }, { notes, editor }) => {
    const note = notes.get(noteId);
    await clear(note, editor.paragraph(note, data.id), editor, msgId);
  },
  COMPLETION: async (request, context) => {
    // The text of a completion request is not an edit: it is not written to the note.
    const completions = await complete(request, context);
    context.hub.tell(request.connection, 'COMPLETION_LIST', { id: request.data.id, completions });
  },
  EDITOR_SETTING: ({ data, connection, noteId, person }, { pool, notes, hub, permissions }) => {
    const magic = data.paragraphText === undefined ? data.magic : magicOf(data.paragraphText);
    // A note that may not be read says nothing of its interpreters either.
    const note = permissions.has(person, noteId, 'reader') ? notes.find(noteId) : undefined;
    const spec = note && pool.find(magic || undefined, note);
    hub.tell(connection, 'EDITOR_SETTING', {
      paragraphId: data.paragraphId,
      editor: spec?.editor ?? { language: 'text', editOnDblClick: false },
    });
  },
  SAVE_NOTE_FORMS: async ({ data }, { notes, hub, editor }) => {
    const note = notes.get(data.noteId);
    await editor.change(note, [], () => (note.noteParams = data.noteParams));
    hub.tellNote(note.id, 'SAVE_NOTE_FORMS', {
      formsData: { params: note.noteParams, forms: note.noteForms },
    });
  },
  REMOVE_NOTE_FORMS: async ({ data }, { notes, hub, editor }) => {
    const note = notes.get(data.noteId);
    const without = <V>(values: Record<string, V>) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => name !== data.formName));
    await editor.change(note, [], () =>
      Object.assign(note, {
        noteForms: without(note.noteForms),
        noteParams: without(note.noteParams),
      }),
    );
    hub.tellNote(note.id, 'SAVE_NOTE_FORMS', {
      formsData: { params: note.noteParams, forms: note.noteForms },
    });
  },
} satisfies Partial<LiveHandlers>;

/** Running the last paragraph adds an empty one below with the same magic, as upstream does. */
async function runAndGrow(
  note: StoredNote,
  paragraph: StoredParagraph,
  content: Content,
  request: LiveRequest<'RUN_PARAGRAPH'>,
  { runs, editor }: ServerContext,
): Promise<void> {
  // A page that may not change the note does not make it grow.
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
  if (last && paragraph.text.trim() !== '')
    await editor.insert(note, note.paragraphs.length, { user: request.person.principal }, true);
}

async function clear(
  note: StoredNote,
  paragraph: StoredParagraph,
  editor: ServerContext['editor'],
  msgId?: string,
): Promise<void> {
  if (isRunning(paragraph.status)) throw new Refusal(409, 'the paragraph is running');
  await editor.change(note, [paragraph], () => editor.clearOutputs([paragraph]));
  editor.tell(note, paragraph, msgId);
}

/** Removes a paragraph; its run is stopped first. */
async function remove(
  note: StoredNote,
  id: string,
  { editor, runs }: ServerContext,
  rev?: number,
): Promise<void> {
  editor.checkSeen(editor.paragraph(note, id), rev);
  if (note.paragraphs.length > 1) await runs.cancel(note, id);
  await editor.remove(note, id, rev);
}

function contentsOf(paragraphs: string | Bag[] | undefined): Bag[] {
  if (paragraphs === undefined || Array.isArray(paragraphs)) return paragraphs ?? [];
  const list = parse(paragraphs);
  if (!Array.isArray(list)) throw new Refusal(400, 'paragraphs is not the JSON text of a list');
  return list.filter((entry): entry is Bag => typeof entry === 'object' && entry !== null);
}

function readContent(entry: Bag): Content {
  const text = (key: string) => (typeof entry[key] === 'string' ? { [key]: entry[key] } : {});
  const object = (key: string, schema: typeof paragraphConfig | typeof bag) => {
    const parsed = schema.safeParse(entry[key]);
    return parsed.success ? { [key]: parsed.data } : {};
  };
  const number = (key: string) => (Number.isSafeInteger(entry[key]) ? { [key]: entry[key] } : {});
  return {
    ...text('title'),
    ...text('paragraph'),
    ...text('author'),
    ...number('baseRev'),
    ...number('authorSeq'),
    ...object('config', paragraphConfig),
    ...object('params', bag),
  };
}

const jobState = (note: StoredNote, paragraph: StoredParagraph, { runs }: ServerContext) => ({
  id: paragraph.id,
  status: paragraph.status,
  progress: String(runs.progress(note, paragraph.id)),
  ...(paragraph.dateStarted ? { started: paragraph.dateStarted } : {}),
  ...(paragraph.dateFinished ? { finished: paragraph.dateFinished } : {}),
});

/** REST calls. */
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
    return note.paragraphs.map((paragraph) => jobState(note, paragraph, context));
  },
  paragraphJob: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    return jobState(note, context.editor.paragraph(note, params['paragraphId'] ?? ''), context);
  },
  startParagraph: async ({ params, body, person, address }, context) => {
    const note = withRight(params, person, 'runner', context);
    await context.runs.start(
      note,
      params['paragraphId'] ?? '',
      body?.params ? { params: body.params } : {},
      { ...person, address },
    );
  },
  stopParagraph: async ({ params, person }, context) => {
    const note = withRight(params, person, 'runner', context);
    context.editor.paragraph(note, params['paragraphId'] ?? '');
    await context.runs.cancel(note, params['paragraphId'] ?? '');
  },
  runParagraph: async ({ params, body, person, address, setStatus }, context): Promise<Results> => {
    const note = withRight(params, person, 'runner', context);
    const paragraph = context.editor.paragraph(note, params['paragraphId'] ?? '');
    const run = await context.runs.start(
      note,
      paragraph.id,
      body?.params ? { params: body.params } : {},
      { ...person, address },
    );
    await run.end;
    if (paragraph.status === 'ERROR') setStatus(500);
    return paragraph.results ?? { code: 'SUCCESS', msg: [] };
  },
  insertParagraph: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    const paragraph = await context.editor.insert(note, body.index ?? note.paragraphs.length, {
      user: person.principal,
      text: body.text ?? '',
      ...(body.title ? { title: body.title } : {}),
      ...(body.config ? { config: body.config } : {}),
    });
    return paragraph.id;
  },
  getParagraph: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const paragraph = context.editor.paragraph(note, params['paragraphId'] ?? '');
    // Programs of the newer generation wait with it, and fail where it is absent.
    return { ...paragraph, progress: context.runs.progress(note, paragraph.id) };
  },
  updateParagraph: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    await context.editor.commit(
      note,
      params['paragraphId'] ?? '',
      { paragraph: body.text, title: body.title },
      person.principal,
    );
  },
  configureParagraph: async ({ params, body, person }, context) => {
    if (Object.keys(body).length === 0) throw new Refusal(400, 'paragraph config cannot be empty');
    const note = withRight(params, person, 'writer', context);
    return context.editor.commit(
      note,
      params['paragraphId'] ?? '',
      { config: body },
      person.principal,
    );
  },
  moveParagraph: async ({ params, person }, context) => {
    await context.editor.move(
      withRight(params, person, 'writer', context),
      params['paragraphId'] ?? '',
      Number(params['index']),
    );
  },
  deleteParagraph: async ({ params, person }, context) => {
    await remove(
      withRight(params, person, 'writer', context),
      params['paragraphId'] ?? '',
      context,
    );
  },
} satisfies Partial<RestHandlers>;
