import { describe, expect, it } from 'vitest';
import { checkImage } from '../files/images.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const problemOf = (name: string, content: string): string | undefined => {
  try {
    checkImage(name, bytes(content));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the check of images', () => {
  it('accepts each type by its content, and ignores other files', () => {
    for (const [name, content] of [
      ['a.png', '\x89PNG\r\n\x1a\nrest'],
      ['a.JPG', '\xff\xd8\xff\xe0'],
      ['a.jpeg', '\xff\xd8\xff\xe0'],
      ['a.gif', 'GIF89a'],
      ['a.webp', 'RIFF\0\0\0\0WEBPVP8 '],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
      ['b.svg', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- by hand -->\n<svg></svg>'],
      ['a.csv', '<script>'],
    ] as const)
      expect(problemOf(name, content), name).toBeUndefined();
  });

  it('refuses other content', () => {
    for (const [name, content] of [
      ['a.png', '<svg></svg>'],
      ['a.png', ''],
      ['a.jpg', '\x89PNG\r\n\x1a\n'],
      ['a.webp', 'RIFF\0\0\0\0WAVE'],
      ['a.svg', '<html><svg></svg></html>'],
    ] as const)
      expect(problemOf(name, content), name).toContain(`${name} is not an image of the type`);
  });

  it('refuses SVGs that can run code when they are opened', () => {
    const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
    for (const active of [
      svg('<script>alert(1)</script>'),
      svg('<svg:script>alert(1)</svg:script>'),
      svg('<g onload="alert(1)"/>'),
      svg('<g\nonclick = "alert(1)"/>'),
      svg('<a href="javascript:alert(1)"/>'),
      svg('<foreignObject/>'),
    ])
      expect(problemOf('a.svg', active), active).toContain('contains scripts');
    for (const encoded of ['<?xml version="1.0" encoding="utf-7"?><svg/>', svg('<scr\x1b(Bipt/>')])
      expect(problemOf('a.svg', encoded), encoded).toContain('is not encoded in UTF-8');
  });

  it('refuses large ones', () => {
    expect(() => checkImage('a.png', new Uint8Array(10 * 2 ** 20 + 1))).toThrow(
      'a.png is too large: an image may have at most 10 MB.',
    );
  });
});
