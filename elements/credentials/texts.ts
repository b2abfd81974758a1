import { textArea } from '../text/areas.ts';

/**
 * Texts of the credentials page. Toasts, the confirmation and the introduction are quoted from the
 * specification.
 */
export const credentialTexts = textArea('credentials', {
  title: 'Credentials',
  lead: 'Manage your credentials. You can add new credential information.',
  add: 'Add credential',
  addTitle: 'Add new credential',
  filter: 'Filter credentials',
  none: 'Currently there is no credential information',
  failed: 'The credentials could not be loaded.',
  entity: 'Entity',
  entityPlaceholder: '[Interpreter Group].[Interpreter Name]',
  username: 'Username',
  password: 'Password',
  hidden: '**********',
  noPassword: 'No password',
  unchanged: 'Unchanged',
  actions: 'Actions',
  edit: 'Edit the credential of {entity}',
  remove: 'Remove the credential of {entity}',
  save: 'Save',
  usernameOf: 'Username for {entity}',
  passwordOf: 'Password for {entity}',
  saveEntity: 'Save the credential of {entity}',
  cancelEntity: 'Cancel editing the credential of {entity}',
  confirmRemove: 'Do you want to delete this credential information?',
  removeAction: 'Delete',
  empty: 'Username \\ Entity can not be empty.',
  uniqueKey: 'Since entity is a unique key, you can edit only username & password',
  saved: 'Successfully saved credentials.',
  addFailed: 'Error saving credentials',
  editFailed: 'We could not save the credential',
  removed: 'Credential deleted.',
  removeFailed: 'The credential could not be deleted.',
  replaces: 'A credential for this entity already exists. It will be replaced.',
});
