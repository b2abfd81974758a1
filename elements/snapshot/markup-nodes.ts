/**
 * Markup as data, from which pages make elements without parsing HTML: parsing it needs a policy of
 * Trusted Types.
 */
import { entities } from '../result/parts/entities.ts';

/** A text, or an element: its tag, its attributes and its children. */
export type MarkupNode =
  | string
  | readonly [
      tag: string,
      attributes: Readonly<Record<string, string>>,
      children: readonly MarkupNode[],
    ];

const VOID = /^(?:br|hr|img|col|wbr|input)$/;
const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;

/** Replaces references by their characters. Throws for names that only browsers know. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name: string) => {
    if (name) {
      // In texts of pages, a hard space keeps its meaning.
      if (name === 'nbsp') return '\u00a0';
      if (!Object.hasOwn(entities, name)) throw new SyntaxError(`unknown reference ${all}`);
      return entities[name]!;
    }
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });

type Open = [string, Record<string, string>, MarkupNode[]];

/** Reads the markup of one element, as snapshots write it. Throws if it is anything else. */
export function markupNode(html: string): MarkupNode {
  const top: Open = ['', {}, []];
  const open = [top];
  for (let at = 0; at < html.length; ) {
    const [around, , siblings] = open.at(-1)!;
    const next = html.indexOf('<', at);
    const end = next < 0 ? html.length : next;
    if (end > at) {
      siblings.push(decoded(html.slice(at, end)));
      at = end;
      continue;
    }
    TAG.lastIndex = at;
    const [tag, slash, name = '', rest = '', empty] = TAG.exec(html) ?? [];
    if (tag === undefined) throw new SyntaxError(`no tag: ${html.slice(at, at + 40)}`);
    at += tag.length;
    if (slash) {
      if (around !== name) throw new SyntaxError(`</${name}> ends <${around}>`);
      open.pop();
      continue;
    }
    const made: Open = [name, {}, []];
    for (const [, key, value = ''] of rest.matchAll(ATTRIBUTE)) made[1][key!] = decoded(value);
    siblings.push(made);
    if (!empty && !VOID.test(name)) open.push(made);
  }
  const [node, ...others] = top[2];
  if (open.length > 1 || others.length > 0 || typeof node !== 'object')
    throw new SyntaxError('not one element');
  return node;
}
