import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import type { CommKernel } from '../interpreters/kernels/comms/comm-kernel.ts';
import { KernelWidgets } from './kernel-widgets.ts';

let told: { readonly type: string; readonly parent?: string }[];
let widgets: KernelWidgets;
const connection = {} as LiveConnection;
const kernel = (id: string, size = 1): CommKernel => ({
  id,
  size,
  places: [{ noteId: 'note', paragraphId: 'p' }],
  listener: undefined,
  mask: (value) => value,
  onUse: () => {},
  models: () => [{ comm: 'm', data: {} }],
  send: () => {},
});
const send = (id: string, message = 'one') =>
  widgets.send(
    'note',
    { id: 'p', noteId: 'note', kernel: id, message, type: 'comm_msg', comm: 'm', data: {} },
    connection,
  );
const register = (each: CommKernel): CommKernel => {
  widgets.register(each, { interpreter: 'python', group: 'g' });
  return each;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  told = [];
  const hub = {
    broadcastToNote: (_note: string, _op: string, data: (typeof told)[number]) => told.push(data),
    send: (_to: unknown, _op: string, data: (typeof told)[number]) => told.push(data),
  };
  widgets = new KernelWidgets(hub as unknown as Hub, () => undefined);
});
afterEach(() => void vi.useRealTimers());

it('takes a burst of messages of a page, and then so many per second', () => {
  register(kernel('k'));
  for (let count = 0; count < 400; count += 1) send('k');
  expect(() => send('k')).toThrow(/^This page sends more than 200 changes of widgets per second/);
  vi.advanceTimersByTime(1_000);
  for (let count = 0; count < 200; count += 1) send('k');
  expect(() => send('k')).toThrow(/more than 200/);
});

it('answers the sender of a message when the kernel has handled it', () => {
  const { listener } = register(kernel('k'));
  send('k', 'mine');
  listener!.idle('mine');
  listener!.idle('unknown');
  expect(told.map(({ type, parent }) => [type, parent])).toEqual([
    ['accepted', 'mine'],
    ['idle', 'mine'],
  ]);
});

it('keeps the last state of kernels that have ended, unless it is large', () => {
  register(kernel('small')).listener!.ended();
  register(kernel('large', 2 ** 30)).listener!.ended();
  expect(told).toMatchObject([{ type: 'ended' }, { type: 'ended' }]);
  expect(widgets.state('note', 'small', 'm')).toMatchObject({ status: 'ended', models: [{}] });
  expect(widgets.state('note', 'large', 'm')).toEqual({ status: 'ended', models: [] });
  for (let count = 0; count < 20; count += 1) register(kernel(`k${count}`)).listener!.ended();
  expect(widgets.state('note', 'small', 'm').models).toEqual([]);
  expect(() => send('k1')).toThrow(/has ended\. Run the paragraph again/);
});
