import { textArea } from '../text/areas.ts';

/** Texts of the app around the elements. */
export const shellTexts = textArea('app', {
  product: 'Tiding',
  main: 'Main',
  home: 'Home',
  paragraph: 'Paragraph of a note',
  skip: 'Skip to content',
  logout: 'Logout',
  // Quoted from the specification.
  connected: 'WebSocket Connected',
  disconnected: 'WebSocket Disconnected',
  loggedOut: 'Logout Success',
  browserTooOld:
    'Your browser is too old or too weird to support log out functionality. Close all ' +
    'windows and restart the browser.',
  logoutFailed: 'You are still signed in: {reason}',
  leave: 'Do you want to leave this site?',
});
