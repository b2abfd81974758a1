import '../define.ts';
import { elements } from '../index.ts';
import { check, same } from '../result/test-kit.tsx';
import { complaints } from './test-complaints.ts';

const again = new URL(import.meta.url).searchParams.has('again');

// The second copy of this file is there for what it imports.
if (!again) {
  describe('tiding/elements/define', () => {
    const heard = complaints();

    it('defines every element', () => {
      same(
        elements.filter(({ tag }) => !customElements.get(tag)).map(({ tag }) => tag),
        [],
      );
      check(elements.length >= 7, 'elements are missing');
    });

    it('on a page that has them already warns of each and changes nothing', async () => {
      const before = elements.map(({ tag }) => customElements.get(tag));
      const warnings: string[] = [];
      const { warn } = console;
      console.warn = (...args: unknown[]) => warnings.push(args.map(String).join(' '));
      try {
        const copy = new URL(import.meta.url);
        copy.searchParams.set('again', '1');
        await import(copy.href);
      } finally {
        console.warn = warn;
      }
      same(
        warnings,
        elements.map(({ tag }) => `${tag} is already defined; this copy of tiding stands back.`),
      );
      check(
        elements.every(({ tag }, index) => customElements.get(tag) === before[index]),
        'an element is another',
      );
      same(heard, [], 'complaints');
    });
  });
}
