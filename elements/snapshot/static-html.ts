/**
 * Untrusted HTML without a DOM, which servers lack. The result is written anew from an allowlist
 * instead of being cut out of the input: it has only the elements and attributes below, all text is
 * escaped, and every element is closed. Elements whose content browsers read in another way
 * (`style`, `noscript`, `svg`, …) are not among them, so the result means the same everywhere.
 */
import { escapeHtml } from '@tiding/client/model';
import { allowedClass } from '../result/displays/html/html-kinds.ts';
import { imageSource } from '../result/displays/image.tsx';
import { entities } from '../result/parts/entities.ts';

const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);
const ALLOWED = new Set([
  ...VOID,
  ...(
    'a abbr address article aside b bdi bdo blockquote caption center cite code colgroup dd del ' +
    'details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header i ins kbd ' +
    'li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary ' +
    'sup table tbody td tfoot th thead time tr tt u ul var ' +
    'math semantics mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ' +
    'ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
  ).split(' '),
]);
/** Elements that are left out with their content. */
const OPAQUE = new Set(
  (
    'annotation annotation-xml applet audio canvas frameset iframe noembed noframes noscript ' +
    'object option plaintext script select style template textarea title video xmp'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'abbr align alt class colspan datetime dir display height href lang mathvariant open ' +
    'reversed rowspan scope span src start stretchy title type value valign width'
  ).split(' '),
);
const LIST_TYPES = /^(?:[1aAiI]|disc|circle|square)$/;

/** Escapes text that may contain references. Unknown names are left to the browser. */
const escapedReferences = (text: string): string =>
  text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{2,31});|[&<>"]/gi, (found) =>
    found.length > 1 ? found : escapeHtml(found),
  );

/** Replaces the references that could hide the scheme of an address. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));?/gi, (all, decimal, hex, name: string) => {
    if (name) return entities[name.toLowerCase()] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

/** A comment, a declaration or a tag. The alternatives differ in their first character. */
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/iy;
/** Elements inside each other. Deeper ones are left out, their text stays. */
const MAX_DEPTH = 250;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Returns an address that may be a link, or `undefined`. */
function linkOf(href: string): string | undefined {
  // Browsers ignore these characters inside a scheme.
  const plain = [...href].filter((sign) => sign > ' ').join('');
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
  return scheme === undefined ? undefined : /^(?:https?|mailto)$/.test(scheme) ? plain : undefined;
}

function attributesOf(name: string, text: string): string {
  const parts: string[] = [];
  const given = new Map<string, string>();
  for (const [, key, quoted, single, bare] of text.matchAll(ATTRIBUTE)) {
    const lower = key!.toLowerCase();
    if (ATTRIBUTES.has(lower) && !given.has(lower))
      given.set(lower, decoded(quoted ?? single ?? bare ?? ''));
  }
  for (const [key, value] of given) {
    let kept: string | null | undefined = value;
    if (key === 'class')
      kept = value
        .split(/\s+/)
        .filter((each) => allowedClass.test(each))
        .join(' ');
    else if (key === 'href') kept = name === 'a' ? linkOf(value) : undefined;
    else if (key === 'src')
      kept = name === 'img' && /^\s*data:/.test(value) ? imageSource('IMG', value) : null;
    else if (key === 'type') kept = LIST_TYPES.test(value) ? value : undefined;
    if (kept === undefined || kept === null || (key === 'class' && kept === '')) continue;
    parts.push(` ${key}="${escapeHtml(kept)}"`);
  }
  if (name === 'a' && parts.some((part) => part.startsWith(' href="http')))
    parts.push(' target="_blank" rel="noopener noreferrer"');
  return parts.join('');
}

/** Position after the end tag of an element that is left out with its content. */
function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  end.lastIndex = from;
  const close = end.test(html) ? html.indexOf('>', end.lastIndex) : -1;
  return close < 0 ? html.length : close + 1;
}

/** Returns untrusted HTML with the elements and attributes that static text needs. */
export function staticHtml(html: string): string {
  const out: string[] = [];
  const open: string[] = [];
  const close = (count: number): void => {
    for (const name of open.splice(count).reverse()) out.push(`</${name}>`);
  };
  let at = 0;
  let from = 0;
  for (;;) {
    const start = html.indexOf('<', from);
    if (start < 0) break;
    TOKEN.lastIndex = start;
    const found = TOKEN.exec(html);
    if (!found) {
      // Without its end, a tag has no end further on either.
      if (/[a-z/!?]/i.test(html[start + 1] ?? '')) break;
      from = start + 1;
      continue;
    }
    out.push(escapedReferences(html.slice(at, start)));
    at = TOKEN.lastIndex;
    const [, slash, tag = '', rest = ''] = found;
    const name = tag.toLowerCase();
    if (slash) {
      const place = open.lastIndexOf(name);
      if (place >= 0) close(place);
    } else if (name === 'svg') {
      at = endOf(html, name, at);
      // An SVG inside <img> runs no scripts and loads no resources.
      out.push(`<img alt="" src="${escapeHtml(imageSource('SVG', html.slice(start, at)) ?? '')}">`);
    } else if (OPAQUE.has(name)) at = endOf(html, name, at);
    else if (ALLOWED.has(name) && open.length < MAX_DEPTH) {
      out.push(`<${name}${attributesOf(name, rest)}>`);
      if (!VOID.has(name)) open.push(name);
    }
    from = at;
  }
  out.push(escapedReferences(html.slice(at)));
  close(0);
  return out.join('');
}

/** Whether markup shows anything: a text or an image. */
export const isVisible = (markup: string): boolean =>
  /<img\b|<hr\b/.test(markup) || markup.replace(/<[^>]*>|&nbsp;/g, '').trim() !== '';
