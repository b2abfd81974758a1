/**
 * Extracts the text of a PDF printed by Chromium, as a reader, a search or a screen reader finds
 * it.
 */
import { inflateSync } from 'node:zlib';

type PdfObjects = Map<string, { head: string; stream: string }>;

/** Objects of the file by number. */
function pdfObjects(pdf: Buffer): PdfObjects {
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
  return objects;
}

const pages = (objects: PdfObjects) =>
  [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));

const contentOf = (objects: PdfObjects, head: string): string =>
  objects.get(/\/Contents (\d+) 0 R/.exec(head)![1]!)!.stream;

/** Text of each page, in glyph order. A move of the pen counts as a space. */
export function pdfPages(pdf: Buffer): string[] {
  const objects = pdfObjects(pdf);
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
  return pages(objects).map(({ head }) => {
    const fonts = new Map(
      [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, object]) => [name!, object!]),
    );
    const content = contentOf(objects, head);
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

/** A filled shape on a page. */
interface PdfFill {
  /** Index of the page. */
  readonly page: number;
  /** Red, green and blue from 0 to 1, as written. */
  readonly color: string;
  /** Bounds in points, from the left and bottom edge of the paper. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

type Matrix = readonly [number, number, number, number, number, number];

/** Reads the filled shapes of a PDF printed by Chromium, in drawing order. */
export function pdfFills(pdf: Buffer): PdfFill[] {
  const objects = pdfObjects(pdf);
  return pages(objects).flatMap(({ head }, page) => {
    const fills: PdfFill[] = [];
    const stack: { matrix: Matrix; color: string }[] = [];
    let state: { matrix: Matrix; color: string } = { matrix: [1, 0, 0, 1, 0, 0], color: '0 0 0' };
    let given: number[] = [];
    let points: (readonly [number, number])[] = [];
    const add = (x: number, y: number): void => {
      const [a, b, c, d, e, f] = state.matrix;
      points.push([a * x + c * y + e, b * x + d * y + f]);
    };
    for (const word of contentOf(objects, head).split(/\s+/)) {
      if (/^[-.\d]+$/.test(word)) {
        given.push(Number(word));
        continue;
      }
      const [n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0] = given.slice(-6);
      if (word === 'q') stack.push(state);
      else if (word === 'Q') state = stack.pop() ?? state;
      else if (word === 'cm') {
        const [a, b, c, d, e, f] = state.matrix;
        const matrix: Matrix = [
          a * n0 + c * n1,
          b * n0 + d * n1,
          a * n2 + c * n3,
          b * n2 + d * n3,
          a * n4 + c * n5 + e,
          b * n4 + d * n5 + f,
        ];
        state = { ...state, matrix };
      } else if (word === 'rg') state = { ...state, color: given.slice(-3).join(' ') };
      else if (word === 're') {
        add(n0, n1);
        add(n0 + n2, n1 + n3);
      } else if (word === 'm' || word === 'l') add(n0, n1);
      else if (word === 'c') add(n4, n5);
      else if (/^(f\*?|B\*?)$/.test(word) && points.length > 0) {
        const xs = points.map(([x]) => x);
        const ys = points.map(([, y]) => y);
        fills.push({
          page,
          color: state.color,
          left: Math.min(...xs),
          right: Math.max(...xs),
          bottom: Math.min(...ys),
          top: Math.max(...ys),
        });
      }
      if (/^(f\*?|B\*?|S|n)$/.test(word)) points = [];
      given = [];
    }
    return fills;
  });
}
