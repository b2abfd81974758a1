import { useEffect } from 'react';
import { check, type Mounted, mount, same, waitUntil } from '../result/test-support.tsx';
import { useToasts } from './toasts.tsx';

type Show = ReturnType<typeof useToasts>[0];

describe('toasts', () => {
  let shown: Mounted;
  let show: Show | undefined;
  // A fake clock: the test reads when a toast is due instead of waiting.
  let due: { ms: number; act: () => void } | undefined;
  const { setInterval: set, clearInterval: clear } = window;
  const words = () =>
    shown.all('.toast').map((each) => each.querySelector('.dialog-text')!.textContent);

  function Page({ ms, place }: { ms: number; place: 'corner' | 'center' }) {
    const [tell, view] = useToasts(ms, place);
    useEffect(() => {
      show = tell;
    }, [tell]);
    return <>{view}</>;
  }
  const open = async (ms: number, place: 'corner' | 'center', sheets: string[] = []) => {
    window.setInterval = ((act: () => void, every: number) => (
      (due = { ms: every, act }), 1
    )) as typeof setInterval;
    window.clearInterval = (() => (due = undefined)) as typeof clearInterval;
    shown = mount(<Page ms={ms} place={place} />, sheets);
    await waitUntil(() => show !== undefined, 'the page');
    return (...given: Parameters<Show>) => show!(...given);
  };
  afterEach(() => {
    show = undefined;
    due = undefined;
    Object.assign(window, { setInterval: set, clearInterval: clear });
  });

  it('disappear after their time, one by one; duplicates are shown once [W133 D72]', async () => {
    const say = await open(6_000, 'corner');
    say('info', 'one');
    say('danger', 'two');
    say('info', 'one');
    await waitUntil(() => words().join() === 'two,one', 'two messages');
    same(due?.ms, 6_000);
    due!.act();
    await waitUntil(() => words().join() === 'one', 'the first toast is gone');
    due!.act();
    await waitUntil(() => words().length === 0, 'the second toast is gone');
  });

  it('are dismissed by their button only [W133 W134 D72]', async () => {
    const say = await open(3_000, 'center');
    say('success', 'saved');
    await waitUntil(() => words().length === 1, 'the message');
    same([due?.ms, shown.find('.toasts').className], [3_000, 'toasts center']);
    shown.find('.toast').click();
    shown.find('.dialog-text').click();
    await new Promise((done) => requestAnimationFrame(done));
    same(words(), ['saved']);
    shown.find<HTMLButtonElement>('button[aria-label=Close]').click();
    await waitUntil(() => words().length === 0, 'the toast is gone');
  });

  it('stay under the pointer, and until dismissed if they are persistent', async () => {
    const say = await open(6_000, 'corner');
    say('danger', 'stays', undefined, true);
    await waitUntil(() => words().length === 1, 'the message');
    check(!due, 'the toast is closing');
    say('info', 'goes');
    await waitUntil(() => due, 'the other');
    shown.find('.toasts').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    due!.act();
    await new Promise((done) => requestAnimationFrame(done));
    same(words(), ['stays', 'goes']);
    shown.find('.toasts').dispatchEvent(new PointerEvent('pointerout', { bubbles: true }));
    due!.act();
    await waitUntil(() => words().join() === 'stays', 'the other toast is gone');
  });
});
