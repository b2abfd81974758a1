/** Live operations on the list of notes, on folders and on whole notes. */
import * as z from 'zod/mini';
import { bag, maybe, open, received, sent } from './define.ts';
import { note, noteConfig, noteEntry } from './objects.ts';

const byId = open({ id: z.string() });

/** Notes and folders. `id` of a folder operation is its path. */
export const notesOperations = {
  sent: {
    LIST_NOTES: sent(open({}), { idempotent: true }),
    RELOAD_NOTES_FROM_REPO: sent(open({}), { idempotent: true }),
    GET_NOTE: sent(byId, { right: 'reader', idempotent: true }),
    /** Since 0.9; our server answers it as GET_NOTE. */
    RELOAD_NOTE: sent(byId, { right: 'reader', idempotent: true }),
    GET_HOME_NOTE: sent(open({}), { idempotent: true }),
    /** A reads `defaultInterpreterId` (a setting id), B `defaultInterpreterGroup`; both are sent. */
    NEW_NOTE: sent(
      open({ name: maybe(z.string()), defaultInterpreterId: maybe(z.string()), defaultInterpreterGroup: maybe(z.string()) }),
    ),
    DEL_NOTE: sent(byId, { right: 'owner' }),
    REMOVE_FOLDER: sent(byId),
    /** Upstream clones the socket's open note whatever `id` says; our server clones the note named. */
    CLONE_NOTE: sent(open({ id: z.string(), name: maybe(z.string()) }), { right: 'reader' }),
    IMPORT_NOTE: sent(open({ note: bag })),
    /** `config` replaces the whole; without it the message is ignored. Always send the current name. */
    NOTE_UPDATE: sent(open({ id: z.string(), name: maybe(z.string()), config: maybe(noteConfig) }), { right: 'writer' }),
    NOTE_RENAME: sent(open({ id: z.string(), name: z.string(), relative: maybe(z.boolean()) }), { right: 'owner' }),
    FOLDER_RENAME: sent(open({ id: z.string(), name: z.string() })),
    UPDATE_PERSONALIZED_MODE: sent(open({ id: z.string(), personalized: z.string() }), { right: 'owner' }),
    MOVE_NOTE_TO_TRASH: sent(byId, { right: 'owner' }),
    MOVE_FOLDER_TO_TRASH: sent(byId),
    RESTORE_NOTE: sent(byId, { right: 'owner' }),
    RESTORE_FOLDER: sent(byId),
    RESTORE_ALL: sent(open({})),
    EMPTY_TRASH: sent(open({})),
    PARAGRAPH_CLEAR_ALL_OUTPUT: sent(byId, { right: 'writer' }),
  },
  received: {
    NOTES_INFO: received(open({ notes: z.array(noteEntry) })),
    /** `note` absent: there is none (no home note; unknown note on A). */
    NOTE: received(open({ note: maybe(note) })),
    NEW_NOTE: received(open({ note })),
    NOTE_UPDATED: received(open({ name: maybe(z.string()), config: maybe(noteConfig), info: maybe(bag) })),
    IMPORT_NOTE: received(open({ note: maybe(note) })),
    /** B: a sequential run of the whole note started or ended. */
    NOTE_RUNNING_STATUS: received(open({ status: z.boolean() })),
    /** B: more than one socket has the note open. */
    COLLABORATIVE_MODE_STATUS: received(open({ status: z.boolean(), users: maybe(z.array(z.string())) })),
  },
};
