import { textArea } from '../../text/areas.ts';

/** Texts of the dialog that shares a note or a paragraph. */
export const shareTexts = textArea('share', {
  title: 'Share note',
  paragraphTitle: 'Share paragraph',
  address: 'Address',
  addressHint: 'For users of this server who may read the note.',
  publish: 'Publish as a report',
  publishHint:
    'Everybody who opens the note sees titles, text, forms and results, and no code. You can ' +
    'return to the default layout in the bar at any time.',
  copyAddress: 'Copy address',
  copyCode: 'Copy code',
  embed: 'Embed in a web page',
  code: 'Code',
  codes: {
    tag: 'HTML tag',
    frame: 'HTML frame',
    react: 'React component',
    token: 'Token endpoint (Node.js)',
  },
  hints: {
    tag: 'Paste it into the page. It requests a token at /tiding-token: see Token endpoint.',
    frame:
      'The same in a frame of this server, for pages with styles or policies that get in the way.',
    react: 'Install @tiding/elements. It requests a token at /tiding-token: see Token endpoint.',
    token: 'Serve it at /tiding-token of your site, for visitors who may see the report.',
  },
  origin: 'The server must list the origin of the page: start it with --allow-origin.',
});
