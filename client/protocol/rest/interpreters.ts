import * as z from 'zod/mini';
import { endpoint, maybe, open } from '../define.ts';
import { interpreterSetting } from '../objects.ts';
import {
  credential,
  credentials,
  interpreterSession,
  interpreterTemplate,
  kernelList,
  newRepository,
  newSetting,
  repository,
  settingChange,
} from '../server-objects.ts';
import { roleInterpreters } from './roles.ts';
import { names, nothing, text } from './schemas.ts';

/** REST calls for interpreter settings, credentials and sessions. */
export const interpreterEndpoints = {
  /** Returns the templates for new settings, by group. */
  listTemplates: endpoint('GET', '/interpreter', {
    answer: z.record(z.string(), interpreterTemplate),
  }),
  /**
   * Returns the settings. `fields` limits them to `id`, `name` and some other fields, separated by
   * commas; Zeppelin ignores it.
   */
  listSettings: endpoint('GET', '/interpreter/setting', {
    query: open({ fields: maybe(text) }),
    answer: z.array(interpreterSetting),
  }),
  createSetting: endpoint('POST', '/interpreter/setting', {
    access: roleInterpreters,
    body: newSetting,
    answer: interpreterSetting,
    audit: 'setting-changed',
  }),
  restartSetting: endpoint('PUT', '/interpreter/setting/restart/:settingId', {
    body: z.optional(open({ noteId: maybe(text) })),
    answer: interpreterSetting,
    audit: 'interpreter-restarted',
  }),
  getSetting: endpoint('GET', '/interpreter/setting/:settingId', { answer: interpreterSetting }),
  updateSetting: endpoint('PUT', '/interpreter/setting/:settingId', {
    access: roleInterpreters,
    body: settingChange,
    answer: interpreterSetting,
    audit: 'setting-changed',
  }),
  deleteSetting: endpoint('DELETE', '/interpreter/setting/:settingId', {
    access: roleInterpreters,
    answer: nothing,
    audit: 'setting-changed',
  }),
  /**
   * Tiding: looks for Jupyter kernels on the machine of the server and on the Jupyter servers of
   * settings. Kernels that were installed since the start become interpreters.
   */
  listKernels: endpoint('GET', '/interpreter/kernel', {
    access: roleInterpreters,
    since: 'none',
    answer: kernelList,
  }),
  listPropertyTypes: endpoint('GET', '/interpreter/property/types', { answer: names }),
  listRepositories: endpoint('GET', '/interpreter/repository', { answer: z.array(repository) }),
  addRepository: endpoint('POST', '/interpreter/repository', {
    access: roleInterpreters,
    body: newRepository,
    answer: nothing,
    audit: 'setting-changed',
  }),
  deleteRepository: endpoint('DELETE', '/interpreter/repository/:repositoryId', {
    access: roleInterpreters,
    answer: nothing,
    audit: 'setting-changed',
  }),
  /**
   * Returns the `url` of the interpreter's web interface, or a `message`. The answer is empty while
   * the interpreter is not running. Removed in Zeppelin 0.9.
   */
  settingMetadata: endpoint('GET', '/interpreter/metadata/:settingId', {
    until: '0.9.0',
    answer: z.optional(open({ url: maybe(text), message: maybe(text) })),
  }),
  /** Starts an installation. The server sends INTERPRETER_INSTALL_RESULT when it ends. */
  installInterpreter: endpoint('POST', '/interpreter/install', {
    access: roleInterpreters,
    since: '0.9.0',
    body: open({ name: text, artifact: text }),
    answer: nothing,
    audit: 'setting-changed',
  }),

  listCredentials: endpoint('GET', '/credential', { answer: credentials }),
  putCredential: endpoint('PUT', '/credential', {
    body: credential,
    answer: nothing,
    audit: 'credential-changed',
  }),
  deleteCredential: endpoint('DELETE', '/credential/:entity', {
    answer: nothing,
    audit: 'credential-changed',
  }),
  deleteCredentials: endpoint('DELETE', '/credential', {
    answer: nothing,
    audit: 'credential-changed',
  }),

  listSessions: endpoint('GET', '/session', {
    since: '0.9.0',
    answer: z.array(interpreterSession),
  }),
  createSession: endpoint('POST', '/session', {
    since: '0.9.0',
    query: open({ interpreter: maybe(text) }),
    answer: interpreterSession,
    audit: 'interpreter-started',
  }),
  getSession: endpoint('GET', '/session/:sessionId', {
    since: '0.9.0',
    answer: interpreterSession,
  }),
  deleteSession: endpoint('DELETE', '/session/:sessionId', {
    since: '0.9.0',
    answer: nothing,
    audit: 'interpreter-stopped',
  }),
};
