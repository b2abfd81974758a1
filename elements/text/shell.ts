/** Sentences of the app around the elements. */
export const shellTexts = {
  product: 'Tiding',
  main: 'Main',
  home: 'Home',
  paragraph: 'Paragraph of a note',
  skip: 'Skip to content',
  logout: 'Logout',
  // The specification's client, word for word.
  connected: 'WebSocket Connected',
  disconnected: 'WebSocket Disconnected',
  leave: 'Do you want to leave this site?',
};
