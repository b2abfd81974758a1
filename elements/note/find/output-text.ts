/** The text of an output as the reader sees it: without ANSI escape sequences and HTML tags. */

/** Characters processed between two yields. */
const yieldLength = 1 << 16;
const silent = /^<(script|style|template|noscript)\b/i;
const blocks = [
  'p|div|h[1-6]|li|ul|ol|tr|table|br|hr|pre',
  'section|article|header|footer|blockquote|dd|dt|dl',
];
const block = new RegExp(`^</?(${blocks.join('|')})\\b`, 'i');
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  copy: '©',
  middot: '·',
};

/**
 * Returns the visible text of HTML in steps: tags are removed, and block elements start new lines.
 * The result is plain text and must not be used as markup.
 */
export function* textOfHtml(html: string): Generator<void, string, undefined> {
  let out = '';
  let at = 0;
  let rested = 0;
  while (at < html.length) {
    if (at - rested > yieldLength) {
      rested = at;
      yield;
    }
    const open = html.indexOf('<', at);
    out += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) break;
    const head = html.slice(open, open + 16);
    if (head.startsWith('<!--')) {
      at = after(html, '-->', open);
    } else if (!/^<[/!?a-z]/i.test(head)) {
      out += '<';
      at = open + 1;
    } else {
      const name = silent.exec(head)?.[1];
      if (block.test(head)) out += '\n';
      at = endOfTag(html, open);
      if (name !== undefined) at = closing(html, name, at);
    }
  }
  return out.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** Returns the index after the `>` that ends a tag; a `>` in quotes does not end it. */
function endOfTag(html: string, open: number): number {
  const end = /[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/y;
  end.lastIndex = open;
  return end.test(html) ? end.lastIndex : after(html, '>', open);
}

function closing(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}\\b`, 'gi');
  end.lastIndex = from;
  const found = end.exec(html);
  return found ? endOfTag(html, found.index) : html.length;
}
