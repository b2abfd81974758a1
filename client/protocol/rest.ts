/** Every REST call, relative to `{rest}` = `{server}/api`. Order matters: a fixed segment comes before a parameter. */
import * as z from 'zod/mini';
import { bag, endpoint, maybe, open } from './define.ts';
import {
  accessToken, interpreterBinding, interpreterSetting, note, noteEntry, paragraph, permissions, results, ticket,
} from './objects.ts';

const nothing = z.unknown();
const text = z.string();
const params = open({ params: maybe(bag) });
/** State of one paragraph's run; `progress` is text, "100" when it is not running. */
const jobStatus = open({
  id: z.string(), status: z.string(), progress: maybe(z.string()), started: maybe(z.string()), finished: maybe(z.string()),
  errorMessage: maybe(z.string()),
});
const roleAccessToken = ['magpie.AccessToken', 'AccessToken'] as const;
const roleAdmin = ['global.SuperAdmin', 'admin'] as const;

/** Every REST call by name. */
export const endpoints = {
  version: endpoint('GET', '/version', {
    access: 'public',
    answer: open({ version: z.string(), tiding: maybe(open({ version: z.string() })) }),
  }),
  ticket: endpoint('GET', '/security/ticket', { answer: ticket }),
  login: endpoint('POST', '/login', {
    access: 'public',
    encoding: 'form',
    body: open({ userName: z.string(), password: z.string() }),
    answer: ticket,
  }),
  /** Ours: signs in with the one-time token of the link that the server prints at its start. */
  loginOnce: endpoint('POST', '/login/once', {
    access: 'public',
    body: open({ token: z.string().check(z.minLength(1)) }),
    answer: ticket,
  }),
  /** Answers 401 always, as upstream does; the client reads that as success. */
  logout: endpoint('POST', '/login/logout', { access: 'public', answer: nothing }),
  magpieConfig: endpoint('GET', '/magpie/config', { access: 'public', answer: bag }),
  magpieVersion: endpoint('GET', '/magpie/version', { access: 'public', answer: open({ version: z.string() }) }),
  listTokens: endpoint('GET', '/magpie/access-token', { access: roleAccessToken, answer: z.array(accessToken) }),
  createToken: endpoint('POST', '/magpie/access-token', {
    access: roleAccessToken,
    body: z.optional(open({ description: maybe(z.string()), expiresInDays: maybe(z.number()) })),
    answer: accessToken,
  }),
  setTokenStatus: endpoint('PUT', '/magpie/access-token/:tokenId/status/:status', { access: roleAccessToken, answer: accessToken }),
  describeToken: endpoint('PUT', '/magpie/access-token/:tokenId/description', {
    access: roleAccessToken, encoding: 'text', body: text, answer: accessToken,
  }),
  deleteToken: endpoint('DELETE', '/magpie/access-token/:tokenId', { access: roleAccessToken, answer: nothing }),
  configurations: endpoint('GET', '/configurations/all', { access: roleAdmin, answer: bag }),

  listNotes: endpoint('GET', '/notebook', { answer: z.array(noteEntry) }),
  createNote: endpoint('POST', '/notebook', {
    body: open({
      name: maybe(z.string()),
      paragraphs: maybe(z.array(open({ title: maybe(text), text: maybe(text), config: maybe(bag) }))),
      defaultInterpreterGroup: maybe(z.string()),
      addingEmptyParagraph: maybe(z.boolean()),
    }),
    answer: text,
  }),
  importNote: endpoint('POST', '/notebook/import', { body: bag, answer: text }),
  /** The note as JSON text in a string: parse twice. */
  exportNote: endpoint('GET', '/notebook/export/:noteId', { answer: text }),
  runNote: endpoint('POST', '/notebook/job/:noteId', { body: z.optional(params), answer: nothing }),
  stopNote: endpoint('DELETE', '/notebook/job/:noteId', { answer: nothing }),
  noteJob: endpoint('GET', '/notebook/job/:noteId', {
    answer: z.union([z.array(jobStatus), open({ id: maybe(text), isRunning: maybe(z.boolean()), paragraphs: z.array(jobStatus) })]),
  }),
  paragraphJob: endpoint('GET', '/notebook/job/:noteId/:paragraphId', { answer: jobStatus }),
  startParagraph: endpoint('POST', '/notebook/job/:noteId/:paragraphId', { body: z.optional(params), answer: nothing }),
  stopParagraph: endpoint('DELETE', '/notebook/job/:noteId/:paragraphId', { answer: nothing }),
  /** Waits for the end of the run; a failure of the interpreter answers 500 with the same body. */
  runParagraph: endpoint('POST', '/notebook/run/:noteId/:paragraphId', { body: z.optional(params), answer: results }),
  getBindings: endpoint('GET', '/notebook/interpreter/bind/:noteId', { answer: z.array(interpreterBinding) }),
  setBindings: endpoint('PUT', '/notebook/interpreter/bind/:noteId', { body: z.array(text), answer: nothing }),
  getNote: endpoint('GET', '/notebook/:noteId', { answer: note }),
  deleteNote: endpoint('DELETE', '/notebook/:noteId', { answer: nothing }),
  /** Clones the note; the only way to clone one that is not open on an upstream server. */
  cloneNote: endpoint('POST', '/notebook/:noteId', { body: z.optional(open({ name: maybe(z.string()) })), answer: text }),
  clearNote: endpoint('PUT', '/notebook/:noteId/clear', { answer: nothing }),
  renameNote: endpoint('PUT', '/notebook/:noteId/rename', { body: open({ name: z.string() }), answer: nothing }),
  getPermissions: endpoint('GET', '/notebook/:noteId/permissions', { answer: permissions }),
  setPermissions: endpoint('PUT', '/notebook/:noteId/permissions', { body: permissions, answer: nothing }),
  insertParagraph: endpoint('POST', '/notebook/:noteId/paragraph', {
    body: open({ title: maybe(text), text: maybe(text), index: maybe(z.number()), config: maybe(bag) }),
    answer: text,
  }),
  getParagraph: endpoint('GET', '/notebook/:noteId/paragraph/:paragraphId', { answer: paragraph }),
  updateParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId', {
    body: open({ text: text, title: maybe(text) }),
    answer: nothing,
  }),
  configureParagraph: endpoint('PUT', '/notebook/:noteId/paragraph/:paragraphId/config', { body: bag, answer: paragraph }),
  moveParagraph: endpoint('POST', '/notebook/:noteId/paragraph/:paragraphId/move/:index', { answer: nothing }),
  deleteParagraph: endpoint('DELETE', '/notebook/:noteId/paragraph/:paragraphId', { answer: nothing }),

  listSettings: endpoint('GET', '/interpreter/setting', { answer: z.array(interpreterSetting) }),
  restartSetting: endpoint('PUT', '/interpreter/setting/restart/:settingId', {
    body: z.optional(open({ noteId: maybe(text) })), answer: interpreterSetting,
  }),
};

/** Name of a REST call. */
export type EndpointName = keyof typeof endpoints;
/** What a call answers, unwrapped. */
export type EndpointAnswer<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['answer']>;
/** What a call takes. */
export type EndpointBody<Name extends EndpointName> = z.infer<(typeof endpoints)[Name]['body']>;
