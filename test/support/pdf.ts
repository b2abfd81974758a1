/**
 * Extracts the text of a PDF printed by Chromium, as a reader, a search or a screen reader finds
 * it.
 */
import { inflateSync } from 'node:zlib';

/** Text of each page, in glyph order. A move of the pen counts as a space. */
export function pdfPages(pdf: Buffer): string[] {
  const source = pdf.toString('latin1');
  const objects = new Map<string, { head: string; stream: string }>();
  for (const match of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', ...rest] = match[2]!.split('>> stream\n');
    const body = rest.join('>> stream\n').replace(/\nendstream$/, '');
    const stream =
      body === ''
        ? ''
        : /\/FlateDecode/.test(head)
          ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1')
          : body;
    objects.set(match[1]!, { head, stream });
  }
  const glyphs = new Map<string, Map<number, string>>();
  const glyphsOf = (font: string): Map<number, string> => {
    let known = glyphs.get(font);
    if (!known)
      glyphs.set(
        font,
        (known = readMap(
          objects.get(/\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '')?.[1] ?? '')
            ?.stream ?? '',
        )),
      );
    return known;
  };
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
    .map(({ head }) => {
      const fonts = new Map(
        [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, object]) => [name!, object!]),
      );
      const content = objects.get(/\/Contents (\d+) 0 R/.exec(head)![1]!)!.stream;
      let font = '';
      let text = '';
      for (const [, name, hex, move] of content.matchAll(
        /\/(F\d+) [\d.]+ Tf|<([\da-fA-F]+)>|(\bTm\b|\bBT\b)/g,
      )) {
        if (name !== undefined) font = fonts.get(name) ?? '';
        else if (move !== undefined) text += ' ';
        else {
          // Type 3 fonts have one byte per glyph, other fonts two.
          const size = /Type3/.test(objects.get(font)?.head ?? '') ? 2 : 4;
          const known = glyphsOf(font);
          for (let at = 0; at < hex!.length; at += size)
            text += known.get(Number.parseInt(hex!.slice(at, at + size), 16)) ?? '';
        }
      }
      return text.replace(/\s+/g, ' ');
    });
}

/** Reads a CMap, which maps glyph numbers to characters. */
function readMap(map: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  const decode = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, body] of map.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g)) {
    for (const [, glyph, text] of body!.matchAll(/<([\da-fA-F]+)> <([\da-fA-F]+)>/g))
      glyphs.set(Number.parseInt(glyph!, 16), decode(text!));
  }
  for (const [, body] of map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)) {
    for (const [, from, to, first] of body!.matchAll(
      /<([\da-fA-F]+)> <([\da-fA-F]+)> <([\da-fA-F]+)>/g,
    )) {
      const start = Number.parseInt(from!, 16);
      for (let glyph = start; glyph <= Number.parseInt(to!, 16); glyph += 1)
        glyphs.set(glyph, String.fromCodePoint(Number.parseInt(first!, 16) + glyph - start));
    }
  }
  return glyphs;
}
