/** What a reader sees of an output, as text: without colours of a terminal, without tags. */
import type { Output } from 'tiding/client';
import { createTableParser, type TableData } from 'tiding/model';

/** Characters between two chances to rest. */
const stretch = 1 << 16;
const tables = new WeakMap<Output, TableData>();

/** The table of an output; read once a record, and in steps. */
export function* tableToRead(output: Output): Generator<void, TableData, undefined> {
  const known = tables.get(output);
  if (known) return known;
  const parser = createTableParser();
  for (let chunk = 0; chunk < output.count; chunk += 1) {
    const text = output.chunks[chunk]!;
    for (let at = 0; at < text.length; at += stretch) {
      parser.write(text.slice(at, at + stretch));
      yield;
    }
  }
  const { table } = parser;
  tables.set(output, table);
  return table;
}

// eslint-disable-next-line no-control-regex -- the escape character is what it is about
const colours = /\u001b\[[\d;?]*[A-Za-z]/g;

/** Text without the control sequences of a terminal. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(colours, '') : text;
}

const silent = /^<(script|style|template|noscript)\b/i;
const block =
  /^<\/?(p|div|h[1-6]|li|ul|ol|tr|table|br|hr|pre|section|article|header|footer|blockquote|dd|dt|dl)\b/i;
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

/** The text that HTML shows: tags out, blocks on lines of their own. No markup is made from it. Works in steps. */
export function* textOfHtml(html: string): Generator<void, string, undefined> {
  let out = '';
  let at = 0;
  let rested = 0;
  while (at < html.length) {
    if (at - rested > stretch) {
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

/** Behind the `>` of a tag; one in quotes does not end it. */
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
