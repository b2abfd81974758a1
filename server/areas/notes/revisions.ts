/** Checkpoints of notes, and the git remote that they are pushed to. */
import { isRunning, notebookText, toNotebook } from '@tiding/client/model';
import { HEAD_REVISION, NOT_SET, NOTHING_TO_COMMIT } from '@tiding/client/notebook';
import { endpoints } from '@tiding/client/protocol';
import { Refusal } from '../../base/errors.ts';
import { withOutputs } from '../../hub/output-parts.ts';
import { type StoredNote, wireNote } from '../../notes/note.ts';
import type { SyncWork } from '../../revisions/control.ts';
import type { LiveHandlers, RestHandlers, ServerContext } from '../context.ts';
import { addNote, withRight } from './notes.ts';

const busy =
  ({ runs }: ServerContext) =>
  (note: StoredNote): boolean =>
    runs.isSequential(note.id) || note.paragraphs.some(({ status }) => isRunning(status));

/** Returns a checkpoint of a note in wire format; `undefined` if it does not exist. */
async function versionOf(noteId: string, revisionId: string, { notes, revisions }: ServerContext) {
  const version = await revisions.read(notes.get(noteId), revisionId);
  return { note: version && wireNote(version) };
}

function restore(note: StoredNote, revisionId: string, context: ServerContext): Promise<boolean> {
  return context.revisions.restore(note, revisionId, () => busy(context)(note));
}

/**
 * Returns the notes that a synchronization in a user's name works on; `undefined` if they may not
 * configure the remote.
 */
export async function syncWork(
  principal: string,
  context: ServerContext,
): Promise<SyncWork | undefined> {
  const { revisions, notes, editor, users } = context;
  await users.refresh();
  const roles = users.get(principal)?.roles ?? [];
  const { access } = endpoints.setRevisionControl;
  if (!Array.isArray(access) || !access.some((role: string) => roles.includes(role)))
    return undefined;
  return {
    store: revisions.store,
    notes,
    editor,
    principal,
    isBusy: busy(context),
    add: async (note) => {
      await addNote(note, { principal, roles }, context);
      context.hub.broadcastLists();
    },
  };
}

export const revisionsLive = {
  CHECKPOINT_NOTE: async (
    { data, connection, person },
    { hub, notes, revisions, revisionControl },
  ) => {
    const note = notes.get(data.noteId);
    if (!(await revisions.checkpoint(note, data.commitMessage, person.principal)))
      throw new Refusal(409, NOTHING_TO_COMMIT);
    hub.send(connection, 'LIST_REVISION_HISTORY', { revisionList: await revisions.list(note) });
    await revisionControl.changed();
  },
  LIST_REVISION_HISTORY: async ({ data, connection }, { hub, notes, revisions }) =>
    hub.send(connection, 'LIST_REVISION_HISTORY', {
      revisionList: await revisions.list(notes.get(data.noteId)),
    }),
  NOTE_REVISION: async ({ data, connection }, context) => {
    const { noteId, revisionId } = data;
    const version = await versionOf(noteId, revisionId, context);
    await withOutputs(version.note ?? {}, () =>
      context.hub.send(connection, 'NOTE_REVISION', { noteId, revisionId, ...version }),
    );
  },
  NOTE_REVISION_FOR_COMPARE: async ({ data, connection }, context) => {
    const { noteId, revisionId, position } = data;
    if (position !== 'first' && position !== 'second')
      throw new Refusal(400, 'position must be "first" or "second".');
    const version = await versionOf(noteId, revisionId, context);
    const about = { noteId, revisionId, position };
    await withOutputs(version.note ?? {}, () =>
      context.hub.send(connection, 'NOTE_REVISION_FOR_COMPARE', { ...about, ...version }),
    );
  },
  SET_NOTE_REVISION: async ({ data, connection }, context) => {
    let done = false;
    try {
      done = await restore(context.notes.get(data.noteId), data.revisionId, context);
      if (!done) throw new Refusal(404, NOT_SET);
    } finally {
      context.hub.send(connection, 'SET_NOTE_REVISION', { status: done });
    }
  },
  CONVERT_NOTE_NBFORMAT: ({ data, connection }, { hub, notes }) => {
    const note = wireNote(notes.get(data.noteId));
    hub.send(connection, 'CONVERTED_NOTE_NBFORMAT', {
      nbformat: notebookText(toNotebook(note)),
      noteName: data.noteName ?? note.name,
    });
  },
} satisfies Partial<LiveHandlers>;

/** REST handlers for checkpoints and the remote. */
export const revisionsRest = {
  listRevisions: ({ params, person }, context) =>
    context.revisions.list(withRight(params, person, 'reader', context)),
  checkpointNote: async ({ params, body, person }, context) => {
    const revision = await context.revisions.checkpoint(
      withRight(params, person, 'writer', context),
      body.commitMessage,
      person.principal,
    );
    if (!revision) throw new Refusal(409, NOTHING_TO_COMMIT);
    await context.revisionControl.changed();
    return revision;
  },
  getRevision: async ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    const { note: version } = await versionOf(
      note.id,
      params['revisionId'] ?? HEAD_REVISION,
      context,
    );
    if (!version) throw new Refusal(404, `No such revision: ${params['revisionId']}`);
    return version;
  },
  setRevision: async ({ params, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    if (!(await restore(note, params['revisionId'] ?? '', context)))
      throw new Refusal(404, `No such revision: ${params['revisionId']}`);
  },
  getRevisionControl: (_, { revisionControl }) => revisionControl.get(),
  setRevisionControl: async ({ body, person, setStatus }, context) => {
    const { revisionControl, log } = context;
    const blank = [body.remoteUrl, body.userName, body.accessToken].every(
      (field) => field === undefined,
    );
    log.info(
      { event: 'revision-control', principal: person.principal, removed: blank },
      'revision control settings changed',
    );
    if (blank) {
      await revisionControl.remove();
      return {};
    }
    await revisionControl.set(body, person.principal);
    setStatus(202);
    return {};
  },
  syncRevisions: async ({ person, setStatus }, { revisionControl }) => {
    await revisionControl.request(person.principal);
    setStatus(202);
    return {};
  },
} satisfies Partial<RestHandlers>;
