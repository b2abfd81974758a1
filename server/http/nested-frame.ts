/**
 * The page between a foreign page and a frame with untrusted HTML. A frame can lead itself to
 * another address, and with that tell it what it shows, unless the policy of the page around it
 * forbids it. The app has such a policy; a page that embeds an element may have none.
 */
import { createHash } from 'node:crypto';

/**
 * Passes `ready` to the outer page and its answers to the inner one, follows its colour scheme, and
 * reports the load of another page, of which the window gets no event. `loads`: how often the inner
 * page loads by itself.
 */
const script = (loads: number): string => `
let inner, ready = false, count = 0;
addEventListener('message', ({ data, source, ports }) => {
  inner ??= document.querySelector('iframe');
  if (source === inner?.contentWindow) {
    if (ready || data?.type !== 'ready') return;
    ready = true;
    parent.postMessage({ type: 'ready' }, '*');
  } else if (source === parent) {
    if (data?.colorScheme) document.documentElement.style.colorScheme = data.colorScheme;
    if (ports.length > 0) inner?.contentWindow.postMessage({ type: 'port' }, '*', [...ports]);
  }
});
document.addEventListener('load', ({ target }) => {
  if (target.localName !== 'iframe') return;
  count += 1;
  if (count > ${loads}) parent.postMessage({ type: 'left' }, '*');
}, true);
`;

const style = `
html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0;
  background: transparent; overflow: hidden; }
`;

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns the page around a frame of this server, and its policy. `path` is relative to the
 * server's address, such as `output-frame/1`; the page is served below `nested/`.
 */
export function nestedFrame(path: string): { readonly html: string; readonly policy: string } {
  // An output loads twice: its page, and the output that is written into it.
  const code = script(path.startsWith('output-frame/') ? 2 : 1);
  // Relative, because a proxy may serve the server below a path.
  const address = `${'../'.repeat(path.split('/').length)}${path}?nested`;
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="color-scheme" content="light dark"><title>Output</title>' +
      `<style>${style}</style><script>${code}</script></head><body>` +
      `<iframe src="${address}" title="Output" sandbox="allow-scripts" allow="" ` +
      'referrerpolicy="no-referrer"></iframe></body></html>',
    policy:
      "sandbox allow-scripts; default-src 'none'; frame-src 'self'; " +
      `script-src ${hash(code)}; style-src ${hash(style)}; ` +
      "form-action 'none'; base-uri 'none'; frame-ancestors *",
  };
}
