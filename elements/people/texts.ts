import { textArea } from '../text/areas.ts';

/** Texts of the page of people. */
export const peopleTexts = textArea('people', {
  title: 'People',
  lead: 'Users of this server. Notes and settings name users and roles in their permissions.',
  invite: 'Invite people',
  failed: 'The users could not be loaded.',
  filter: 'Find people',
  count: '{n} users',
  countOne: '1 user',

  // The table
  name: 'User',
  roles: 'Roles',
  lastSignIn: 'Last sign-in',
  sessions: 'Sessions',
  actions: 'Actions',
  menu: 'Actions for {name}',
  you: 'You',
  disabled: 'Disabled',
  invited: 'Invited',
  inviteExpired: 'Invitation expired',
  inviteUntil: 'The link works until {when}',
  sso: 'Single sign-on',
  service: 'Service account',
  never: 'Never',
  noRoles: 'None',
  signedIn: '{n} sessions of {name}',
  signedInOne: '1 session of {name}',
  since: 'Last sign-in {when}',
  sinceNever: 'Never signed in',
  sessionCount: '{n} sessions',
  sessionCountOne: '1 session',

  // Actions
  changeRoles: 'Change roles',
  showSessions: 'Show sessions',
  resetPassword: 'Reset password',
  inviteAgain: 'New invitation link',
  signOut: 'Sign out everywhere',
  signOutOthers: 'Sign out my other pages',
  disable: 'Disable',
  enable: 'Enable',
  remove: 'Remove',
  rolesSaved: 'The roles of {name} were changed.',
  disabledNow: '{name} is disabled and signed out.',
  enabledNow: '{name} can sign in again.',
  signedOut: '{name} is signed out everywhere.',
  signedOutOthers: 'Your other sessions have ended.',
  removed: '{name} was removed.',
  changeFailed: '{name} could not be changed.',
  linkFailed: 'A link for {name} could not be created.',
  removeFailed: '{name} could not be removed.',
  confirmRemove: 'Remove {name}?',
  confirmRemoveText:
    'Their sessions, access tokens, files and permissions are deleted, and their schedules end. ' +
    'Their notes stay. This can’t be undone. To keep the account, disable it.',
  confirmRemoveAction: 'Remove user',

  // Your own account
  noPassword:
    'You have no password. You sign in with the link that each start of the server prints.',
  setPassword: 'Set a password',

  // Inviting
  inviteTitle: 'Invite people',
  names: 'E-mail addresses or user names',
  namesHint: 'One on each line, or separated by commas.',
  inviteHint:
    'Each person gets a link to set a password. It works once, within seven days. The server ' +
    'mails it if it can; otherwise you get the links to pass on.',
  inviteAction: 'Invite',
  inviteActionSome: 'Invite {n} people',
  inviteFailed: 'The invitation failed.',

  // Roles
  rolesTitle: 'Roles of {name}',
  saveRoles: 'Save roles',
  rights: {
    'global.SuperAdmin': 'Administers the server: people, interpreters, packages, settings',
    'magpie.OrganizationAdmin': 'Administers interpreters and the command language',
    'magpie.AccessToken': 'Has access tokens for scripts and the command line',
    notebook_admin: 'Owns every note',
  } as Readonly<Record<string, string>>,
  otherRoles: 'Other roles',
  otherRolesHint: 'For lists of permissions, such as analysts. A new name creates a role.',
  rolesLater: 'Open pages of the user show other menus after they are loaded again.',

  // Links
  linkTitle: 'Link for {name}',
  linksTitle: 'Invitations',
  linkText:
    'Send the link to {name}. It sets a password and works once, until {when}. It is shown ' +
    'only now.',
  linksText:
    'Send each person their link. It sets a password and works once, until {when}. The links are ' +
    'shown only now.',
  ownLinkText: 'The link sets your password. It works once, until {when}.',
  link: 'Link for {name}',
  copy: 'Copy',
  copyNamed: 'Copy the link for {name}',
  copyAll: 'Copy all',
  openLink: 'Set it now',
  mailed: 'The server has sent a link by mail to {names}. It works once, until {when}.',
  notInvited: '{name} was not invited: {reason}',
  done: 'Done',

  // Sessions
  sessionsTitle: 'Sessions of {name}',
  sessionsFailed: 'The sessions could not be loaded.',
  noSessions: 'There are no sessions. Access tokens are not listed.',
  startedAt: 'Signed in {when}',
  tokensStay: 'Signing out does not end access tokens. To stop them, disable the user.',
  openNow: 'Open now',
  lastUsed: 'Last used {when}',
  thisSession: 'This session',
});
