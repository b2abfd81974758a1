import { textArea } from '../../text/areas.ts';

/** Texts of a note's panels; some are quoted from the specification. */
export const panelTexts = textArea('', {
  permissions: {
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
  },
  commentPanel: {
    title: 'Comments',
    count: (open: number) => (open > 0 ? `Comments (${open})` : 'Comments'),
    add: 'Add comment',
  },
  variables: {
    title: 'Variables',
    none: 'No variables. Run a paragraph of Python, then they are listed here.',
    busy: 'Code runs. These are the variables before it.',
    more: (count: number) => `and ${count} more`,
    refresh: 'Refresh',
    show: (name: string) => `Show ${name} as a table in a new paragraph`,
  },
  files: {
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
  },
  bindings: {
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
    bound: 'bound',
    drag: 'Move {name}',
    up: 'Move {name} up',
    down: 'Move {name} down',
    none: 'There are no interpreters.',
  },
  schedule: {
    title: 'Run note with cron scheduler',
    action: 'Schedule',
    label: 'Schedule: {schedule}',
    lead: 'Either choose a preset, or write your own cron expression.',
    preset: 'Preset',
    expression: 'Cron expression',
    zone: 'Time zone',
    serverZone: 'Server time zone',
    next: 'Next runs',
    never: 'Never runs.',
    release: 'After execution stop the interpreter',
    user: 'Runs as {user}',
    none: 'None',
  },
  palette: {
    title: 'All commands',
    placeholder: 'Search commands',
    paragraph: 'Paragraph',
    note: 'Note',
    none: 'No commands match.',
  },
  forms: {
    untitled: 'Untitled form',
    title: 'Form title',
    remove: 'Remove {name}',
    note: 'Note forms',
  },
  personal: {
    toPersonal: 'Switch to personal mode',
    toShared: 'Switch to collaboration mode',
    owner: '(owner can change)',
    title: 'Setting the result display',
    personalize: 'Do you want to personalize your analysis?',
    collaborate: 'Do you want to collaborate your analysis?',
    action: 'Change',
  },
});

/** Texts of the field for users and roles. */
export const principalTexts = textArea('principals', {
  users: 'Users :',
  roles: 'Roles :',
  remove: 'Remove {name}',
  dismiss: 'Close suggestions',
});
