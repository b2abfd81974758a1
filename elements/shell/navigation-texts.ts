import { textArea } from '../text/areas.ts';

/** Texts of the navigation. */
export const navigationTexts = textArea('navigation', {
  main: 'Main',
  menu: 'Menu',
  notes: 'Notes',
  newNote: 'New note',
  importNote: 'Import',
  allNotes: 'All notes',
  settings: 'Settings',
  shortcuts: 'Keyboard shortcuts',
  documentation: 'Documentation',
  signedInAs: 'Signed in as {name}, {connection}',
  workspace: 'Workspace',
  account: 'Account',
  search: 'Search notes',
  jobs: 'Jobs',
  clusters: 'Clusters',
  connections: 'Connections',
  people: 'People',
  interpreters: 'Interpreters',
  credentials: 'Credentials',
  packages: 'Packages',
  revisionControl: 'Revision control',
  configuration: 'Configuration',
  accessTokens: 'Access tokens',
});
