/** `tiding mcp`: runs and edits by agents, cancelling, and questions to a person. */
import { createClient } from '@tiding/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import type { Grant } from '../server/cli/mcp/tool.ts';
import { callTool, connectAgent, noteForAgents } from './support/mcp.ts';
import { startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ shell: true }));
const { token } = await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 });
const client = untilEnd(
  createClient({ server: embedded.server.url, auth: { token: token! }, autosave: 0 }),
);
await client.session.ticket();

const connect = async (allow: Grant, answer?: 'accept' | 'decline', confirm?: boolean) => {
  const connected = await connectAgent(client, allow, answer, confirm);
  onTestFinished(() => connected.close());
  return connected;
};

const noteOf = (...texts: string[]) => noteForAgents(client, 'runs', texts);
const stored = async (id: string) => (await client.notes.get(id)).paragraphs!;

describe('runs', () => {
  it('take values of forms by their type, and return texts and the first rows', async () => {
    const { id, path, ids } = await noteOf(
      '%js(form=simple) console.log("${city=Oslo,Oslo|Rome}")',
      '%sql select * from range(${count=30})',
    );
    const { call } = await connect('run');
    const { data, text, isError } = await call('run_note', {
      note: path,
      params: { city: 'Rome', count: 40 },
      rows: 3,
    });
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      note: id,
      status: 'FINISHED',
      paragraphs: [
        { id: ids[0], status: 'FINISHED', outputs: [{ type: 'TEXT', text: 'Rome\n' }] },
        {
          id: ids[1],
          outputs: [{ table: { rows: [[0], [1], [2]], total: 40, next_offset: 3 } }],
        },
      ],
    });
    expect(text).toMatch(/Rows 1 to 3 of 40\. 37 more rows: call read_result with note/);
    const wrong = await call('run_note', { note: id, params: { city: 'Paris' } });
    expect(wrong.text).toMatch(/'city' has no choice 'Paris'\. Its choices are Oslo, Rome\./);
  });

  it('of one paragraph leave the others alone', async () => {
    const { id, ids } = await noteOf('%js console.log(1)', '%js console.log(2)');
    const { call } = await connect('run');
    const { data } = await call('run_paragraph', { note: id, paragraph: ids[1] });
    expect(data['paragraphs']).toMatchObject([{ id: ids[1] }]);
    // The run of the last paragraph adds an empty one below it.
    expect((await stored(id)).map(({ status }) => status).slice(0, 2)).toEqual([
      'READY',
      'FINISHED',
    ]);
  });

  it('that fail are tool errors with the error and the other results', async () => {
    const { id, ids } = await noteOf(
      '%js console.log("before")',
      '%sql select nothing from nowhere',
    );
    const { call, records } = await connect('run');
    const { data, text, isError } = await call('run_note', { note: id });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      status: 'ERROR',
      paragraphs: [{ status: 'FINISHED' }, { id: ids[1], status: 'ERROR' }],
    });
    expect(text).toMatch(/nowhere/);
    expect(records.at(-1)).toMatchObject({ command: 'run_note', outcome: 'failed' });
  });

  it('have long texts cut', async () => {
    const { id, ids } = await noteOf('%js console.log("z".repeat(50000))');
    const { call } = await connect('run');
    const { text } = await call('run_paragraph', { note: id, paragraph: ids[0] });
    expect(text.length).toBeLessThan(11_000);
    expect(text).toMatch(/more characters: call read_result with note/);
  });

  it('report progress that grows', async () => {
    const { id } = await noteOf('%js 1', '%js 2', '%js 3', '%js 4');
    const { agent } = await connect('run');
    const seen: number[] = [];
    await callTool(
      agent,
      'run_note',
      { note: id },
      {
        onprogress: ({ progress, total }) => {
          expect(total).toBe(100);
          seen.push(progress);
        },
      },
    );
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });

  it('are cancelled on the server at the time limit', async () => {
    const { id } = await noteOf('%sh sleep 600');
    const { call } = await connect('run');
    const { text, isError } = await call('run_note', { note: id, timeout_seconds: 0.5 });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/did not finish within 0\.5 s and was cancelled/),
    ]);
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('ABORT');
  });

  it('are cancelled on the server with the request', async () => {
    const { id, ids } = await noteOf('%sh sleep 600');
    const { agent, records } = await connect('run');
    const cancelling = new AbortController();
    const called = callTool(
      agent,
      'run_paragraph',
      { note: id, paragraph: ids[0] },
      {
        signal: cancelling.signal,
      },
    );
    const refused = expect(called).rejects.toThrow();
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('RUNNING');
    cancelling.abort('no longer needed');
    await refused;
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('ABORT');
    await expect
      .poll(() => records)
      .toContainEqual(expect.objectContaining({ command: 'run_paragraph', outcome: 'cancelled' }));
  });

  it('are cancelled on the server when the agent is gone', async () => {
    const { id } = await noteOf('%sh sleep 600');
    const { agent } = await connect('run');
    const called = callTool(agent, 'run_note', { note: id });
    const refused = expect(called).rejects.toThrow();
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('RUNNING');
    await agent.close();
    await refused;
    await expect.poll(async () => (await stored(id))[0]!.status).toBe('ABORT');
  });
});

describe('edits', () => {
  it('create a note, insert a paragraph, and replace its code', async () => {
    const { call } = await connect('edit');
    const path = 'made/by an agent';
    const created = await call('create_note', {
      path,
      paragraphs: [{ title: 'First', text: '%md one' }, { text: '%md two' }],
    });
    expect(created.isError).toBe(false);
    const note = created.data['id'] as string;
    const [first] = created.data['paragraphs'] as string[];
    expect((await stored(note)).map(({ title, text }) => [title ?? '', text])).toEqual([
      ['First', '%md one'],
      ['', '%md two'],
    ]);
    const again = await call('create_note', { path: `/${path}` });
    expect([again.isError, again.text]).toEqual([
      true,
      expect.stringMatching(/There is already a note 'made\/by an agent'/),
    ]);
    const inserted = await call('insert_paragraph', {
      note,
      after: first,
      text: '%md between',
      title: 'New',
    });
    const edited = await call('edit_paragraph', {
      note,
      paragraph: inserted.data['paragraph'],
      revision: inserted.data['revision'],
      text: '%md changed',
    });
    expect(edited.isError).toBe(false);
    expect((await stored(note)).map(({ text }) => text)).toEqual([
      '%md one',
      '%md changed',
      '%md two',
    ]);
    const read = await call('read_note', { note, paragraph: inserted.data['paragraph'] });
    expect(read.data['paragraphs']).toMatchObject([{ revision: edited.data['revision'] }]);
  });

  it('are refused if somebody has changed the code since', async () => {
    const { id, ids } = await noteOf('%md first');
    const { call } = await connect('edit');
    const read = await call('read_note', { note: id });
    const [{ revision }] = read.data['paragraphs'] as [{ revision: string }];
    const note = await client.open(id);
    onTestFinished(() => note.close());
    note.paragraphs[0]!.edit('%md by a person');
    await note.paragraphs[0]!.commit();
    const { isError, text } = await call('edit_paragraph', {
      note: id,
      paragraph: ids[0],
      revision,
      text: '%md by an agent',
    });
    expect([isError, text]).toEqual([true, expect.stringMatching(/was changed since you read it/)]);
    expect((await stored(id))[0]!.text).toBe('%md by a person');
  });
});

describe('with --confirm', () => {
  it('a person is asked, and what they accept is done', async () => {
    const { id, path, ids } = await noteOf('%js console.log("asked")');
    const { call, questions } = await connect('edit', 'accept');
    expect((await call('run_paragraph', { note: id, paragraph: ids[0] })).isError).toBe(false);
    expect((await call('insert_paragraph', { note: id, text: '%md new' })).isError).toBe(false);
    expect(questions).toEqual([
      expect.stringContaining(`of '${path}' as admin?\n\n%js console.log("asked")`),
      `Insert a paragraph into '${path}'?\n\n%md new`,
    ]);
    await call('read_note', { note: id });
    expect(questions).toHaveLength(2);
  });

  it.each<[code: string, params: Record<string, string | number>, question: string]>([
    ['%sh ls ${dir}', { dir: '/; touch x' }, '%sh ls /; touch x'],
    ['%sh ls ${dir=/tmp}', {}, '%sh ls /tmp'],
    ['%sh ls ${dir}', { dir: 'a\u202eb\u001b[2K' }, '%sh ls a\\u{202e}b\\u{1b}[2K'],
    ['%sh ls $${where}', { where: '/; touch y' }, '%sh ls /; touch y'],
    ['%sh ls ${choice=a,a|b}', { choice: 'b' }, '%sh ls b'],
    ['%js z.input("year", 1)', { year: 2020 }, '%js z.input("year", 1)\nyear = 2020'],
    [`%sh true ${'#'.repeat(5_000)}\ntouch tail`, {}, `%sh true ${'#'.repeat(5_000)}\ntouch tail`],
    ['%sh echo ${password:secret}', { secret: 'given' }, '%sh echo given'],
  ])('%s with %o is shown as it will run', async (code, params, question) => {
    const { id, ids } = await noteOf(code);
    const { call, questions } = await connect('run', 'decline');
    await call('run_paragraph', { note: id, paragraph: ids[0], params });
    await call('run_note', { note: id, params });
    expect(questions.map((each) => each.slice(each.indexOf('\n\n') + 2))).toEqual([
      question,
      question,
    ]);
  });

  it('a stored password is not shown', async () => {
    const { id, ids } = await noteOf('%sh echo ${password:secret}');
    const { call, questions } = await connect('run', 'accept');
    for (const params of [{ secret: 'given' }, {}])
      await call('run_paragraph', { note: id, paragraph: ids[0], params });
    expect(questions[1]).toContain('echo (hidden)');
  });

  it('code that is too long to be checked is refused', async () => {
    const { id, ids } = await noteOf(`%sh ${'#'.repeat(20_000)}`);
    const { call, questions } = await connect('run', 'accept');
    const { isError, text } = await call('run_paragraph', { note: id, paragraph: ids[0] });
    expect([isError, questions]).toEqual([true, []]);
    expect(text).toMatch(/more than they can check \(20000\), so nothing was done/);
  });

  it.each([
    ['decline', true, /^The person declined/],
    [undefined, true, /does not support elicitation/],
  ] as const)('nothing is done if the answer is %s', async (answer, confirm, message) => {
    const { id, ids } = await noteOf('%js console.log(1)');
    const { call, records } = await connect('edit', answer, confirm);
    const read = await call('read_note', { note: id });
    const [{ revision }] = read.data['paragraphs'] as [{ revision: string }];
    for (const [name, args] of [
      ['run_note', { note: id }],
      ['run_paragraph', { note: id, paragraph: ids[0] }],
      ['create_note', { path: 'not wanted' }],
      ['insert_paragraph', { note: id, text: '%md x' }],
      ['edit_paragraph', { note: id, paragraph: ids[0], text: '%md x', revision }],
    ] as const) {
      const { isError, text } = await call(name, args);
      expect([name, isError, text]).toEqual([name, true, expect.stringMatching(message)]);
      expect(records.at(-1)).toMatchObject({ command: name, outcome: 'refused' });
    }
    expect(await stored(id)).toMatchObject([{ status: 'READY', text: '%js console.log(1)' }]);
    expect((await client.notes.list()).some(({ path }) => path === 'not wanted')).toBe(false);
  });
});
