/** Live operations on the list of notes, on folders and on whole notes. */
import * as z from 'zod/mini';
import { bag, maybe, open, received, sent } from './define.ts';
import { note, noteConfig, noteEntry, revision } from './objects.ts';

const byId = open({ id: z.string() });

/** Notes and folders. `id` of a folder operation is its path. */
export const notesOperations = {
  sent: {
    LIST_NOTES: sent(open({}), { idempotent: true }),
    RELOAD_NOTES_FROM_REPO: sent(open({}), { idempotent: true }),
    GET_NOTE: sent(byId, { right: 'reader', idempotent: true }),
    /** Since 0.10 (0.9.0 answers with an error); our server answers it as GET_NOTE. */
    RELOAD_NOTE: sent(byId, { right: 'reader', idempotent: true, since: '0.9.1' }),
    GET_HOME_NOTE: sent(open({}), { idempotent: true }),
    /** A reads `defaultInterpreterId` (a setting id), B `defaultInterpreterGroup`; both are sent. */
    NEW_NOTE: sent(
      open({
        name: maybe(z.string()),
        defaultInterpreterId: maybe(z.string()),
        defaultInterpreterGroup: maybe(z.string()),
      }),
    ),
    DEL_NOTE: sent(byId, { right: 'owner' }),
    REMOVE_FOLDER: sent(byId),
    /** Upstream clones the socket's open note whatever `id` says; our server clones the note named. */
    CLONE_NOTE: sent(open({ id: z.string(), name: maybe(z.string()) }), { right: 'reader' }),
    IMPORT_NOTE: sent(open({ note: bag })),
    /** `config` replaces the whole; without it the message is ignored. Always send the current name. */
    NOTE_UPDATE: sent(
      open({ id: z.string(), name: maybe(z.string()), config: maybe(noteConfig) }),
      { right: 'writer' },
    ),
    NOTE_RENAME: sent(open({ id: z.string(), name: z.string(), relative: maybe(z.boolean()) }), {
      right: 'owner',
    }),
    FOLDER_RENAME: sent(open({ id: z.string(), name: z.string() })),
    UPDATE_PERSONALIZED_MODE: sent(open({ id: z.string(), personalized: z.string() }), {
      right: 'owner',
    }),
    MOVE_NOTE_TO_TRASH: sent(byId, { right: 'owner' }),
    MOVE_FOLDER_TO_TRASH: sent(byId),
    RESTORE_NOTE: sent(byId, { right: 'owner' }),
    RESTORE_FOLDER: sent(byId),
    RESTORE_ALL: sent(open({})),
    EMPTY_TRASH: sent(open({})),
    PARAGRAPH_CLEAR_ALL_OUTPUT: sent(byId, { right: 'writer' }),
    /** The note as a Jupyter notebook; the caller alone gets CONVERTED_NOTE_NBFORMAT. */
    CONVERT_NOTE_NBFORMAT: sent(open({ noteId: z.string(), noteName: maybe(z.string()) }), {
      right: 'reader',
      idempotent: true,
      since: '0.9.0',
    }),
    /** Stops what runs of the note, live; older servers stop by REST. */
    CANCEL_ALL_PARAGRAPHS: sent(open({ noteId: z.string() }), {
      right: 'runner',
      idempotent: true,
      since: '0.13.0',
    }),
  },
  received: {
    NOTES_INFO: received(open({ notes: z.array(noteEntry) })),
    /** `note` absent: there is none (no home note; unknown note on A). */
    NOTE: received(open({ note: maybe(note) })),
    NEW_NOTE: received(open({ note })),
    NOTE_UPDATED: received(
      open({ name: maybe(z.string()), config: maybe(noteConfig), info: maybe(bag) }),
    ),
    IMPORT_NOTE: received(open({ note: maybe(note) })),
    /** B: a sequential run of the whole note started or ended. */
    NOTE_RUNNING_STATUS: received(open({ status: z.boolean() })),
    /** B: more than one socket has the note open. */
    COLLABORATIVE_MODE_STATUS: received(
      open({ status: z.boolean(), users: maybe(z.array(z.string())) }),
    ),
    /** `nbformat` is the JSON text of a Jupyter notebook. */
    CONVERTED_NOTE_NBFORMAT: received(
      open({ nbformat: maybe(z.string()), noteName: maybe(z.string()) }),
    ),
  },
};

/** Checkpoints of a note. `revisionId` `Head` means the note as it is now. */
export const revisionOperations = {
  sent: {
    CHECKPOINT_NOTE: sent(open({ noteId: z.string(), commitMessage: z.string() }), {
      right: 'writer',
    }),
    LIST_REVISION_HISTORY: sent(open({ noteId: z.string() }), {
      right: 'reader',
      idempotent: true,
    }),
    NOTE_REVISION: sent(open({ noteId: z.string(), revisionId: z.string() }), {
      right: 'reader',
      idempotent: true,
    }),
    /** `position` is `first` or `second` and comes back in the answer. */
    NOTE_REVISION_FOR_COMPARE: sent(
      open({ noteId: z.string(), revisionId: z.string(), position: z.string() }),
      {
        right: 'reader',
        idempotent: true,
      },
    ),
    SET_NOTE_REVISION: sent(open({ noteId: z.string(), revisionId: z.string() }), {
      right: 'writer',
    }),
  },
  received: {
    LIST_REVISION_HISTORY: received(open({ revisionList: maybe(z.array(revision)) })),
    /** `note` absent: there is no such revision. */
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
