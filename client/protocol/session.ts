/** Live operations about the session, messages for people, configuration and interpreters. */
import * as z from 'zod/mini';
import { bag, maybe, open, received, sent } from './define.ts';
import { interpreterBinding, interpreterSetting, jobEntry } from './objects.ts';

const told = { info: maybe(z.string()), op: maybe(z.string()), id: maybe(z.string()) };
const jobs = open({ lastResponseUnixTime: maybe(z.number()), jobs: z.array(jobEntry) });

/** Session and server. */
export const sessionOperations = {
  sent: {
    PING: sent(open({}), { idempotent: true }),
    LIST_CONFIGURATIONS: sent(open({}), { idempotent: true }),
  },
  received: {
    /** A right is missing; `info` is for people. Ours adds `op` and `id`. */
    AUTH_INFO: received(open(told)),
    /** Something failed; `info` is for people. Ours adds `op` and `id` so that a reply finds its caller, and as `code` the status that a call would have. */
    ERROR_INFO: received(open({ ...told, code: maybe(z.number()) })),
    SESSION_LOGOUT: received(open({ info: maybe(z.string()) })),
    NOTICE: received(open({ notice: maybe(z.string()) })),
    REPO_SYNC_SUCCESS: received(open({ info: maybe(z.string()) })),
    REPO_SYNC_ERROR: received(open({ info: maybe(z.string()) })),
    CONFIGURATIONS_INFO: received(open({ configurations: bag })),
  },
};

/** Interpreters as a note sees them. */
export const interpreterOperations = {
  sent: {
    GET_INTERPRETER_BINDINGS: sent(open({ noteId: z.string() }), {
      right: 'reader',
      idempotent: true,
    }),
    SAVE_INTERPRETER_BINDINGS: sent(
      open({ noteId: z.string(), selectedSettingIds: z.array(z.string()) }),
      {
        right: 'writer',
        idempotent: true,
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

/** The job list: the first answer replaces it (set-jobs), updates merge into it (update-jobs). */
export const jobOperations = {
  sent: {
    LIST_NOTE_JOBS: sent(open({}), { idempotent: true }),
    UNSUBSCRIBE_UPDATE_NOTE_JOBS: sent(open({}), { idempotent: true }),
    /** What changed since then (ms). Upstream never answers it: its updates come by themselves. Ours does. */
    LIST_UPDATE_NOTE_JOBS: sent(open({ lastUpdateUnixTime: z.number() }), { idempotent: true }),
  },
  received: {
    LIST_NOTE_JOBS: received(open({ noteJobs: jobs })),
    LIST_UPDATE_NOTE_JOBS: received(open({ noteRunningJobs: jobs })),
    JOB_MANAGER_DISABLED: received(open({ errorMessage: maybe(z.string()) })),
  },
};

/** Values that a note's interpreters and its pages share. */
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
      { right: 'writer' },
    ),
    ANGULAR_OBJECT_CLIENT_BIND: sent(
      open({ noteId: z.string(), name: z.string(), value: z.unknown(), paragraphId: z.string() }),
      { right: 'writer' },
    ),
    ANGULAR_OBJECT_CLIENT_UNBIND: sent(
      open({ noteId: z.string(), name: z.string(), paragraphId: z.string() }),
      {
        right: 'writer',
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
    ),
    /** Two shapes: use `name ?? angularObject.name`. */
    ANGULAR_OBJECT_REMOVE: received(
      open({
        name: maybe(z.string()),
        angularObject: maybe(open({ name: z.string() })),
        interpreterGroupId: maybe(z.string()),
        noteId: maybe(z.string()),
        paragraphId: maybe(z.string()),
      }),
    ),
  },
};

/** Applications of a package on a paragraph: what a server pushes about them. They are started by REST. */
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
    ),
    APP_STATUS_CHANGE: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        status: maybe(z.string()),
      }),
    ),
    APP_APPEND_OUTPUT: received(
      open({
        noteId: z.string(),
        paragraphId: z.string(),
        appId: z.string(),
        index: maybe(z.number()),
        data: maybe(z.string()),
      }),
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
    ),
  },
};
