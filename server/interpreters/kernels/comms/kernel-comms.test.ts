import type { JsonObject } from '@tiding/client/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { OutputStream } from '../../../run/output/output.ts';
import { until } from '../../test-support.ts';
import type { MessageExtras } from '../jupyter-messages.ts';
import { KernelClient, KernelDied } from '../kernel-client.ts';
import type { CommMessage, CommPlace } from './comm-kernel.ts';
import { type CommLimits, KernelComms } from './kernel-comms.ts';

interface SentMessage {
  readonly id: string;
  readonly type: string;
  readonly content: JsonObject;
  readonly extras: MessageExtras;
}

/** A kernel that only records what it receives. */
class RecordingKernel extends KernelClient {
  readonly sent: SentMessage[] = [];
  protected send(
    _channel: string,
    type: string,
    content: JsonObject,
    _parent?: JsonObject,
    extras: MessageExtras = {},
  ): string {
    const id = `kernel-${this.sent.length}`;
    this.sent.push({ id, type, content, extras });
    return id;
  }
  interrupt(): void {}
  async kill(): Promise<void> {
    this.end(new KernelDied('it was killed'));
  }
  /** Sends a message on the output channel. */
  say(type: string, content: JsonObject, parentId = 'run', buffers: Buffer[] = []): void {
    this.receive('iopub', { type, id: '', parentId, header: {}, content, metadata: {}, buffers });
  }
}

let kernel: RecordingKernel;
let comms: KernelComms;
let told: { place: CommPlace; message: CommMessage; parent: string | undefined }[];
let idle: string[];
let warnings: string[];
let late: OutputStream;
let isEnded: boolean;

const place = { noteId: 'note', paragraphId: 'one' };
const start = (limits: CommLimits = {}): void => {
  [told, idle, warnings, isEnded] = [[], [], [], false];
  kernel = new RecordingKernel();
  comms = new KernelComms(kernel, {}, limits);
  const none = () => {};
  late = new OutputStream({ update: none, append: none, storing: none, clear: none }, 10_000);
  comms.listener = {
    message: (where, message, parent) => void told.push({ place: where, message, parent }),
    idle: (parent) => void idle.push(parent),
    output: () => late,
    ended: () => (isEnded = true),
  };
  comms.begin(place, (problem) => void warnings.push(problem));
};
beforeEach(() => start());

const open = (comm: string, state: JsonObject, more: JsonObject = {}, buffers: Buffer[] = []) =>
  kernel.say(
    'comm_open',
    { comm_id: comm, target_name: 'jupyter.widget', data: { state, ...more } },
    'run',
    buffers,
  );
const updateOf = (state: JsonObject, method = 'update') => ({ method, state, buffer_paths: [] });
const update = (comm: string, state: JsonObject, parent = 'run', method = 'update') =>
  kernel.say('comm_msg', { comm_id: comm, data: updateOf(state, method) }, parent);
const stateOf = (comm: string) =>
  comms.models('note', comm).find((model) => model.comm === comm)?.data['state'] as JsonObject;
const change = (comm: string, value: unknown, id = 'page-1') =>
  comms.send(place, { type: 'comm_msg', comm, data: updateOf({ value }) }, id);

describe('the models of a kernel', () => {
  it('have the state that the kernel has sent, with binary values', () => {
    open('a', { value: 1, image: null }, { buffer_paths: [['image']] }, [Buffer.from('png')]);
    update('a', { value: 2 });
    expect(comms.models('note', 'a')).toEqual([
      {
        comm: 'a',
        data: { state: { value: 2, image: null }, buffer_paths: [['image']] },
        buffers: [Buffer.from('png').toString('base64')],
      },
    ]);
    expect(told.map(({ message, place: where }) => [message.type, where])).toEqual([
      ['comm_open', place],
      ['comm_msg', place],
    ]);
    kernel.say('comm_msg', { comm_id: 'a', data: { method: 'update', state: { image: 'text' } } });
    expect(comms.models('note', 'a')[0]).not.toHaveProperty('buffers');
  });

  it('of a view are those that it refers to, and links between them', () => {
    open('layout', {});
    open('slider', { layout: 'IPY_MODEL_layout' });
    open('box', { children: ['IPY_MODEL_slider'] });
    open('other', {});
    open('link', { source: ['IPY_MODEL_slider', 'value'], target: ['IPY_MODEL_other', 'value'] });
    open('alone', {});
    const ids = (model: string) => comms.models('note', model).map(({ comm }) => comm);
    expect(ids('box')).toEqual(['layout', 'slider', 'box', 'other', 'link']);
    expect(ids('alone')).toEqual(['alone']);
    expect(comms.models('another note', 'box')).toEqual([]);
  });

  it('are forgotten when the code closes them, and other comms are not passed on', () => {
    open('a', {});
    kernel.say('comm_close', { comm_id: 'a', data: {} });
    expect(comms.models('note', 'a')).toEqual([]);
    expect(comms.size).toBe(0);
    kernel.say('comm_open', { comm_id: 'b', target_name: 'other', data: {} });
    kernel.say('comm_msg', { comm_id: 'b', data: {} });
    expect(told.map(({ message }) => message.type)).toEqual(['comm_open', 'comm_close']);
  });

  it('are limited in number and size, which is said once', () => {
    start({ models: 2, size: 1_000 });
    for (const comm of ['a', 'b', 'c', 'd']) open(comm, {});
    expect(warnings).toEqual([
      expect.stringMatching(/^This kernel has 2 widgets, the most .*close/),
    ]);
    expect(comms.models('note', 'c')).toEqual([]);
    start({ models: 2, size: 1_000 });
    open('a', { value: 'x' });
    update('a', { value: 'x'.repeat(2_000) });
    expect(warnings).toEqual([expect.stringMatching(/^This kernel has widgets with 1,000 char/)]);
    expect([comms.models('note', 'a'), comms.size]).toEqual([[], 0]);
    expect(told.at(-1)!.message.type).toBe('comm_close');
  });

  it('are shown only if they are not too large', () => {
    start({ message: 500 });
    open('a', { value: 'x'.repeat(600) });
    expect(warnings).toEqual([expect.stringMatching(/^A widget has more than 500 characters/)]);
    open('b', { value: 'x'.repeat(300) });
    open('c', { value: 'x'.repeat(300), other: 'IPY_MODEL_b' });
    expect(() => comms.models('note', 'b')).toThrow(/^The widgets have more than 500 characters/);
  });

  it('show nothing that must be hidden', () => {
    comms.mask = (value) => JSON.parse(JSON.stringify(value).replaceAll('secret', '###'));
    open('a', { value: 'my secret' });
    expect([stateOf('a'), JSON.stringify(told)]).toEqual([
      { value: 'my ###' },
      expect.not.stringContaining('secret'),
    ]);
  });
});

describe('a change by a page', () => {
  it('is passed on, and its echo and its end are answered with its own id', () => {
    let uses = 0;
    comms.onUse = () => (uses += 1);
    open('a', { value: 1 });
    comms.send(
      place,
      { type: 'comm_msg', comm: 'a', data: { method: 'custom' }, buffers: ['QUI='] },
      'page-1',
    );
    const [sent] = kernel.sent;
    expect(sent).toMatchObject({
      type: 'comm_msg',
      content: { comm_id: 'a', data: { method: 'custom' } },
      extras: { buffers: [Buffer.from('AB')] },
    });
    update('a', { value: 5 }, sent!.id, 'echo_update');
    expect([told.at(-1)!.parent, stateOf('a')]).toEqual(['page-1', { value: 5 }]);
    kernel.say('status', { execution_state: 'idle' }, sent!.id);
    expect([idle, uses]).toEqual([['page-1'], 1]);
  });

  it('is refused if its widget or kernel is gone, or the kernel is busy', async () => {
    start({ pending: 2 });
    expect(() => change('a', 1)).toThrow(/no longer has this widget/);
    open('a', {});
    expect(() =>
      comms.send({ ...place, noteId: 'other' }, { type: 'comm_msg', comm: 'a', data: {} }, 'x'),
    ).toThrow(/no longer has this widget/);
    change('a', 1);
    change('a', 2);
    expect(() => change('a', 3)).toThrow(/^The kernel is busy, and 2 changes of widgets wait/);
    await kernel.kill();
    expect(() => change('a', 4)).toThrow(/has ended\. Run the paragraph again/);
    await until(() => isEnded);
    expect(stateOf('a')).toEqual({});
  });

  it('follow what a thread prints after the run, but not the output of other clients', async () => {
    await kernel.complete('x', 1, 1);
    kernel.say('stream', { name: 'stdout', text: 'other' }, 'other');
    kernel.say('stream', { name: 'stdout', text: 'late\n' }, kernel.sent[0]!.id);
    expect(late.results()).toEqual([{ type: 'TEXT', data: 'late\n' }]);
  });

  it('shows what its code prints, and why it failed, below the outputs of the run', async () => {
    open('a', {});
    change('a', 1);
    const parent = kernel.sent[0]!.id;
    kernel.say('stream', { name: 'stdout', text: 'clicked\n' }, parent);
    kernel.say('display_data', { data: { 'text/html': '<b>x</b>' }, metadata: {} }, parent);
    kernel.say('error', { ename: 'ValueError', evalue: 'no', traceback: [] }, parent);
    kernel.say('status', { execution_state: 'idle' }, parent);
    await until(() => idle.length === 1);
    expect(late.results()).toEqual([
      { type: 'TEXT', data: 'clicked\n' },
      { type: 'HTML', data: '<b>x</b>' },
      { type: 'TEXT', data: 'ValueError: no\n' },
    ]);
  });

  it('may open a widget of its own', () => {
    comms.send(place, { type: 'comm_open', comm: 'new', data: { state: { value: 1 } } }, 'page-1');
    expect(kernel.sent[0]).toMatchObject({
      content: { comm_id: 'new', target_name: 'jupyter.widget' },
      extras: { metadata: { version: '2.1.0' } },
    });
    expect(stateOf('new')).toEqual({ value: 1 });
  });
});

describe('an Output widget', () => {
  const outputs = (comm: string) => stateOf(comm)['outputs'];
  beforeEach(() => {
    open('out', { _model_name: 'OutputModel', msg_id: '', outputs: [] });
    open('inner', { _model_name: 'OutputModel', msg_id: '', outputs: [] });
  });

  it('collects what its code prints, joins text, and tells the kernel at the end', () => {
    update('out', { msg_id: 'run' });
    kernel.say('stream', { name: 'stdout', text: 'a\n' });
    kernel.say('stream', { name: 'stdout', text: 'b\n' });
    update('out', { msg_id: '' });
    kernel.say('stream', { name: 'stdout', text: 'outside\n' });
    kernel.say('status', { execution_state: 'idle' });
    const collected = [{ output_type: 'stream', name: 'stdout', text: 'a\nb\n' }];
    expect(outputs('out')).toEqual(collected);
    expect(kernel.sent.map(({ content }) => content)).toEqual([
      { comm_id: 'out', data: updateOf({ outputs: collected }) },
    ]);
    const before = told.length;
    update('out', { outputs: collected }, kernel.sent[0]!.id, 'echo_update');
    kernel.say('status', { execution_state: 'idle' }, kernel.sent[0]!.id);
    expect([told.length, kernel.sent.length]).toEqual([before, 1]);
  });

  it('is replaced by clear_output(wait=True) only when something follows', () => {
    update('out', { msg_id: 'run' });
    kernel.say('stream', { name: 'stdout', text: 'old' });
    kernel.say('clear_output', { wait: true });
    kernel.say('status', { execution_state: 'idle' });
    expect(outputs('out')).toMatchObject([{ text: 'old' }]);
    const display = { metadata: {}, transient: { display_id: 'd' } };
    kernel.say('display_data', { ...display, data: { 'image/png': 'QQ==' } });
    kernel.say('update_display_data', { ...display, data: { 'image/png': 'Qg==' } });
    kernel.say('status', { execution_state: 'idle' });
    expect(outputs('out')).toEqual([
      { output_type: 'display_data', data: { 'image/png': 'Qg==' }, metadata: {} },
    ]);
    kernel.say('clear_output', { wait: false });
    kernel.say('status', { execution_state: 'idle' });
    expect(outputs('out')).toEqual([]);
  });

  it('that was entered last collects, and the code may set the outputs', () => {
    update('inner', { outputs: [{ output_type: 'stream', name: 'stdout', text: 'set' }] });
    update('inner', { msg_id: 'run' });
    update('out', { msg_id: 'run' });
    kernel.say('stream', { name: 'stdout', text: 'to out' });
    update('out', { msg_id: '' });
    kernel.say('stream', { name: 'stdout', text: ', to inner' });
    kernel.say('status', { execution_state: 'idle' });
    expect([outputs('out'), outputs('inner')]).toMatchObject([
      [{ text: 'to out' }],
      [{ text: 'set, to inner' }],
    ]);
  });

  it('has a limit, beyond which a sentence follows', () => {
    update('out', { msg_id: 'run' });
    for (let turn = 0; turn < 6; turn += 1)
      kernel.say('stream', { name: turn % 2 ? 'stdout' : 'stderr', text: 'x'.repeat(2 ** 20) });
    kernel.say('status', { execution_state: 'idle' });
    expect(outputs('out')).toHaveLength(4);
    expect(JSON.stringify(outputs('out'))).toMatch(/Output beyond \d+ characters is not shown/);
  });
});
