/** Live operations about the session, notices, configuration and interpreters. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open, received, sent } from './define.ts';
import { interpreterBinding, interpreterSetting, jobEntry } from './objects.ts';

const noticeFields = { info: maybe(z.string()), op: maybe(z.string()), id: maybe(z.string()) };
const jobs = open({ lastResponseUnixTime: maybe(z.number()), jobs: z.array(jobEntry) });

/** Operations on the session and the server. */
export const sessionOperations = {
  sent: {
    PING: sent(open({}), { idempotent: true, embed: ['results', 'any'] }),
    /**
     * The Tiding server sends everybody what the REST calls of a session answer (message size,
     * revisions, version), and everything else to administrators only.
     */
    LIST_CONFIGURATIONS: sent(open({}), { idempotent: true }),
  },
  received: {
    /**
     * A right is missing. `info` is a message for the user. The Tiding server adds `op` and `id`.
     */
    AUTH_INFO: received(open(noticeFields), { embed: ['results', 'all'] }),
    /**
     * An operation failed. `info` is a message for the user. The Tiding server adds `op` and `id`,
     * so that clients can match the reply, and `code`, the status that the REST call would have.
     * If something is missing, `info` is Zeppelin's text and `message` the one for the user.
     */
    ERROR_INFO: received(
      open({ ...noticeFields, message: maybe(z.string()), code: maybe(z.number()) }),
      { embed: ['results', 'all'] },
    ),
    SESSION_LOGOUT: received(open({ info: maybe(z.string()) }), { embed: ['results', 'all'] }),
    /** A Tiding server adds `paragraphId` if the notice is about the run of a paragraph. */
    NOTICE: received(open({ notice: maybe(z.string()), paragraphId: maybe(z.string()) }), {
      embed: ['results', 'all'],
    }),
    REPO_SYNC_SUCCESS: received(open({ info: maybe(z.string()) })),
    REPO_SYNC_ERROR: received(open({ info: maybe(z.string()) })),
    CONFIGURATIONS_INFO: received(open({ configurations: jsonObject })),
  },
};

/** Operations on the interpreters of a note. */
export const interpreterOperations = {
  sent: {
    GET_INTERPRETER_BINDINGS: sent(open({ noteId: z.string() }), {
      right: 'reader',
      idempotent: true,
      sample: { noteId: '$note' },
    }),
    SAVE_INTERPRETER_BINDINGS: sent(
      open({ noteId: z.string(), selectedSettingIds: z.array(z.string()) }),
      {
        right: 'writer',
        idempotent: true,
        audit: 'setting-changed',
        sample: { noteId: '$note', selectedSettingIds: [] },
      },
    ),
    GET_INTERPRETER_SETTINGS: sent(open({}), { idempotent: true }),
  },
  received: {
    INTERPRETER_BINDINGS: received(open({ interpreterBindings: z.array(interpreterBinding) })),
    INTERPRETER_SETTINGS: received(open({ interpreterSettings: z.array(interpreterSetting) })),
    INTERPRETER_INSTALL_STARTED: received(
      open({ result: maybe(z.string()), message: maybe(z.string()) }),
    ),
    INTERPRETER_INSTALL_RESULT: received(
      open({ result: maybe(z.string()), message: maybe(z.string()) }),
    ),
  },
};

/**
 * The job list. The first answer replaces it (set-jobs); updates are merged into it (update-jobs).
 */
export const jobOperations = {
  sent: {
    LIST_NOTE_JOBS: sent(open({}), { idempotent: true }),
    UNSUBSCRIBE_UPDATE_NOTE_JOBS: sent(open({}), { idempotent: true }),
    /**
     * Requests the changes since a time in ms. Zeppelin never answers it but sends updates by
     * itself; the Tiding server answers.
     */
    LIST_UPDATE_NOTE_JOBS: sent(open({ lastUpdateUnixTime: z.number() }), {
      idempotent: true,
      sample: { lastUpdateUnixTime: 0 },
    }),
  },
  received: {
    LIST_NOTE_JOBS: received(open({ noteJobs: jobs })),
    LIST_UPDATE_NOTE_JOBS: received(open({ noteRunningJobs: jobs })),
    JOB_MANAGER_DISABLED: received(open({ errorMessage: maybe(z.string()) })),
  },
};

/** Values that a note's interpreters and pages share. */
export const angularOperations = {
  sent: {
    ANGULAR_OBJECT_UPDATED: sent(
      open({
        noteId: z.string(),
        paragraphId: maybe(z.string()),
        name: z.string(),
        value: z.unknown(),
        interpreterGroupId: z.string(),
      }),
      {
        right: 'writer',
        embed: ['edit', 'paragraphId'],
        sample: { noteId: '$note', name: 'n', value: 1, interpreterGroupId: 'g' },
      },
    ),
    ANGULAR_OBJECT_CLIENT_BIND: sent(
      open({ noteId: z.string(), name: z.string(), value: z.unknown(), paragraphId: z.string() }),
      {
        right: 'writer',
        embed: ['edit', 'paragraphId'],
        sample: { noteId: '$note', name: 'n', value: 1, paragraphId: '$paragraph' },
      },
    ),
    ANGULAR_OBJECT_CLIENT_UNBIND: sent(
      open({ noteId: z.string(), name: z.string(), paragraphId: z.string() }),
      {
        right: 'writer',
        embed: ['edit', 'paragraphId'],
        sample: { noteId: '$note', name: 'n', paragraphId: '$paragraph' },
      },
    ),
  },
  received: {
    ANGULAR_OBJECT_UPDATE: received(
      open({
        angularObject: open({
          name: z.string(),
          object: maybe(z.unknown()),
          noteId: maybe(z.string()),
          paragraphId: maybe(z.string()),
        }),
        interpreterGroupId: maybe(z.string()),
        noteId: maybe(z.string()),
        paragraphId: maybe(z.string()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
    /** Arrives in two shapes: use `name ?? angularObject.name`. */
    ANGULAR_OBJECT_REMOVE: received(
      open({
        name: maybe(z.string()),
        angularObject: maybe(open({ name: z.string() })),
        interpreterGroupId: maybe(z.string()),
        noteId: maybe(z.string()),
        paragraphId: maybe(z.string()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
  },
};

/** Messages about applications of a package on a paragraph. Applications are started by REST. */
export const applicationOperations = {
  sent: {},
  received: {
    APP_LOAD: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        pkg: maybe(z.unknown()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
    APP_STATUS_CHANGE: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        status: maybe(z.string()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
    APP_APPEND_OUTPUT: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        index: maybe(z.number()),
        data: maybe(z.string()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
    APP_UPDATE_OUTPUT: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        index: maybe(z.number()),
        type: maybe(z.string()),
        data: maybe(z.string()),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
  },
};
