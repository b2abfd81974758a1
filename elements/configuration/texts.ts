import { textArea } from '../text/areas.ts';

/** Texts of the server configuration page. */
export const configurationTexts = textArea('configuration', {
  title: 'Configuration',
  note: 'Passwords and other secrets are not shown.',
  filter: 'Filter by name or value',
  none: "This server doesn't expose its configuration. Ask an administrator.",
  failed: 'The configuration could not be loaded.',
  name: 'Name',
  value: 'Value',
  total: '{n} settings',
  one: '1 setting',
  storages: 'Notebook Repository',
  storagesNote: 'Where notes are stored, and the settings of that storage.',
  noSettings: 'Currently there are no settings for this notebook repository.',
  edit: 'Edit',
  editOf: 'Edit the settings of {name}',
  save: 'Save',
  saved: 'Settings of {name} saved.',
  // Quoted from Zeppelin.
  saveFailed: "We couldn't save that NotebookRepo's settings",
});
