/** Sentences of the page of revision control. */
export const revisionControlTexts = {
  title: 'Revision control',
  // The specification's client, word for word; where it does not show the end of a sentence, the end is ours.
  notRead: "We couldn't get the revision control configuration for this notebook!",
  notSaved:
    "We couldn't save the revision control configuration for this notebook. Please try again.",
  notRemoved:
    "We couldn't remove the revision control configuration for this notebook. Please try again.",
  syncError:
    'There was an error applying the given revision control configuration. Please check the remote, the user and the token, and try again.',
  applied: 'Change to revision control configuration was successfully applied.',
  timedOut:
    'The request may have timed out, and the notes may still be syncing. Please try again or contact support.',

  lead: 'Notes are pushed to a remote git repository, and what others push there comes back into the notes.',
  notSupported: 'This server keeps no revisions of notes: there is nothing to control.',
  notConfigured: 'Not configured',
  configured: 'Configured',
  saving: 'Saving…',
  syncing: 'Synchronising…',
  remoteUrl: 'Remote URL',
  remoteHint: 'For example https://git.example.org/team/notes.git',
  userName: 'User name',
  accessToken: 'Access token',
  tokenHint: 'It is never shown. Leave it as it is to keep the one that is saved.',
  save: 'Save configuration',
  sync: 'Synchronise now',
  synced: 'The notes are synchronised with the remote.',
  notSynced: 'The notes could not be synchronised.',
  lastSynced: 'Synchronised on {date}.',
  lastFailed: 'The sync of {date} failed.',
  remove: 'Remove configuration',
  removeQuestion: 'Remove the revision control configuration?',
  removeText:
    'Notes are no longer pushed to the remote and nothing comes from it. The notes and their revisions stay on both sides.',
  removed: 'The revision control configuration is removed.',
  blank: 'Fill in all three fields.',
};
