import { textArea } from './areas.ts';

/** Texts of many elements. */
export const commonTexts = textArea('', {
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  reloadPage: 'Reload the page',
  regionFailed: 'This part of the page has stopped working.',
  typedTexts: 'What you typed there:',
  noServer:
    'This element has no server. Set its "server" attribute, or put it inside ' +
    '<tiding-workbench server="…">.',
  noToken:
    'Waiting for a token. A page on another origin signs in with an access token: set the ' +
    '"token" property.',
  noNote: 'This element has no note. Set its "note" attribute.',
  loading: 'Loading…',
  connecting: 'Connecting…',
  signedOut: 'Not signed in.',
  noteMissing: 'This note cannot be opened.',
  gone: 'This note was removed.',
  jobs: 'Jobs',
  job: 'Jobs #{n}',
  paragraphMissing: "Cannot find a paragraph with id '{id}'",
  insufficient: 'Insufficient privileges',
});
