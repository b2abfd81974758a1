/** Live operations on the list of notes, on folders and on whole notes. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open, received, sent } from './define.ts';
import { note, noteConfig, noteInfo, revision } from './objects.ts';
import { roleAdmin } from './rest/roles.ts';

const byId = open({ id: z.string() });

/** Operations on notes and folders. The `id` of a folder operation is the folder's path. */
export const notesOperations = {
  sent: {
    LIST_NOTES: sent(open({}), { idempotent: true }),
    RELOAD_NOTES_FROM_REPO: sent(open({}), { idempotent: true, access: roleAdmin }),
    /**
     * With `inPieces`, a Tiding server sends long outputs after the first ones behind the note, in
     * one PARAGRAPH each.
     */
    GET_NOTE: sent(open({ id: z.string(), inPieces: maybe(z.boolean()) }), {
      right: 'reader',
      idempotent: true,
      embed: ['results', 'any'],
      noteField: 'id',
      sample: { id: '$note' },
    }),
    /**
     * Since Zeppelin 0.10 (0.9.0 answers with an error). The Tiding server answers it like
     * GET_NOTE.
     */
    RELOAD_NOTE: sent(byId, {
      right: 'reader',
      idempotent: true,
      since: '0.9.1',
      embed: ['results', 'any'],
      noteField: 'id',
      sample: { id: '$note' },
    }),
    GET_HOME_NOTE: sent(open({}), { idempotent: true }),
    /**
     * The fork reads `defaultInterpreterId` (a setting id), Zeppelin `defaultInterpreterGroup`;
     * send both.
     */
    NEW_NOTE: sent(
      open({
        name: maybe(z.string()),
        defaultInterpreterId: maybe(z.string()),
        defaultInterpreterGroup: maybe(z.string()),
      }),
      { sample: { name: 'Reports/Weekly' } },
    ),
    DEL_NOTE: sent(byId, {
      right: 'owner',
      audit: 'note-deleted',
      noteField: 'id',
      verb: 'remove',
      sample: { id: '$note' },
    }),
    REMOVE_FOLDER: sent(byId, { audit: 'note-deleted', sample: { id: 'folder' } }),
    /**
     * Zeppelin clones the note that the socket has open, whatever `id` says. The Tiding server
     * clones the note that is named.
     */
    CLONE_NOTE: sent(open({ id: z.string(), name: maybe(z.string()) }), {
      right: 'reader',
      noteField: 'id',
      sample: { id: '$note', name: 'clone' },
    }),
    IMPORT_NOTE: sent(open({ note: jsonObject }), {
      sample: { note: { name: 'Reports/Weekly', paragraphs: [] } },
    }),
    /**
     * Replaces the whole `config`; without `config` the message is ignored. Always send the current
     * name.
     */
    NOTE_UPDATE: sent(
      open({ id: z.string(), name: maybe(z.string()), config: maybe(noteConfig) }),
      {
        right: 'writer',
        noteField: 'id',
        verb: 'update',
        sample: { id: '$note', name: 'x', config: {} },
      },
    ),
    NOTE_RENAME: sent(open({ id: z.string(), name: z.string(), relative: maybe(z.boolean()) }), {
      right: 'owner',
      noteField: 'id',
      verb: 'rename',
      sample: { id: '$note', name: 'x' },
    }),
    FOLDER_RENAME: sent(open({ id: z.string(), name: z.string() }), {
      sample: { id: 'folder', name: 'renamed' },
    }),
    UPDATE_PERSONALIZED_MODE: sent(open({ id: z.string(), personalized: z.string() }), {
      right: 'owner',
      noteField: 'id',
      sample: { id: '$note', personalized: 'true' },
    }),
    MOVE_NOTE_TO_TRASH: sent(byId, {
      right: 'owner',
      noteField: 'id',
      verb: 'move to trash',
      sample: { id: '$note' },
    }),
    MOVE_FOLDER_TO_TRASH: sent(byId, { sample: { id: 'folder' } }),
    RESTORE_NOTE: sent(byId, {
      right: 'owner',
      noteField: 'id',
      verb: 'restore',
      sample: { id: '$note' },
    }),
    RESTORE_FOLDER: sent(byId, { sample: { id: '~Trash/folder' } }),
    RESTORE_ALL: sent(open({})),
    EMPTY_TRASH: sent(open({}), { audit: 'note-deleted' }),
    PARAGRAPH_CLEAR_ALL_OUTPUT: sent(byId, {
      right: 'writer',
      embed: ['edit', 'note'],
      noteField: 'id',
      verb: 'clear output',
      sample: { id: '$note' },
    }),
    /**
     * Requests the note as a Jupyter notebook. Only the caller receives CONVERTED_NOTE_NBFORMAT.
     */
    CONVERT_NOTE_NBFORMAT: sent(open({ noteId: z.string(), noteName: maybe(z.string()) }), {
      right: 'reader',
      idempotent: true,
      since: '0.9.0',
      audit: 'export',
      sample: { noteId: '$note', noteName: 'n' },
    }),
    /** Cancels all running paragraphs of the note. Use the REST call on older servers. */
    CANCEL_ALL_PARAGRAPHS: sent(open({ noteId: z.string() }), {
      right: 'runner',
      idempotent: true,
      since: '0.13.0',
      embed: ['run', 'note'],
      sample: { noteId: '$note' },
    }),
  },
  received: {
    NOTES_INFO: received(open({ notes: z.array(noteInfo) })),
    /**
     * The whole note. `note` is absent if there is none (no home note, or an unknown note on the
     * fork). `following` are the ids of paragraphs whose results follow at once in PARAGRAPH, in
     * the same order.
     */
    NOTE: received(open({ note: maybe(note), following: maybe(z.array(z.string())) }), {
      embed: ['results', 'noteFields'],
    }),
    NEW_NOTE: received(open({ note })),
    NOTE_UPDATED: received(
      open({ name: maybe(z.string()), config: maybe(noteConfig), info: maybe(jsonObject) }),
      { embed: ['results', 'noteFields'] },
    ),
    IMPORT_NOTE: received(open({ note: maybe(note) })),
    /** Zeppelin: a sequential run of the whole note started or ended. */
    NOTE_RUNNING_STATUS: received(open({ status: z.boolean() }), { embed: ['results', 'all'] }),
    /** Zeppelin: whether more than one socket has the note open. */
    COLLABORATIVE_MODE_STATUS: received(
      open({ status: z.boolean(), users: maybe(z.array(z.string())) }),
      { embed: ['results', 'noteFields'] },
    ),
    /** The answer to CONVERT_NOTE_NBFORMAT. `nbformat` is the JSON text of a Jupyter notebook. */
    CONVERTED_NOTE_NBFORMAT: received(
      open({ nbformat: maybe(z.string()), noteName: maybe(z.string()) }),
    ),
  },
};

/** Operations on checkpoints of a note. The `revisionId` `Head` is the note as it is now. */
export const revisionOperations = {
  sent: {
    CHECKPOINT_NOTE: sent(open({ noteId: z.string(), commitMessage: z.string() }), {
      right: 'writer',
      sample: { noteId: '$note', commitMessage: 'c' },
    }),
    LIST_REVISION_HISTORY: sent(open({ noteId: z.string() }), {
      right: 'reader',
      idempotent: true,
      sample: { noteId: '$note' },
    }),
    NOTE_REVISION: sent(open({ noteId: z.string(), revisionId: z.string() }), {
      right: 'reader',
      idempotent: true,
      sample: { noteId: '$note', revisionId: 'r' },
    }),
    /** `position` is `first` or `second` and is repeated in the answer. */
    NOTE_REVISION_FOR_COMPARE: sent(
      open({ noteId: z.string(), revisionId: z.string(), position: z.string() }),
      {
        right: 'reader',
        idempotent: true,
        sample: { noteId: '$note', revisionId: 'r', position: 'first' },
      },
    ),
    SET_NOTE_REVISION: sent(open({ noteId: z.string(), revisionId: z.string() }), {
      right: 'writer',
      sample: { noteId: '$note', revisionId: 'r' },
    }),
  },
  received: {
    LIST_REVISION_HISTORY: received(open({ revisionList: maybe(z.array(revision)) })),
    /** `note` is absent if the revision does not exist. */
    NOTE_REVISION: received(
      open({ noteId: z.string(), revisionId: maybe(z.string()), note: maybe(note) }),
    ),
    NOTE_REVISION_FOR_COMPARE: received(
      open({
        noteId: z.string(),
        revisionId: maybe(z.string()),
        position: maybe(z.string()),
        note: maybe(note),
      }),
    ),
    SET_NOTE_REVISION: received(open({ status: maybe(z.boolean()) })),
  },
};
