import { type Mounted, mount, same, waitUntil } from '../result/test-support.tsx';
import { Status } from './status.tsx';

describe('the status of a paragraph', () => {
  let shown: Mounted;
  /** The common name of a colour. */
  const named = (colour: string): string => {
    const [red = 0, green = 0, blue = 0] = (/\(([^)]*)\)/.exec(colour)?.[1] ?? '')
      .split(/[\s,]+/)
      .map(Number);
    const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    if (high - low < 40) return 'gray';
    if (high === green) return 'green';
    if (high === blue) return 'blue';
    return green > red / 2.2 ? 'orange' : 'red';
  };

  for (const theme of ['light', 'dark']) {
    it(`has a colour, a shape and a word: ${theme} [W48]`, async () => {
      const statuses = ['READY', 'FINISHED', 'ABORT', 'ERROR', 'PENDING', 'RUNNING'];
      shown = mount(
        statuses.map((status) => <Status key={status} status={status} />),
        [],
      );
      shown.host.style.colorScheme = theme;
      await waitUntil(() => shown.all('.status').length === 6, 'all of them');
      const paint = (status: string) => {
        const part = shown.find<SVGElement>(`.glyph.${status} :is(.disc, .ring, .arc)`);
        const style = getComputedStyle(part);
        return named(part.classList.contains('disc') ? style.fill : style.stroke);
      };
      same(
        statuses.map((status) => [status, paint(status)]),
        [
          ['READY', 'green'],
          ['FINISHED', 'green'],
          ['ABORT', 'orange'],
          ['ERROR', 'red'],
          ['PENDING', 'gray'],
          ['RUNNING', 'blue'],
        ],
      );
      // READY is an empty circle, RUNNING a spinner, all others a filled circle.
      same(
        statuses.map((status) => shown.find(`.glyph.${status} > *`).getAttribute('class')),
        ['ring', 'disc', 'disc', 'disc', 'disc', 'track'],
      );
      same(getComputedStyle(shown.find('.glyph.READY .ring')).fill, 'none');
      same(
        getComputedStyle(shown.find<SVGElement>('.glyph.RUNNING')).animationName === 'none' &&
          getComputedStyle(shown.find('.glyph.RUNNING .arc')).animationName === 'none',
        matchMedia('(prefers-reduced-motion: reduce)').matches,
      );
      same(
        shown.all('.word').map(({ textContent }) => textContent),
        statuses,
      );
    });
  }
});
