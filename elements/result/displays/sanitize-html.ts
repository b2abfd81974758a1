import DOMPurify, { type Config } from 'dompurify';
import { allowedClass } from './html/html-kinds.ts';

/** Sanitized HTML, as a Trusted Types value where the page's policy requires it. */
type SafeHtml = ReturnType<typeof create> extends (html: string) => infer Result ? Result : never;

/**
 * The only DOMPurify configuration. It forbids custom elements, attributes that the page's scripts
 * or styles could refer to (`data-*`, `id`, `name`, `form`, `style`), and elements that could
 * imitate controls of the workbench.
 */
const config: Config & { RETURN_TRUSTED_TYPE: true } = {
  USE_PROFILES: { html: true, mathMl: true },
  RETURN_TRUSTED_TYPE: true,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  FORBID_ATTR: (
    'id name form style slot part is tabindex autofocus popover contenteditable accesskey usemap ' +
    'background srcset'
  ).split(' '),
  FORBID_TAGS: (
    'style form input button select option optgroup textarea fieldset dialog slot template map ' +
    'area audio video source track marquee menu'
  ).split(' '),
};

function isLocalImage(src: string): boolean {
  if (/^(?:data|blob):/i.test(src)) return true;
  return (
    URL.canParse(src, document.baseURI) &&
    new URL(src, document.baseURI).origin === window.location.origin
  );
}

function create() {
  const purify = DOMPurify(window);
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.hasAttribute('class')) {
      const kept = [...node.classList].filter((name) => allowedClass.test(name));
      if (kept.length > 0) node.setAttribute('class', kept.join(' '));
      else node.removeAttribute('class');
    }
    node.removeAttribute('target');
    if (node.localName === 'img' && !isLocalImage(node.getAttribute('src') ?? '')) {
      // Loading it would tell another host who reads the note.
      if (!node.getAttribute('alt')) node.setAttribute('alt', node.getAttribute('src') ?? '');
      node.removeAttribute('src');
    }
    if (node.localName === 'a' && /^https?:/i.test(node.getAttribute('href') ?? '')) {
      node.setAttribute('target', '_blank');
      node.setAttribute('rel', 'noopener noreferrer');
    }
  });
  return (html: string) => purify.sanitize(html, config);
}

const shared = Symbol.for('tiding.sanitize.3');
type Global = typeof globalThis & { [shared]?: ReturnType<typeof create> };

/**
 * Sanitizes untrusted HTML for insertion into the page.
 *
 * A page's policy may allow a Trusted Types policy name to be created only once, and DOMPurify
 * creates one per copy. All copies of this module on a page therefore share one function through a
 * global symbol.
 *
 * @throws Error if DOMPurify cannot create its policy; show the HTML in a frame instead.
 */
export function sanitizeHtml(html: string): SafeHtml {
  const global = globalThis as Global;
  const filter = (global[shared] ??= create());
  // Without its policy DOMPurify cannot parse at all and returns an empty string for every input.
  if (String(filter('<b>x</b>')) !== '<b>x</b>')
    throw new Error('HTML cannot be sanitized on this page.');
  return filter(html);
}
