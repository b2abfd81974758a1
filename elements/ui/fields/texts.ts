import { textArea } from '../../text/areas.ts';

/** Texts of the field for users and roles. */
export const principalTexts = textArea('principals', {
  users: 'Users :',
  roles: 'Roles :',
  remove: 'Remove {name}',
  dismiss: 'Close suggestions',
});
