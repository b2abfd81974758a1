import { textArea } from '../text/areas.ts';

/** Texts of the revision control page. */
export const revisionControlTexts = textArea('revisionControl', {
  title: 'Revision control',
  // Quoted from the specification, which cuts some texts off; their ends were added here.
  notRead: "We couldn't get the revision control configuration for this notebook!",
  notSaved:
    "We couldn't save the revision control configuration for this notebook. Please try again.",
  notRemoved:
    "We couldn't remove the revision control configuration for this notebook. Please try again.",
  syncError:
    'There was an error applying the given revision control configuration. Please check the ' +
    'remote, the user and the token, and try again.',
  applied: 'Change to revision control configuration was successfully applied.',
  timedOut:
    'The request may have timed out, and the notes may still be syncing. Please try again or ' +
    'contact support.',

  lead:
    'Notes are pushed to a remote git repository. Changes that others push there are pulled ' +
    'into the notes.',
  notSupported: "This server doesn't keep revisions of notes, so there is nothing to configure.",
  noRemote:
    'Notes have revisions, which you commit, compare and restore in each note. A remote ' +
    "repository can't be set here: that is part of the configuration of the Zeppelin server.",
  notConfigured: 'Not configured',
  configured: 'Configured',
  saving: 'Saving…',
  syncing: 'Synchronising…',
  remoteUrl: 'Remote URL',
  remoteHint: 'For example https://git.example.org/team/notes.git',
  userName: 'User name',
  accessToken: 'Access token',
  tokenHint: 'The token is never shown. Leave this field unchanged to keep the saved one.',
  save: 'Save configuration',
  sync: 'Synchronise now',
  synced: 'The notes are synchronised with the remote.',
  notSynced: 'The notes could not be synchronised.',
  lastSynced: 'Synchronised on {date}.',
  lastFailed: 'Synchronising on {date} failed.',
  remove: 'Remove configuration',
  removeQuestion: 'Remove the revision control configuration?',
  removeText:
    'Notes are no longer pushed to the remote or pulled from it. The notes and their ' +
    'revisions stay in both places.',
  removed: 'The revision control configuration was removed.',
  blank: 'Fill in all three fields.',
});
