import { type Connection, HttpError, TidingError } from '@tiding/client';
import type { Note, Paragraph } from '@tiding/client/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { line } from '../../test/support/line.ts';
import type { RestCall } from '../rest/rest-client.ts';
import { liveTransport } from './live-transport.ts';
import { restTransport } from './rest-transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const httpError = (status: number) =>
  new HttpError({
    status,
    method: 'GET',
    path: '/x',
    body: undefined,
    message: `answered ${status}`,
  });
const settle = () => vi.advanceTimersByTimeAsync(0);

/** A connection over REST calls that the test answers, with the times of the calls. */
function connection(random = 0) {
  const paragraph = (id: string): Paragraph => ({
    id,
    text: `%sh\necho ${id}`,
    status: 'READY',
    config: {},
    settings: { params: {}, forms: {} },
  });
  const note: Note & { paragraphs: Paragraph[] } = {
    id: 'n',
    path: '/n',
    config: {},
    info: {},
    paragraphs: [paragraph('a'), paragraph('b')],
  };
  const asked: { name: string; at: number }[] = [];
  const answers: Record<
    string,
    (init: { params: Record<string, string>; body?: unknown }) => unknown
  > = {
    version: () => ({ version: '0.10.0' }),
    getNote: () => structuredClone(note),
    getParagraph: ({ params }) =>
      structuredClone(note.paragraphs.find(({ id }) => id === params['paragraphId'])),
    paragraphJob: ({ params }) =>
      note.paragraphs
        .filter(({ id }) => id === params['paragraphId'])
        .map(({ id, status, progress }) => ({ id, status, progress: String(progress ?? 0) }))[0],
    noteJob: () =>
      note.paragraphs.map(({ id, status, dateStarted }) => ({
        id,
        status,
        ...(dateStarted ? { started: dateStarted } : {}),
      })),
    listNotes: () => [{ id: 'n', path: '/n' }],
    startParagraph: () => undefined,
    runNote: () => undefined,
  };
  const call = (async (name: string, init: { params: Record<string, string> }) => {
    asked.push({ name, at: Date.now() - start });
    await Promise.resolve();
    if (!answers[name]) throw httpError(404);
    return answers[name](init);
  }) as unknown as RestCall;
  let start = Date.now();
  const heard: {
    op: string;
    data: { paragraph?: Paragraph } & Record<string, unknown>;
    msgId?: string;
  }[] = [];
  const states: string[] = [];
  const line: Connection = restTransport(call, { random: () => random })('ws://x/ws', {
    onOpen: () => void states.push('open'),
    onMessage: (text) => void heard.push(JSON.parse(String(text)) as (typeof heard)[number]),
    onClose: (code) => void states.push(`closed ${code}`),
  });
  return {
    note,
    asked,
    answers,
    heard,
    states,
    line,
    async send(op: string, data: object = {}, msgId = 'm') {
      line.send(JSON.stringify({ op, data, msgId }));
      await settle();
    },
    /** Forgets received frames and calls; times count from now. */
    clear() {
      heard.length = asked.length = 0;
      start = Date.now();
    },
    times: (name: string) => asked.filter((each) => each.name === name).map(({ at }) => at),
  };
}

/** A connection with an open note. */
async function opened() {
  const one = connection();
  await settle();
  await one.send('GET_NOTE', { id: 'n' });
  return one;
}

/** Sums of the first intervals. */
const beats = (first: number, most: number, count: number): number[] => {
  const at: number[] = [];
  for (let delay = first; at.length < count; delay = Math.min(most, delay * 1.5))
    at.push((at.at(-1) ?? 0) + delay);
  return at.map((ms) => Math.round(ms));
};

describe('the live channel over REST', () => {
  it('opens when the server responds, and not before', async () => {
    const one = connection();
    expect(one.states).toEqual([]);
    await settle();
    expect(one.states).toEqual(['open']);
  });

  it('polls an open note after 5 s, then ever less often up to a minute', async () => {
    const one = await opened();
    expect(one.heard.map(({ op }) => op)).toEqual(['NOTE']);
    one.clear();
    const expected = beats(5_000, 60_000, 10);
    expect(expected[0]).toBe(5_000);
    expect(expected[9]! - expected[8]!).toBe(60_000);
    await vi.advanceTimersByTimeAsync(expected[9]!);
    for (const [index, at] of one.times('getNote').entries())
      expect(Math.abs(at - expected[index]!)).toBeLessThan(20);
    expect(one.times('getNote')).toHaveLength(10);
    expect(one.heard).toEqual([]);
  });

  it('spreads polling by up to a quarter of the interval', async () => {
    const one = connection(1);
    await settle();
    await one.send('GET_NOTE', { id: 'n' });
    one.clear();
    await vi.advanceTimersByTimeAsync(3_749);
    expect(one.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(one.times('getNote')).toEqual([3_750]);
  });

  it('reports only what changed and polls sooner afterwards', async () => {
    const one = await opened();
    await vi.advanceTimersByTimeAsync(60_000);
    one.note.paragraphs[1]!.text = '%sh\necho somebody else';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(
      one.heard.slice(1).map(({ op, data }) => [op, data.paragraph?.id, data.paragraph?.text]),
    ).toEqual([['PARAGRAPH', 'b', '%sh\necho somebody else']]);
    one.note.paragraphs.reverse();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.heard.slice(2).map(({ op }) => op)).toEqual(['NOTE']);
    // An operation of this client also shortens the interval.
    await one.send('LIST_NOTES');
    one.clear();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(one.times('getNote')).toEqual([5_000]);
  });

  it('polls a running paragraph after 250 ms up to every 5 s and streams new output', async () => {
    const one = await opened();
    const [a] = one.note.paragraphs;
    one.answers['startParagraph'] = () =>
      void Object.assign(a!, { status: 'RUNNING', progress: 10 });
    await one.send(
      'RUN_PARAGRAPH',
      { id: 'a', noteId: 'n', paragraph: a!.text, title: '', config: {}, params: {} },
      'run',
    );
    expect(one.heard.slice(1)).toMatchObject([
      { op: 'PARAGRAPH', msgId: 'run', data: { paragraph: { id: 'a', status: 'PENDING' } } },
    ]);
    one.clear();
    const expected = beats(250, 5_000, 11);
    await vi.advanceTimersByTimeAsync(260);
    expect(one.heard.map(({ op }) => op)).toEqual(['PARAGRAPH', 'PROGRESS']);
    a!.results = { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'one\n' }] };
    await vi.advanceTimersByTimeAsync(375);
    a!.results = {
      code: 'SUCCESS',
      msg: [
        { type: 'TEXT', data: 'one\ntwo\n' },
        { type: 'HTML', data: '<b>' },
      ],
    };
    await vi.advanceTimersByTimeAsync(570);
    expect(one.heard.slice(2).map(({ op, data }) => [op, data['index'], data['data']])).toEqual([
      ['PARAGRAPH_UPDATE_OUTPUT', 0, 'one\n'],
      ['PARAGRAPH_APPEND_OUTPUT', 0, 'two\n'],
      ['PARAGRAPH_UPDATE_OUTPUT', 1, '<b>'],
    ]);
    await vi.advanceTimersByTimeAsync(expected[10]! - 1_205 + 20);
    const times = one.times('paragraphJob');
    expect(times).toHaveLength(11);
    for (const [index, at] of times.entries())
      expect(Math.abs(at - expected[index]!)).toBeLessThan(20);
    expect(one.heard).toHaveLength(5);
    Object.assign(a!, { status: 'FINISHED' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(one.heard.slice(5)).toMatchObject([
      {
        op: 'PARAGRAPH',
        data: { paragraph: { status: 'FINISHED', results: { msg: [{ data: 'one\ntwo\n' }, {}] } } },
      },
    ]);
    one.clear();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(one.times('paragraphJob')).toEqual([]);
  });

  it('does not mistake the results of the previous run for those of the current one', async () => {
    const one = connection();
    const [a] = one.note.paragraphs;
    Object.assign(a!, {
      status: 'FINISHED',
      results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'old' }] },
    });
    await settle();
    await one.send('GET_NOTE', { id: 'n' });
    one.answers['startParagraph'] = () => void Object.assign(a!, { status: 'RUNNING' });
    await one.send('RUN_PARAGRAPH', { id: 'a', noteId: 'n' });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(one.heard.filter(({ op }) => /OUTPUT/.test(op))).toEqual([]);
  });

  it('reports the end of a note run when it was answered and nothing runs', async () => {
    const one = await opened();
    let end = (_: unknown) => {};
    one.answers['runNote'] = () => new Promise((resolve) => (end = resolve));
    await one.send('RUN_ALL_PARAGRAPHS', { noteId: 'n', paragraphs: '[]' });
    const statuses = () =>
      one.heard.filter(({ op }) => op === 'NOTE_RUNNING_STATUS').map(({ data }) => data['status']);
    // An older server answers at the end of the run, and nothing runs between two paragraphs.
    Object.assign(one.note.paragraphs[0]!, {
      status: 'FINISHED',
      dateStarted: 'now',
      results: { code: 'SUCCESS', msg: [] },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(statuses()).toEqual([true]);
    Object.assign(one.note.paragraphs[1]!, {
      status: 'ERROR',
      dateStarted: 'now',
      results: { code: 'ERROR', msg: [] },
    });
    end(undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(statuses()).toEqual([true, false]);
    // Both were too fast to be observed but are reported as run.
    expect(
      one.heard
        .filter(({ op }) => op === 'PARAGRAPH')
        .map(({ data }) => `${data.paragraph?.id} ${data.paragraph?.status}`),
    ).toEqual(['a RUNNING', 'a FINISHED', 'b RUNNING', 'b ERROR']);
    one.clear();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(one.times('noteJob')).toEqual([]);
  });

  it('reports that a paragraph ran although it ended before its state was read', async () => {
    const one = await opened();
    await one.send('RUN_ALL_PARAGRAPHS', { noteId: 'n', paragraphs: '[]' });
    const [first] = one.note.paragraphs;
    first!.status = 'RUNNING';
    const jobs = one.answers['noteJob']!;
    one.answers['noteJob'] = (init) => {
      const answer = jobs(init);
      Object.assign(first!, { status: 'FINISHED', results: { code: 'SUCCESS', msg: [] } });
      return answer;
    };
    await vi.advanceTimersByTimeAsync(20_000);
    expect(
      one.heard
        .filter(({ op, data }) => op === 'PARAGRAPH' && data.paragraph?.id === 'a')
        .map(({ data }) => data.paragraph?.status),
    ).toEqual(['RUNNING', 'FINISHED']);
  });

  it('reports that a note run was refused and is over', async () => {
    const one = await opened();
    one.answers['runNote'] = () => {
      throw httpError(403);
    };
    await one.send('RUN_ALL_PARAGRAPHS', { noteId: 'n' });
    expect(one.heard.slice(1)).toMatchObject([
      { op: 'NOTE_RUNNING_STATUS', data: { status: true } },
      { op: 'AUTH_INFO', data: { op: 'RUN_ALL_PARAGRAPHS' } },
      { op: 'NOTE_RUNNING_STATUS', data: { status: false } },
    ]);
  });

  it('does not poll without an open note or after closing', async () => {
    const lobby = connection();
    await settle();
    await lobby.send('LIST_NOTES');
    lobby.clear();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(lobby.asked).toEqual([]);

    const one = await opened();
    one.line.close();
    one.clear();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(one.asked).toEqual([]);
    expect(one.states).toEqual(['open', 'closed 1000']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('survives a server error, closes if unreachable, ends with its note', async () => {
    const one = await opened();
    const { getNote } = one.answers;
    one.answers['getNote'] = () => {
      throw httpError(502);
    };
    await vi.advanceTimersByTimeAsync(30_000);
    one.answers['getNote'] = getNote!;
    one.note.paragraphs[0]!.text = 'new';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.heard.slice(1).map(({ op }) => op)).toEqual(['PARAGRAPH']);
    one.answers['getNote'] = () => {
      throw httpError(404);
    };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.heard.slice(2)).toMatchObject([
      { op: 'ERROR_INFO', data: { op: 'GET_NOTE', id: 'n' } },
    ]);
    one.clear();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(one.asked).toEqual([]);

    const other = await opened();
    other.answers['getNote'] = () => {
      throw new TidingError('network', 'away');
    };
    await vi.advanceTimersByTimeAsync(6_000);
    expect(other.states).toEqual(['open', 'closed 1006']);
  });

  it("names the operation that it can't perform", async () => {
    const one = await opened();
    for (const op of ['PARAGRAPH_CLEAR_OUTPUT', 'NO_SUCH', 'toString'])
      await one.send(op, { id: 'a' });
    await one.send('MOVE_PARAGRAPH', { id: 'a', index: 1, noteId: 'n' });
    expect(
      one.heard.slice(1).map(({ op, data }) => [op, data['op'], data['id'], data['info']]),
    ).toEqual([
      [
        'ERROR_INFO',
        'PARAGRAPH_CLEAR_OUTPUT',
        'a',
        'This operation needs the live channel, which is blocked.',
      ],
      ['ERROR_INFO', 'NO_SUCH', 'a', 'This operation needs the live channel, which is blocked.'],
      ['ERROR_INFO', 'toString', 'a', 'This operation needs the live channel, which is blocked.'],
      ['ERROR_INFO', 'MOVE_PARAGRAPH', 'a', 'answered 404'],
    ]);
  });
});

describe('the choice between socket and REST', () => {
  const choose = () => {
    const { transport, ends } = line();
    const blocked: string[] = [];
    const states: string[] = [];
    const live = liveTransport({
      choice: 'auto',
      socket: transport,
      url: 'ws://x/ws',
      call: (async () => ({ version: '0.10.0' })) as unknown as RestCall,
      onBlocked: () => void blocked.push('blocked'),
    });
    const open = (name: string) =>
      live.transport('ws://x/ws', {
        onOpen: () => states.push(`${name} open`),
        onMessage() {},
        onClose: () => states.push(`${name} closed`),
      });
    return { ends, blocked, states, live, open };
  };

  it('tries a socket every minute for new connections while sockets are blocked', async () => {
    const { ends, blocked, states, live, open } = choose();
    for (const name of ['1', '2', '3']) {
      expect(blocked).toEqual([]);
      open(name);
      ends.at(-1)!.drop();
      await settle();
    }
    expect(blocked).toEqual(['blocked']);
    open('rest');
    // Loading the module takes real time, which the fake clock of this test does not advance.
    for (let tries = 0; tries < 100 && states.length < 4; tries += 1) {
      await import('./rest-transport.ts');
      await settle();
    }
    expect(states).toEqual(['1 closed', '2 closed', '3 closed', 'rest open']);
    expect(ends).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ends).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(4);
    ends[3]!.drop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends).toHaveLength(5);
    ends[4]!.open();
    await settle();
    expect(ends[4]!.closed).toBeDefined();
    expect(states).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ends).toHaveLength(5);
    open('socket');
    ends[5]!.open();
    expect(states.at(-1)).toBe('socket open');
    live.close();
  });

  it('does not wait forever for a socket that neither opens nor fails', async () => {
    const { blocked, states, live, open } = choose();
    for (const name of ['1', '2', '3']) {
      open(name);
      await vi.advanceTimersByTimeAsync(14_999);
      expect(states).not.toContain(`${name} closed`);
      await vi.advanceTimersByTimeAsync(1);
      expect(states).toContain(`${name} closed`);
    }
    expect(blocked).toEqual(['blocked']);
    live.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not count a connection that its owner gave up', async () => {
    const { blocked, open } = choose();
    for (const name of ['1', '2', '3', '4']) open(name).close();
    await settle();
    expect(blocked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
