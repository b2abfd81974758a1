/** Sentences of the page of the server's configuration. */
export const configurationTexts = {
  title: 'Configuration',
  note: 'Passwords and other secrets are not shown.',
  filter: 'Filter by name or value',
  none: 'The server tells nothing of its configuration.',
  failed: 'The configuration could not be loaded.',
  name: 'Name',
  value: 'Value',
  total: '{n} settings',
  one: '1 setting',
  storages: 'Notebook Repository',
  storagesNote: 'Where notes are stored, and what may be set of it.',
  noSettings: 'Currently there are no settings for this notebook repository.',
  edit: 'Edit',
  editOf: 'Edit the settings of {name}',
  save: 'Save',
  saved: 'Settings of {name} saved.',
  // Upstream's, word for word.
  saveFailed: "We couldn't save that NotebookRepo's settings",
};
