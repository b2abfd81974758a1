import { textArea } from '../../text/areas.ts';

/** Texts of the panel of permissions; some are quoted from the specification. */
export const permissionTexts = textArea('permissions', {
  title: 'Note Permissions',
  lead: '(Only note owners can change)',
  hint:
    'Enter comma separated users and groups in the fields. Empty field (*) implies anyone ' +
    'can do the operation.',
  everyone: 'Everyone',
  owners: 'Owners',
  writers: 'Writers',
  runners: 'Runners',
  readers: 'Readers',
  ownersHint: 'Owners can change permissions,read, run and write the note.',
  writersHint: 'Writers can read, run and write the note.',
  runnersHint: 'Runners can read and run the note.',
  readersHint: 'Readers can only read the note.',
  everyoneMay: {
    writers: 'Everyone may write.',
    runners: 'Everyone may run.',
    readers: 'Everyone may read.',
  },
  added: 'The list is empty: {user} is added when you save.',
  save: 'Save permissions',
  ownersTitle: 'Setting Owners Permissions',
  ownersText:
    'Please fill the [Owners] field. If not, it will set as current user.\n' +
    'Current user : [ {user} ]',
  ownersSet: 'Set',
  saved: 'Permissions Saved Successfully',
  savedText: 'Owners : {owners}\nReaders : {readers}\nRunners : {runners}\nWriters : {writers}',
  failedTitle: 'Insufficient privileges',
  login: 'Login',
  anonymousTitle: 'No permission',
  anonymousText: 'Only authenticated user can set the permission.',
  discard: 'Changes will be discarded.',
  discardAction: 'Discard',
});

export const commentPanelTexts = textArea('commentPanel', {
  title: 'Comments',
  count: (open: number) => (open > 0 ? `Comments (${open})` : 'Comments'),
  add: 'Add comment',
});

export const variableTexts = textArea('variables', {
  title: 'Variables',
  none: 'No variables. Run a paragraph of Python, then they are listed here.',
  busy: 'Code runs. These are the variables before it.',
  more: (count: number) => `and ${count} more`,
  refresh: 'Refresh',
  show: (name: string) => `Show ${name} as a table in a new paragraph`,
});

export const fileTexts = textArea('files', {
  title: 'Files',
  ofNote: 'This note, for everybody who may read it',
  shared: 'Shared, for everybody who is signed in',
  none: 'No files. Drop a file on the note, or upload one.',
  rename: 'Rename {name}',
  insert: 'Read {name} in a new paragraph',
  download: 'Download {name}',
  share: 'Share {name} with everybody who is signed in',
  removeFile: 'Remove {name}',
  removeTitle: 'Remove {name}?',
  removeText: "Paragraphs that read it will fail. This can't be undone.",
  remove: 'Remove',
});

export const bindingTexts = textArea('bindings', {
  title: 'Interpreter binding',
  hint:
    'Click an interpreter to bind it to this note or to unbind it. Drag it or use the arrow ' +
    'keys to change the order. The first one is the default.',
  onlyFirst:
    'On this server, every note can use every interpreter. Only the first one matters: it ' +
    'is the default.',
  save: 'Save',
  restart: 'Restart',
  restartOne: 'Restart {name}',
  restarting: 'Saving Setting',
  restartQuestion: 'Do you want to restart {name} interpreter?',
  restarted: 'Interpreter stopped. Will be lazily started on next run.',
  restartFailed: 'Error restart interpreter.',
  discard: 'Interpreter setting changes will be discarded.',
  discardAction: 'Discard',
  default: '(default)',
  drag: 'Move {name}',
  none: 'There are no interpreters.',
});

/** Texts of the switch between shared and personal results. */
export const personalTexts = textArea('personal', {
  toPersonal: 'Switch to personal mode',
  toShared: 'Switch to collaboration mode',
  owner: '(owner can change)',
  title: 'Setting the result display',
  personalize: 'Do you want to personalize your analysis?',
  collaborate: 'Do you want to collaborate your analysis?',
  action: 'Change',
});
