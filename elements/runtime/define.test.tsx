import '../define.ts';
import { elements } from '../index.ts';
import { check, same } from '../result/test-support.tsx';
import { ELEMENTS_VERSION } from '../version.ts';

const again = new URL(import.meta.url).searchParams.has('again');

// The second copy of this module is loaded only for its imports.
if (!again) {
  describe('@tiding/elements/define', () => {
    it('defines every element', () => {
      same(
        elements.filter(({ tag }) => !customElements.get(tag)).map(({ tag }) => tag),
        [],
      );
      check(elements.length >= 7, 'elements are missing');
    });

    it('warns for each element that is already defined and changes nothing', async () => {
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
        warnings.map((text) => text.split('. ')[0]),
        elements.map(({ tag }) => `${tag} is already defined, with version ${ELEMENTS_VERSION}`),
      );
      check(
        elements.every(({ tag }, index) => customElements.get(tag) === before[index]),
        'an element was replaced',
      );
    });
  });
}
