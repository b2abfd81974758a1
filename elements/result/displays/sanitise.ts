import DOMPurify, { type Config } from 'dompurify';

/** What passed the filter, in the form the page policy asks for. */
export type SafeHtml =
  ReturnType<typeof create> extends (html: string) => infer Result ? Result : never;

/**
 * The one configuration. No element of ours or of anybody else, no hooks for scripts or styles of the page (`data-*`,
 * `id`, `name`, `form`, `style`), nothing that looks like a control of the workbench.
 */
const config: Config & { RETURN_TRUSTED_TYPE: true } = {
  USE_PROFILES: { html: true },
  RETURN_TRUSTED_TYPE: true,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  FORBID_ATTR: [
    'id',
    'name',
    'form',
    'style',
    'slot',
    'part',
    'is',
    'tabindex',
    'autofocus',
    'popover',
    'contenteditable',
    'accesskey',
    'usemap',
    'background',
    'srcset',
  ],
  FORBID_TAGS: [
    'style',
    'form',
    'input',
    'button',
    'select',
    'option',
    'optgroup',
    'textarea',
    'fieldset',
    'dialog',
    'slot',
    'template',
    'map',
    'area',
    'audio',
    'video',
    'source',
    'track',
    'marquee',
    'menu',
  ],
};

/** Classes an output may wear; others could dress it up as a part of the page. */
const allowedClass =
  /^(?:markdown-body|language-[\w+#-]+|hljs[\w-]*|task-list[\w-]*|contains-task-list|footnote[\w-]*)$/;

function create() {
  const purify = DOMPurify(window);
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.hasAttribute('class')) {
      const kept = [...node.classList].filter((name) => allowedClass.test(name));
      if (kept.length > 0) node.setAttribute('class', kept.join(' '));
      else node.removeAttribute('class');
    }
    node.removeAttribute('target');
    if (node.localName === 'a' && /^https?:/i.test(node.getAttribute('href') ?? '')) {
      node.setAttribute('target', '_blank');
      node.setAttribute('rel', 'noopener noreferrer');
    }
  });
  return (html: string) => purify.sanitize(html, config);
}

const shared = Symbol.for('tiding.sanitise.1');
type Global = typeof globalThis & { [shared]?: ReturnType<typeof create> };

/**
 * Untrusted HTML, safe to insert. A page policy lets a Trusted Types policy be made once, and DOMPurify makes one per
 * copy: all copies of this module on a page share the function of the first. Throws where none can be had; show the
 * text in a frame then.
 */
export function sanitise(html: string): SafeHtml {
  const global = globalThis as Global;
  const filter = (global[shared] ??= create());
  // Without its policy DOMPurify cannot parse at all and returns nothing for everything.
  if (String(filter('<b>x</b>')) !== '<b>x</b>') throw new Error('HTML cannot be filtered here');
  return filter(html);
}
