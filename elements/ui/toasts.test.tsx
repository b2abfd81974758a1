import { useEffect } from 'react';
import { check, mount, same, until, type Mounted } from '../result/test-kit.tsx';
import { useToasts } from './toasts.tsx';

type Show = ReturnType<typeof useToasts>[0];

describe('toasts', () => {
  let shown: Mounted;
  let show: Show | undefined;
  // A clock of the test: when a message goes is read off, not waited for.
  let due: { ms: number; act: () => void } | undefined;
  const { setInterval: set, clearInterval: clear } = window;
  const words = () =>
    shown.all('.toast').map((each) => each.querySelector('.dialog-text')!.textContent);

  function Page({ ms, place }: { ms: number; place: 'corner' | 'center' }) {
    const [tell, view] = useToasts(ms, place);
    useEffect(() => void (show = tell), [tell]);
    return <>{view}</>;
  }
  const open = async (ms: number, place: 'corner' | 'center', sheets: string[] = []) => {
    window.setInterval = ((act: () => void, every: number) => (
      (due = { ms: every, act }), 1
    )) as typeof setInterval;
    window.clearInterval = (() => (due = undefined)) as typeof clearInterval;
    shown = mount(<Page ms={ms} place={place} />, sheets);
    await until(() => show !== undefined, 'the page');
    return (...given: Parameters<Show>) => show!(...given);
  };
  afterEach(() => {
    shown.remove();
    show = undefined;
    due = undefined;
    Object.assign(window, { setInterval: set, clearInterval: clear });
  });

  it('go after their time, one after another; the same text stands once', async () => {
    const say = await open(6_000, 'corner');
    say('info', 'one');
    say('danger', 'two');
    say('info', 'one');
    await until(() => words().join() === 'two,one', 'two messages');
    same(due?.ms, 6_000);
    due!.act();
    await until(() => words().join() === 'one', 'the first has gone');
    due!.act();
    await until(() => words().length === 0, 'the second too');
  });

  it('are dismissed by their button and by no other click', async () => {
    const say = await open(3_000, 'center');
    say('success', 'saved');
    await until(() => words().length === 1, 'the message');
    same([due?.ms, shown.find('.toasts').className], [3_000, 'toasts center']);
    shown.find('.toast').click();
    shown.find('.dialog-text').click();
    await new Promise((done) => requestAnimationFrame(done));
    same(words(), ['saved']);
    shown.find<HTMLButtonElement>('button[aria-label=Close]').click();
    await until(() => words().length === 0, 'it is gone');
  });

  it('stay while they are under the pointer, and those that stay until they are dismissed', async () => {
    const say = await open(6_000, 'corner');
    say('danger', 'stays', undefined, true);
    await until(() => words().length === 1, 'the message');
    check(!due, 'it is about to go');
    say('info', 'goes');
    await until(() => due, 'the other');
    shown.find('.toasts').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    due!.act();
    await new Promise((done) => requestAnimationFrame(done));
    same(words(), ['stays', 'goes']);
    shown.find('.toasts').dispatchEvent(new PointerEvent('pointerout', { bubbles: true }));
    due!.act();
    await until(() => words().join() === 'stays', 'the other has gone');
  });
});
