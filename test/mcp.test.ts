/** `tiding mcp`: what agents may do through the Model Context Protocol, and what they are told. */
import { createClient } from '@tiding/client';
import { envelopeHtml } from '@tiding/client/widgets';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import type { Grant } from '../server/cli/mcp/tool.ts';
import { callTool, connectAgent, noteForAgents } from './support/mcp.ts';
import { twoPeople } from './support/people.ts';
import { audited, onlyFor } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople({ shell: true, newNotes: 'private' }));
const { token, tokenId } = await new AccessTokenStore(people.data).create('admin', {
  expiresInDays: 1,
});
const client = untilEnd(createClient({ server: people.url, auth: { token: token! }, autosave: 0 }));
await client.session.ticket();

const connect = async (
  allow: Grant,
  answer?: 'accept' | 'decline',
  { as = client, confirm = answer !== undefined } = {},
) => {
  const connected = await connectAgent(as, allow, answer, confirm);
  onTestFinished(() => connected.close());
  return connected;
};

const noteOf = (...texts: string[]) => noteForAgents(client, 'agents', texts);
const run = async (id: string) => {
  const note = await client.open(id);
  onTestFinished(() => note.close());
  return note.run();
};
const statusOf = async (id: string) => (await client.notes.get(id)).paragraphs![0]!.status;

describe('the list of tools', () => {
  const reading = ['list_notes', 'search_notes', 'read_note', 'read_result', 'describe'];
  const running = ['run_note', 'run_paragraph'];
  const editing = ['create_note', 'edit_paragraph', 'insert_paragraph'];

  it.each([
    ['read', reading],
    ['run', [...reading, ...running]],
    ['edit', [...reading, ...running, ...editing]],
  ] as const)('has what --allow %s includes', async (allow, names) => {
    const { agent } = await connect(allow);
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([title, description].every((text) => text && text.length > 5)).toBe(true);
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
      expect(annotations?.readOnlyHint).toBe((reading as readonly string[]).includes(name));
    }
    expect(
      tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name),
    ).toEqual(
      names.filter((name) => ['run_note', 'run_paragraph', 'edit_paragraph'].includes(name)),
    );
  });

  it('refuses a tool that is not listed, and says how to allow it', async () => {
    const { id, ids } = await noteOf('%js console.log(1)');
    const { call } = await connect('read');
    for (const name of [...running, ...editing]) {
      const { isError, text } = await call(name, { note: id, paragraph: ids[0] });
      expect(isError).toBe(true);
      expect(text).toMatch(/is not allowed: .* --allow read.*'tiding mcp --allow (run|edit)'/);
    }
    expect(await statusOf(id)).toBe('READY');
  });
});

describe('notes', () => {
  it('are listed by prefix in pages', async () => {
    const { call } = await connect('read');
    const wanted = [await noteOf('a'), await noteOf('b'), await noteOf('c')]
      .map(({ id, path }) => ({ id, path }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const listed: unknown[] = [];
    let cursor: unknown;
    do {
      const { data, text } = await call('list_notes', {
        prefix: 'agents/',
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const notes = data['notes'] as unknown[];
      expect(notes.length).toBeLessThanOrEqual(2);
      listed.push(...notes);
      cursor = data['next_cursor'];
      expect(text.includes('There are more notes')).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(listed).toEqual(expect.arrayContaining(wanted));
    expect((await call('list_notes', { prefix: 'nothing/' })).text).toBe('No notes.');
    const { isError, text } = await call('list_notes', { cursor: 'x' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^The cursor is invalid/)]);
  });

  it('are found by their words', async () => {
    const { id, ids } = await noteOf('%md about a rhinoceros');
    const { call } = await connect('read');
    await expect
      .poll(async () => (await call('search_notes', { query: 'rhinoceros' })).data['hits'])
      .toContainEqual(expect.objectContaining({ note: id, paragraph: ids[0] }));
  });

  it('are read as Markdown, without the values of password forms', async () => {
    const { id, path, ids } = await noteOf(
      '%sql\nselect 7 as "a|b" -- ${city=Oslo,Oslo|Rome} ```',
      '%js(form=simple) console.log("${password:key}")',
    );
    const note = await client.open(id);
    onTestFinished(() => note.close());
    await note.paragraphs[1]!.setParams({ key: 'hunter2hunter2' });
    await note.paragraphs[0]!.run({ params: { city: 'Rome' } });
    const { call } = await connect('read');
    const { text, data } = await call('read_note', { note: path });
    expect(text).toContain(`# ${path}`);
    expect(text).toMatch(/````sql\n%sql\nselect 7/);
    expect(text).toContain('| city | Select | Rome | Oslo, Rome |');
    expect(text).toContain('| a\\|b |\n| --- |\n| 7 |');
    expect(text).toContain('(hidden)');
    expect(JSON.stringify([text, data])).not.toContain('hunter2');
    expect(data).toMatchObject({ id, path, markdown: text });
    const only = await call('read_note', { note: id, paragraph: ids[1], results: false });
    expect(only.data['paragraphs']).toMatchObject([{ id: ids[1], interpreter: 'js' }]);
  });

  it('are cut at the given length, with a sentence that says how to get more', async () => {
    const { id, ids } = await noteOf('a'.repeat(900), 'b'.repeat(900), 'c'.repeat(5_000));
    const { call } = await connect('read');
    const first = await call('read_note', { note: id, max_characters: 1_500 });
    expect(first.data).toMatchObject({ next_offset: 1, paragraphs: [{ id: ids[0] }] });
    expect(first.text).toMatch(/2 more paragraphs: call read_note with offset 1\.$/);
    const last = await call('read_note', { note: id, offset: 2, max_characters: 1_500 });
    expect(last.text.length).toBeLessThan(2_000);
    expect(last.text).toContain('a larger max_characters');
  });

  it('are resources, listed and by template', async () => {
    const { id, path } = await noteOf('%md resource text');
    const { agent } = await connect('read');
    const uri = `tiding://note/${id}`;
    expect((await agent.listResources()).resources).toContainEqual(
      expect.objectContaining({ uri, name: path, mimeType: 'text/markdown' }),
    );
    expect((await agent.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'tiding://note/{id}' },
    ]);
    const { contents } = await agent.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining('resource text') }]);
    await expect(agent.readResource({ uri: 'tiding://note/none' })).rejects.toThrow(/none/);
    await expect(agent.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(
      /is not the address of a note/,
    );
  });
});

describe('results', () => {
  it('are read in pages with the types of their columns', async () => {
    const { id, ids } = await noteOf(
      "%sql select i::bigint as n, i::double / 2 as half, 'x' || i as t, i > 1 as b, " +
        'case when i = 1 then null else i end as gap from range(2500) r(i)',
    );
    await run(id);
    const { call } = await connect('read');
    const place = { note: id, paragraph: ids[0] };
    const { data, text } = await call('read_result', { ...place, offset: 1, limit: 2 });
    expect(data).toMatchObject({ output: 0, type: 'TABLE', next_offset: 3 });
    const table = data['table'] as { columns: { name: string; type: string }[]; rows: unknown[] };
    expect(table.columns.map(({ name }) => name)).toEqual(['n', 'half', 't', 'b', 'gap']);
    expect(table.columns[1]!.type).toMatch(/Float64/);
    expect(table.rows).toEqual([
      [1, 0.5, 'x1', false, null],
      [2, 1, 'x2', true, 2],
    ]);
    expect(text).toMatch(
      /Rows 2 to 3 of 2500\. 2497 more rows: call read_result with .*offset 3\./,
    );
    const end = await call('read_result', { ...place, offset: 2499 });
    expect(end.data).not.toHaveProperty('next_offset');
    expect((await call('read_result', { ...place, offset: 9_999 })).text).toMatch(
      /No rows at 9999/,
    );
    const most = await call('read_result', { ...place, limit: 20_000 });
    expect((most.data['table'] as { rows: unknown[] }).rows).toHaveLength(1_000);
    const { text: none } = await call('read_result', { ...place, output: 3 });
    expect(none).toMatch(/There is no result 3: the paragraph has 1/);
  });

  it('are bounded also if the cells are long', async () => {
    const { id, ids } = await noteOf("%sql select repeat('y', 5000) as t from range(500)");
    await run(id);
    const { call } = await connect('read');
    const place = { note: id, paragraph: ids[0], limit: 500 };
    const { data, text } = await call('read_result', place);
    expect(text.length).toBeLessThan(120_000);
    expect(text).toContain('more characters');
    expect(data['next_offset']).toBeLessThan(500);
  });

  it('that are texts are read in pieces', async () => {
    const { id, ids } = await noteOf('%js console.log("0123456789".repeat(3))');
    await run(id);
    const { call } = await connect('read');
    const place = { note: id, paragraph: ids[0] };
    const { data, text } = await call('read_result', { ...place, offset: 8, limit: 4 });
    expect(data).toMatchObject({ type: 'TEXT', text: '8901', next_offset: 12 });
    expect(text).toMatch(/more characters: call read_result with .*offset 12\.$/);
  });

  it('are described: charts with their series, and display widgets', async () => {
    const widget = envelopeHtml('secret', { secret: { name: 'warehouse_password' } });
    const { id, ids } = await noteOf(
      "%sql select * from (values ('a', 1), ('b', 5), ('c', 3)) t(k, v)",
      `%js console.log(${JSON.stringify(`%html ${widget}`)})`,
    );
    await run(id);
    const note = await client.open(id);
    onTestFinished(() => note.close());
    const graph = {
      mode: 'multiBarChart',
      keys: [{ name: 'k', index: 0, aggr: 'sum' }],
      groups: [],
      values: [{ name: 'v', index: 1, aggr: 'avg' }],
    };
    await note.paragraphs[0]!.configure({ results: { 0: { graph } } });
    const { call } = await connect('read');
    const chart = await call('describe', { note: id, paragraph: ids[0] });
    expect(chart.data['results']).toMatchObject([
      { chart: 'Bar chart', series: [{ points: 3, min: 1, max: 5, first: 1, last: 3 }] },
    ]);
    expect(chart.text).toMatch(/Bar chart of avg of v by k: 3 points\..*The table has 3 rows/s);
    await note.paragraphs[0]!.configure({ results: { 0: { graph: { mode: 'boxPlot' } } } });
    const box = await call('describe', { note: id, paragraph: ids[0] });
    expect(box.data['results']).toEqual([
      expect.objectContaining({
        chart: 'Box plot',
        summary: 'Box plot of a table of 3 rows with the columns k (string), v (number).',
      }),
    ]);
    const shown = await call('describe', { note: id, paragraph: ids[1] });
    expect(shown.data['results']).toMatchObject([{ type: 'HTML', widget: 'secret' }]);
    expect(shown.text).toContain('warehouse_password');
  });
});

describe('bad input', () => {
  it('is a tool error with a sentence', async () => {
    const { id, ids } = await noteOf('%md x');
    const { call, agent } = await connect('edit');
    for (const [name, args, message] of [
      ['read_note', {}, /The arguments of read_note are invalid\. note: .*string/],
      ['read_note', { note: 5 }, /note: .*string/],
      ['read_note', { note: id, nonsense: 1 }, /nonsense/],
      ['read_note', { note: 'no such note' }, /There is no note 'no such note'.*list_notes/],
      ['read_note', { note: id, paragraph: 'p' }, /has no paragraph 'p'\. Its paragraphs are/],
      ['run_paragraph', { note: id, paragraph: 'p' }, /has no paragraph 'p'/],
      ['read_result', { note: id, paragraph: ids[0] }, /has no results \(READY\)\. Run it first/],
      ['run_note', { note: id, timeout_seconds: -1 }, /timeout_seconds/],
      ['run_note', { note: id, params: { city: 'x' } }, /There is no form 'city'/],
      ['create_note', { path: ' / ' }, /The path is empty/],
      ['remove_everything', {}, /There is no tool 'remove_everything'\. The tools are list_notes/],
    ] as const) {
      const { isError, text } = await callTool(agent, name, args);
      expect([name, isError, text]).toEqual([name, true, expect.stringMatching(message)]);
    }
    expect((await call('read_note', { note: id })).isError).toBe(false);
  });
});

describe('rights and the log', () => {
  it('of the server apply, and a refusal says what to do', async () => {
    const { id, path, ids } = await noteOf('%js console.log(1)');
    const { token } = await new AccessTokenStore(people.data).create('bob', { expiresInDays: 1 });
    const bob = createClient({ server: people.url, auth: { token: token! }, autosave: 0 });
    onTestFinished(() => bob.close());
    const { call, records } = await connect('edit', undefined, { as: bob });
    expect((await call('read_note', { note: id })).text).toMatch(/There is no note .* may read/);
    const note = await client.open(id);
    onTestFinished(() => note.close());
    await note.setPermissions({ ...onlyFor('admin'), readers: [] });
    await expect.poll(async () => (await call('read_note', { note: path })).isError).toBe(false);
    for (const [name, args] of [
      ['run_paragraph', { paragraph: ids[0] }],
      ['insert_paragraph', { text: '%md no' }],
    ] as const) {
      const { isError, text } = await call(name, { note: id, ...args });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/lacks this right on the note/),
      ]);
    }
    expect(await statusOf(id)).toBe('READY');
    expect(records.at(-1)).toMatchObject({
      event: 'mcp',
      principal: 'bob',
      command: 'insert_paragraph',
      note: id,
      outcome: 'refused',
    });
  });

  it('have a line for each call, and the audit log of the server has token and run', async () => {
    const { id, ids } = await noteOf('%js console.log(1)');
    const { call, records } = await connect('run');
    await call('list_notes');
    await call('run_paragraph', { note: id, paragraph: ids[0] });
    await call('read_note', { note: 'nowhere' });
    await call('rm_rf');
    expect(records.map(({ command, outcome }) => [command, outcome])).toEqual([
      ['list_notes', 'ok'],
      ['run_paragraph', 'ok'],
      ['read_note', 'invalid'],
      ['unknown', 'invalid'],
    ]);
    expect(records[1]).toMatchObject({ principal: 'admin', note: id, paragraph: ids[0] });
    await audited(people.data, { event: 'run', principal: 'admin', note: id });
    await audited(people.data, { event: 'token-used', principal: 'admin', target: tokenId });
  });
});
