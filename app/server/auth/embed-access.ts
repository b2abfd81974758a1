/**
 * What a page with an embed token may do and see: one rule for every operation, every call and everything that is told.
 * The tables are exhaustive by type: what the protocol gets anew does not compile until it stands here.
 */
import type {
  Bag,
  EndpointName,
  Note,
  Paragraph,
  ReceivedOp,
  Receives,
  Right,
  Sends,
  SentOp,
} from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import type { Person } from './permissions.ts';

/** What a token is for; each has what those before it have. */
export type EmbedScope = 'view' | 'run' | 'edit';

/** The restriction that an embed token puts on whoever holds it. */
export interface Embed {
  /** Id of the token. */
  readonly jti: string;
  /** Who made it, with the roles held now: nobody may do by a token what its maker may not. */
  readonly issuer: Person;
  readonly noteId: string;
  /** The only paragraph; absent: the whole note. */
  readonly paragraphId?: string | undefined;
  readonly scope: EmbedScope;
  /** Values of forms that hold whatever the page sends. */
  readonly params?: Bag | undefined;
}

const PREFIX = 'embed:';
/** The principal of a page that somebody's token lets in; no user can have such a name. */
export const embedPrincipal = (issuer: string): string => PREFIX + issuer;
/** Whose rights count for a principal: for a page with a token those of who made it. */
export const accountOf = (principal: string): string =>
  principal.startsWith(PREFIX) ? principal.slice(PREFIX.length) : principal;

const scopes: readonly EmbedScope[] = ['view', 'run', 'edit'];
const rights: Record<Right, EmbedScope | 'never'> = {
  none: 'view',
  reader: 'view',
  runner: 'run',
  writer: 'edit',
  owner: 'never',
};
/** The right that a scope stands for. */
export const rightOf: Record<EmbedScope, Right> = { view: 'reader', run: 'runner', edit: 'writer' };
const covers = (scope: EmbedScope, least: EmbedScope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(least);
/** Whether a token gives a right on a note, as far as the token goes. */
export function gives({ noteId, scope }: Embed, wanted: string, right: Right): boolean {
  const least = rights[right];
  return wanted === noteId && least !== 'never' && covers(scope, least);
}

/** `of`: the paragraph that is meant; absent: the rule is for the whole note. `all`: also for tokens of one paragraph, whatever is meant. */
interface Allowed<Given> {
  readonly least: EmbedScope;
  readonly all?: true;
  readonly of?: (given: Given) => string | undefined;
}
type Rule<Given> = Allowed<Given> | 'never';

const anybody = (least: EmbedScope) => ({ least, all: true }) as const;
const wholeNote = (least: EmbedScope) => ({ least }) as const;
const byId = (least: EmbedScope) => ({ least, of: ({ id }: { id: string }) => id });
const byParagraphId = (least: EmbedScope) => ({
  least,
  of: ({ paragraphId }: { paragraphId?: string | undefined }) => paragraphId,
});

/** Operations that a page sends. */
export const liveRules: { readonly [Op in SentOp]: Rule<Sends[Op]> } = {
  PING: anybody('view'),
  GET_NOTE: anybody('view'),
  RELOAD_NOTE: anybody('view'),
  EDITOR_SETTING: byParagraphId('view'),
  RUN_PARAGRAPH: byId('run'),
  CANCEL_PARAGRAPH: byId('run'),
  RUN_ALL_PARAGRAPHS: wholeNote('run'),
  CANCEL_ALL_PARAGRAPHS: wholeNote('run'),
  COMMIT_PARAGRAPH: byId('edit'),
  PATCH_PARAGRAPH: byId('edit'),
  PARAGRAPH_EXECUTED_BY_SPELL: byId('edit'),
  PARAGRAPH_CLEAR_OUTPUT: byId('edit'),
  COMPLETION: byId('edit'),
  ANGULAR_OBJECT_UPDATED: byParagraphId('edit'),
  ANGULAR_OBJECT_CLIENT_BIND: byParagraphId('edit'),
  ANGULAR_OBJECT_CLIENT_UNBIND: byParagraphId('edit'),
  INSERT_PARAGRAPH: wholeNote('edit'),
  COPY_PARAGRAPH: wholeNote('edit'),
  MOVE_PARAGRAPH: wholeNote('edit'),
  PARAGRAPH_REMOVE: wholeNote('edit'),
  TIDING_RESTORE_PARAGRAPH: wholeNote('edit'),
  PARAGRAPH_CLEAR_ALL_OUTPUT: wholeNote('edit'),
  SAVE_NOTE_FORMS: wholeNote('edit'),
  REMOVE_NOTE_FORMS: wholeNote('edit'),
  // Names of people: a page with a token tells and hears none.
  TIDING_PRESENCE: 'never',
  // Other notes, and names of them.
  LIST_NOTES: 'never',
  RELOAD_NOTES_FROM_REPO: 'never',
  GET_HOME_NOTE: 'never',
  NEW_NOTE: 'never',
  CLONE_NOTE: 'never',
  IMPORT_NOTE: 'never',
  REMOVE_FOLDER: 'never',
  FOLDER_RENAME: 'never',
  MOVE_FOLDER_TO_TRASH: 'never',
  RESTORE_FOLDER: 'never',
  RESTORE_ALL: 'never',
  EMPTY_TRASH: 'never',
  LIST_NOTE_JOBS: 'never',
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: 'never',
  LIST_UPDATE_NOTE_JOBS: 'never',
  // What is its owners', and what it once was.
  DEL_NOTE: 'never',
  NOTE_UPDATE: 'never',
  NOTE_RENAME: 'never',
  UPDATE_PERSONALIZED_MODE: 'never',
  MOVE_NOTE_TO_TRASH: 'never',
  RESTORE_NOTE: 'never',
  CONVERT_NOTE_NBFORMAT: 'never',
  CHECKPOINT_NOTE: 'never',
  LIST_REVISION_HISTORY: 'never',
  NOTE_REVISION: 'never',
  NOTE_REVISION_FOR_COMPARE: 'never',
  SET_NOTE_REVISION: 'never',
  // The server's settings.
  LIST_CONFIGURATIONS: 'never',
  GET_INTERPRETER_BINDINGS: 'never',
  SAVE_INTERPRETER_BINDINGS: 'never',
  GET_INTERPRETER_SETTINGS: 'never',
};

type Params = Readonly<Record<string, string>>;
const paragraphOfResult = ({ resultId = '' }: Params): string | undefined => resultId.split('.')[1];

/** REST calls. */
export const restRules: { readonly [Name in EndpointName]: Rule<Params> } = {
  version: anybody('view'),
  ticket: anybody('view'),
  logout: anybody('view'),
  magpieConfig: anybody('view'),
  magpieVersion: anybody('view'),
  getNote: anybody('view'),
  getTrust: anybody('view'),
  noteJob: wholeNote('view'),
  paragraphJob: byParagraphId('view'),
  getParagraph: byParagraphId('view'),
  checkResult: { least: 'view', of: paragraphOfResult },
  getResult: { least: 'view', of: paragraphOfResult },
  runNote: wholeNote('run'),
  stopNote: wholeNote('run'),
  startParagraph: byParagraphId('run'),
  stopParagraph: byParagraphId('run'),
  runParagraph: byParagraphId('run'),
  updateParagraph: byParagraphId('edit'),
  configureParagraph: byParagraphId('edit'),
  clearNote: wholeNote('edit'),
  nextParagraph: wholeNote('edit'),
  insertParagraph: wholeNote('edit'),
  moveParagraph: wholeNote('edit'),
  deleteParagraph: wholeNote('edit'),
  // Signing in, people, tokens.
  loginAddress: 'never',
  ssoLogin: 'never',
  ssoCallback: 'never',
  openApi: 'never',
  asyncApi: 'never',
  login: 'never',
  loginOnce: 'never',
  findPrincipals: 'never',
  principals: 'never',
  requestPasswordReset: 'never',
  checkPasswordReset: 'never',
  resetPassword: 'never',
  listTokens: 'never',
  createToken: 'never',
  setTokenStatus: 'never',
  describeToken: 'never',
  deleteToken: 'never',
  createEmbedToken: 'never',
  revokeEmbedToken: 'never',
  revokeEmbedTokens: 'never',
  listCredentials: 'never',
  putCredential: 'never',
  deleteCredential: 'never',
  deleteCredentials: 'never',
  // Other notes, and what is this one's owners'.
  listNotes: 'never',
  searchNotes: 'never',
  listJobs: 'never',
  listJobsSince: 'never',
  jobHistory: 'never',
  capabilities: 'never',
  getNoteByPath: 'never',
  createNote: 'never',
  importNote: 'never',
  exportNote: 'never',
  deleteNote: 'never',
  cloneNote: 'never',
  renameNote: 'never',
  getPermissions: 'never',
  setPermissions: 'never',
  setTrust: 'never',
  setCron: 'never',
  getCron: 'never',
  deleteCron: 'never',
  listRevisions: 'never',
  checkpointNote: 'never',
  getRevision: 'never',
  setRevision: 'never',
  getBindings: 'never',
  setBindings: 'never',
  // The server's settings and files.
  configurations: 'never',
  configurationsByPrefix: 'never',
  clientConfiguration: 'never',
  listStorages: 'never',
  reloadStorages: 'never',
  updateStorage: 'never',
  setLogLevel: 'never',
  getLogger: 'never',
  setLogger: 'never',
  listClusters: 'never',
  setCluster: 'never',
  startCluster: 'never',
  stopCluster: 'never',
  getRevisionControl: 'never',
  setRevisionControl: 'never',
  syncRevisions: 'never',
  commandLine: 'never',
  getFile: 'never',
  putFile: 'never',
  getObject: 'never',
  listTemplates: 'never',
  listSettings: 'never',
  createSetting: 'never',
  restartSetting: 'never',
  getSetting: 'never',
  updateSetting: 'never',
  deleteSetting: 'never',
  listPropertyTypes: 'never',
  listRepositories: 'never',
  addRepository: 'never',
  deleteRepository: 'never',
  settingMetadata: 'never',
  installInterpreter: 'never',
  listSessions: 'never',
  createSession: 'never',
  getSession: 'never',
  deleteSession: 'never',
  // What draws its results.
  listEnabledPackages: anybody('view'),
  loadBundle: anybody('view'),
  getPackageOrder: anybody('view'),
  getSpellConfig: anybody('edit'),
  listPackages: 'never',
  getPackage: 'never',
  listPackageConfigs: 'never',
  getPackageConfig: 'never',
  setPackageConfig: 'never',
  enablePackage: 'never',
  disablePackage: 'never',
  setPackageOrder: 'never',
  suggestPackages: 'never',
  loadPackage: 'never',
  unloadPackage: 'never',
};

function check<Given>(rule: Rule<Given>, given: Given, { scope, paragraphId }: Embed): void {
  if (rule === 'never' || !covers(scope, rule.least))
    throw new Refusal(
      403,
      `The token of this page is to ${scope} one note, and not for this.`,
      'forbidden',
    );
  if (paragraphId === undefined || rule.all) return;
  if (rule.of?.(given) !== paragraphId)
    throw new Refusal(
      403,
      `The token of this page is to ${scope} one paragraph, and not for this.`,
      'forbidden',
    );
}

const anotherNote = () =>
  new Refusal(403, 'The token of this page is for another note.', 'forbidden');

/** Refuses with 403 an operation that a token is not for; whether there is another note is not told. `noteId`: the one that is meant, '' for none. */
export function admitLive<Op extends SentOp>(
  embed: Embed,
  op: Op,
  data: Sends[Op],
  noteId: string,
): void {
  check<Sends[Op]>(liveRules[op], data, embed);
  if (op !== 'PING' && noteId !== embed.noteId) throw anotherNote();
}

/** Refuses with 403 a call that a token is not for. */
export function admitRest(embed: Embed, name: EndpointName, params: Params): void {
  check(restRules[name], params, embed);
  const noteId = params['noteId'] ?? params['resultId']?.split('.')[0];
  if (noteId !== undefined && noteId !== embed.noteId) throw anotherNote();
}

/** A paragraph without the names of people. */
export function shownParagraph<P extends Paragraph>({
  user: _user,
  ...paragraph
}: P): Omit<P, 'user'> {
  return paragraph;
}

/** A note as a token shows it: without the names of people; where it is for one paragraph, that alone, and nothing else of the note. */
export function shownNote(note: Note, { paragraphId }: Embed): Note {
  const { cronExecutingUser: _user, cronExecutingRoles: _roles, ...config } = note.config ?? {};
  const paragraphs = (note.paragraphs ?? [])
    .filter(({ id }) => paragraphId === undefined || id === paragraphId)
    .map(shownParagraph);
  if (paragraphId === undefined) return { ...note, config, paragraphs };
  const { id, config: { looknfeel } = {} } = note;
  return {
    id,
    name: id,
    path: `/${id}`,
    config: { ...(looknfeel === undefined ? {} : { looknfeel }) },
    info: {},
    paragraphs,
  };
}

/** What a call answers, as a token shows it. */
export function shownAnswer(name: EndpointName, answer: unknown, embed: Embed): unknown {
  if (name === 'getNote') return shownNote(answer as Note, embed);
  if (name === 'getParagraph' || name === 'configureParagraph')
    return shownParagraph(answer as Paragraph);
  return answer;
}

type Show<Op extends ReceivedOp> = (data: Receives[Op], embed: Embed) => Receives[Op] | undefined;
const nothing = () => undefined;
const all = <D>(data: D): D => data;
const mine = (id: string | undefined, { paragraphId }: Embed): boolean =>
  paragraphId === undefined || id === paragraphId;
const ofNote = <D>(data: D, { paragraphId }: Embed): D | undefined =>
  paragraphId === undefined ? data : undefined;
const ofId = <D extends { id?: string | undefined }>(data: D, embed: Embed): D | undefined =>
  mine(data.id, embed) ? data : undefined;
const ofParagraphId = <D extends { paragraphId?: string | undefined }>(
  data: D,
  embed: Embed,
): D | undefined => (mine(data.paragraphId, embed) ? data : undefined);
const ofParagraph = <D extends { paragraph: Paragraph }>(data: D, embed: Embed): D | undefined =>
  mine(data.paragraph.id, embed)
    ? { ...data, paragraph: shownParagraph(data.paragraph) }
    : undefined;

/** What a page with a token is told of what the server tells; `undefined`: nothing. */
const told: { readonly [Op in ReceivedOp]: Show<Op> } = {
  NOTE: ({ note }, embed) => ({ note: note && shownNote(note, embed) }),
  NOTE_UPDATED: ({ name, config, info }, embed) =>
    embed.paragraphId === undefined
      ? {
          name,
          info,
          config: shownNote({ id: embed.noteId, config, paragraphs: [] }, embed).config,
        }
      : undefined,
  NOTE_RUNNING_STATUS: all,
  COLLABORATIVE_MODE_STATUS: ({ status }) => ({ status }),
  PARAGRAPH: ofParagraph,
  PARAGRAPH_ADDED: (data, embed) =>
    embed.paragraphId === undefined ? ofParagraph(data, embed) : undefined,
  PARAGRAPH_MOVED: ofNote,
  PARAGRAPH_REMOVED: ofId,
  PARAGRAPH_UPDATE_OUTPUT: ofParagraphId,
  PARAGRAPH_APPEND_OUTPUT: ofParagraphId,
  PROGRESS: ofId,
  PARAS_INFO: ofId,
  COMPLETION_LIST: ofId,
  EDITOR_SETTING: ofParagraphId,
  SAVE_NOTE_FORMS: ofNote,
  PARAGRAPH_CONFLICT: ofId,
  PATCH_PARAGRAPH: ofParagraphId,
  RUN_PARAGRAPH_USING_SPELL: ofParagraph,
  TIDING_PRESENCE: nothing,
  ANGULAR_OBJECT_UPDATE: ofParagraphId,
  ANGULAR_OBJECT_REMOVE: ofParagraphId,
  APP_LOAD: ofParagraphId,
  APP_STATUS_CHANGE: ofParagraphId,
  APP_APPEND_OUTPUT: ofParagraphId,
  APP_UPDATE_OUTPUT: ofParagraphId,
  AUTH_INFO: all,
  ERROR_INFO: all,
  SESSION_LOGOUT: all,
  NOTICE: all,
  NOTES_INFO: nothing,
  NEW_NOTE: nothing,
  IMPORT_NOTE: nothing,
  CONVERTED_NOTE_NBFORMAT: nothing,
  LIST_REVISION_HISTORY: nothing,
  NOTE_REVISION: nothing,
  NOTE_REVISION_FOR_COMPARE: nothing,
  SET_NOTE_REVISION: nothing,
  REPO_SYNC_SUCCESS: nothing,
  REPO_SYNC_ERROR: nothing,
  CONFIGURATIONS_INFO: nothing,
  INTERPRETER_BINDINGS: nothing,
  INTERPRETER_SETTINGS: nothing,
  INTERPRETER_INSTALL_STARTED: nothing,
  INTERPRETER_INSTALL_RESULT: nothing,
  LIST_NOTE_JOBS: nothing,
  LIST_UPDATE_NOTE_JOBS: nothing,
  JOB_MANAGER_DISABLED: nothing,
};

/** What is told, as a token shows it; `undefined`: it is not for this page. */
export const shown = <Op extends ReceivedOp>(
  op: Op,
  data: Receives[Op],
  embed: Embed,
): Receives[Op] | undefined => told[op](data, embed);
