import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const codes = (text: string): number[] => Array.from(text, (unit) => unit.charCodeAt(0));
const bytes = (encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1', text: string): Uint8Array =>
  encoding === 'utf8'
    ? new TextEncoder().encode(text)
    : Uint8Array.from(
        codes(text).flatMap((code) => {
          const two = [code >> 8, code & 255];
          return encoding === 'latin1' ? code : encoding === 'utf16be' ? two : two.reverse();
        }),
      );
const text = '# %%\nname = "Müller, Straße"\n';

test.each([
  ['UTF-8', bytes('utf8', text), text],
  ['UTF-8 with a mark', bytes('utf8', `\uFEFF${text}`), text],
  ['UTF-16 with a mark', bytes('utf16le', `\uFEFF${text}`), text],
  ['UTF-16 without a mark', bytes('utf16le', text), text],
  ['big-endian UTF-16', bytes('utf16be', `\uFEFF${text}`), text],
  ['Latin-1', bytes('latin1', text), text],
  ['Windows-1252', bytes('latin1', 'a = "5 \x80 \x96 \x93x\x94"'), 'a = "5 € – “x”"'],
  [
    'a declared encoding',
    bytes('latin1', '#!x\n# coding: cp1251\n\xcf\xf0\xe8\xe2\xe5\xf2'),
    '#!x\n# coding: utf-8\nПривет',
  ],
  [
    'declared Latin-1',
    bytes('latin1', '# -*- coding: latin-1 -*-\n"\xfc"'),
    '# -*- coding: utf-8 -*-\n"ü"',
  ],
  ['Cyrillic without a declaration', bytes('latin1', 'a = "\xcf\xf0\xe8\xe2\xe5\xf2"'), undefined],
  ['Shift-JIS', Uint8Array.of(0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x81, 0x5b), undefined],
  ['a declaration that is unknown', bytes('latin1', '# coding: nope\n"\xfc"'), undefined],
  ['a declaration that is wrong', bytes('utf8', '# coding: ascii\n"ü"'), '# coding: ascii\n"ü"'],
  ['nothing', new Uint8Array(), ''],
])('%s', (_name, given, expected) => expect(decodeText(given)).toBe(expected));
