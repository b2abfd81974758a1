/**
 * Embed tokens, exports and revisions for notes of a Zeppelin. The token's restrictions apply,
 * whatever Zeppelin would allow.
 */
import { describe, expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import {
  type ApiCall,
  callApi,
  type Login,
  login,
  openSocket,
  request,
} from '../../test/support/raw.ts';

const gateway = useGateway();
const paragraph = (id: string, text: string, more = {}) => ({
  id,
  title: id,
  text,
  user: 'alice',
  config: { enabled: true },
  settings: { params: { city: 'Bern' }, forms: {} },
  status: 'FINISHED',
  ...more,
});
const FORM = '%sql select ${city=Bern,Bern|Basel} limit ${limit=5}';
const note = {
  id: 'n1',
  name: 'secret/plans',
  path: '/secret/plans',
  config: { cronExecutingUser: 'alice', looknfeel: 'report' },
  info: {},
  paragraphs: [
    paragraph('p1', FORM, {
      results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: 'a\tb\n1\tx,y' }] },
      dateFinished: 'Nov 21, 2026 8:00:00 AM',
    }),
    paragraph('p2', '%sh echo two'),
  ],
};
const lists = (owners: string[]) => ({ owners, readers: [], runners: [], writers: [] });
const serve = (owners = ['alice']) => {
  const { replies } = gateway.zeppelin;
  replies['GET /notebook/n1'] = (_, response) => json(response, 200, { status: 'OK', body: note });
  replies['GET /notebook/n1/permissions'] = (_, response) =>
    json(response, 200, { status: 'OK', body: lists(owners) });
  for (const each of note.paragraphs)
    replies[`GET /notebook/n1/paragraph/${each.id}`] = (_, response) =>
      json(response, 200, { status: 'OK', body: each });
  for (const call of [
    'POST /notebook/job/n1/p1',
    'POST /notebook/job/n1',
    'PUT /notebook/n1/paragraph/p1',
    'DELETE /notebook/n1',
    'GET /notebook/n2',
  ])
    replies[call] = (_, response) => json(response, 200, { status: 'OK', body: call });
};
const make = async (who: Login, wish: object) => {
  const answer = await gateway.call(who, 'POST', '/magpie/embed-token', { noteId: 'n1', ...wish });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { token: string; jti: string };
};
const as = (token: string) => ({
  call: (...args: ApiCall) => callApi(gateway.url, token, ...args),
  async socket() {
    const { json: answer } = await this.call('GET', '/security/ticket');
    const { body: identity } = answer as { body: Login['identity'] };
    return Object.assign(await openSocket(gateway.url, { identity }), { identity });
  },
});
const heard = (op: string) => gateway.zeppelin.frames.filter((frame) => frame['op'] === op);

describe.each(['accounts', 'nobody'] as const)(
  'embed token, with Zeppelin accounts: %s',
  (kind) => {
    const begin = async () => {
      gateway.zeppelin.accounts = kind === 'accounts';
      serve();
      await gateway.start();
      return kind === 'accounts' ? login(gateway.url, 'alice', 'alice-pass') : gateway.admin();
    };

    it('for viewing: REST shows its paragraph and nothing else', async () => {
      const { token } = await make(await begin(), { paragraphId: 'p1', scope: 'view' });
      const page = as(token);
      const shown = (await page.call('GET', '/notebook/n1')).text;
      expect(JSON.parse(shown)).toMatchObject({
        status: 'OK',
        body: { id: 'n1', name: 'n1', paragraphs: [{ id: 'p1', text: FORM }] },
      });
      expect(shown).not.toMatch(/secret|alice|p2|two/);
      expect((await page.call('GET', '/notebook/n1/paragraph/p1')).text).not.toContain('alice');
      const refused = [
        ['GET', '/notebook/n1/paragraph/p2'],
        ['GET', '/notebook/n2'],
        ['GET', '/notebook'],
        ['POST', '/notebook/job/n1/p1'],
        ['PUT', '/notebook/n1/paragraph/p1'],
        ['DELETE', '/notebook/n1'],
        ['GET', '/interpreter/setting'],
        ['POST', '/magpie/embed-token'],
      ] as const;
      for (const [method, path] of refused)
        expect([
          path,
          (await page.call(method, path, method === 'GET' ? undefined : {})).status,
        ]).toEqual([path, 403]);
      for (const [method, path] of refused)
        if (!path.endsWith('embed-token')) expect(gateway.asked(`${method} ${path}`)).toEqual([]);
      const csv = await page.call('GET', '/magpie/result/n1.p1.0?format=csv');
      expect(csv.text).toBe('a,b\r\n1,"x,y"\r\n');
      expect((await page.call('GET', '/magpie/result/n1.p2.0')).status).toBe(403);
    });

    it("for viewing: receives messages about its paragraph, and can't send changes", async () => {
      const { token } = await make(await begin(), { paragraphId: 'p1', scope: 'view' });
      const socket = await as(token).socket();
      socket.send({ op: 'GET_NOTE', data: { id: 'n1' } });
      await expect.poll(() => heard('GET_NOTE').length).toBe(1);
      const there = gateway.zeppelin.sockets.at(-1)!;
      for (const told of [
        { op: 'NOTES_INFO', data: { notes: [{ id: 'n2', path: '/other' }] } },
        { op: 'NOTE', data: { note: { ...note, id: 'n2' } } },
        { op: 'PARAGRAPH', data: { paragraph: note.paragraphs[1] } },
        {
          op: 'PARAGRAPH_APPEND_OUTPUT',
          data: { noteId: 'n2', paragraphId: 'p1', index: 0, data: 'of another note' },
        },
        { op: 'CONFIGURATIONS_INFO', data: { configurations: { a: 'b' } } },
        { op: 'SOMETHING_NEW', data: { text: 'new' } },
        { op: 'constructor', data: { text: 'new' } },
        { op: 'PARAGRAPH', data: {} },
        { op: 'NOTE', data: { note } },
      ])
        there.send(
          JSON.stringify({ ...told, ticket: 'anonymous', principal: 'alice', roles: '[]' }),
        );
      const first = await socket.any();
      expect(first).toMatchObject({
        op: 'NOTE',
        principal: 'anonymous',
        data: { note: { id: 'n1', paragraphs: [{ id: 'p1' }] } },
      });
      expect(JSON.stringify(first)).not.toMatch(/secret|alice|two/);
      // A message that can't be parsed can't be filtered either.
      there.send(`{"op":"NOTE","data":${'secret'.repeat(20_000)}}`);
      expect((await socket.any()).data['info']).toContain('cannot be read');
      for (const [op, data] of [
        [
          'RUN_PARAGRAPH',
          { id: 'p1', paragraph: '%sh rm -rf /', title: '', config: {}, params: {} },
        ],
        ['GET_NOTE', { id: 'n2' }],
        ['COMMIT_PARAGRAPH', { id: 'p1', paragraph: 'x', noteId: 'n1' }],
        ['LIST_NOTES', {}],
        ['NOTE_RENAME', { id: 'n1', name: 'x' }],
        ['NO_SUCH_OPERATION', {}],
      ] as const) {
        socket.send({ op, data });
        expect((await socket.next('AUTH_INFO', 'ERROR_INFO')).op).toMatch(/_INFO/);
        expect([op, heard(op).length]).toEqual([op, op === 'GET_NOTE' ? 1 : 0]);
      }
    });

    it("for running: runs the stored text with the token's values and form options", async () => {
      const { token } = await make(await begin(), { scope: 'run', params: { limit: 5 } });
      const page = as(token);
      const socket = await page.socket();
      const run = (params: object) =>
        socket.send({
          op: 'RUN_PARAGRAPH',
          data: {
            id: 'p1',
            title: 'mine',
            paragraph: '%sh rm -rf /',
            config: { enabled: false },
            params,
          },
        });
      run({ city: 'Basel', limit: 9_999 });
      await expect.poll(() => heard('RUN_PARAGRAPH').length).toBe(1);
      expect(heard('RUN_PARAGRAPH')[0]!['data']).toEqual({
        id: 'p1',
        title: 'p1',
        paragraph: FORM,
        config: { enabled: true },
        params: { city: 'Basel', limit: 5 },
      });
      run({ city: "x'; drop table people" });
      expect((await socket.next('AUTH_INFO')).data['info']).toContain("'city'");
      socket.send({
        op: 'RUN_ALL_PARAGRAPHS',
        data: {
          noteId: 'n1',
          paragraphs: JSON.stringify([
            { id: 'p2', paragraph: '%sh rm -rf /' },
            { id: 'p9', paragraph: 'new' },
          ]),
        },
      });
      await expect.poll(() => heard('RUN_ALL_PARAGRAPHS').length).toBe(1);
      const all = JSON.parse(
        (heard('RUN_ALL_PARAGRAPHS')[0]!['data'] as { paragraphs: string }).paragraphs,
      ) as { id: string; paragraph: string }[];
      expect(all.map(({ id, paragraph: text }) => [id, text])).toEqual([
        ['p1', FORM],
        ['p2', '%sh echo two'],
      ]);
      expect(heard('RUN_PARAGRAPH')).toHaveLength(1);

      expect(
        (await page.call('POST', '/notebook/job/n1/p1', { params: { city: 'Basel' } })).status,
      ).toBe(200);
      expect(JSON.parse(String(gateway.asked('POST /notebook/job/n1/p1')[0]!.body))).toEqual({
        params: { city: 'Basel', limit: 5 },
      });
      expect(
        (await page.call('POST', '/notebook/job/n1/p1', { params: { city: 'Rome' } })).status,
      ).toBe(403);
      expect(
        (await page.call('POST', '/notebook/job/n1', { params: { city: 'Rome' } })).status,
      ).toBe(403);
      expect((await page.call('PUT', '/notebook/n1/paragraph/p1', { text: 'x' })).status).toBe(403);
    });

    it('for results: receives outputs of finished runs, and no code', async () => {
      const { token } = await make(await begin(), { paragraphId: 'p1', scope: 'results' });
      const page = as(token);
      const called = await page.call('GET', '/notebook/n1/paragraph/p1');
      const { body } = JSON.parse(called.text) as { body: { text?: string; results?: object } };
      expect(body.text).toBeUndefined();
      expect(body.results).toMatchObject({ msg: [{ data: 'a\tb\n1\tx,y' }] });
      const jobs = await page.call('GET', '/notebook/job/n1/p1');
      expect(jobs.text).not.toContain('errorMessage');
      const socket = await page.socket();
      socket.send({ op: 'GET_NOTE', data: { id: 'n1' } });
      await expect.poll(() => heard('GET_NOTE').length).toBe(1);
      const there = gateway.zeppelin.sockets.at(-1)!;
      // Zeppelin streams the text of an error like output.
      const output = { noteId: 'n1', paragraphId: 'p1', index: 0, data: `at ${FORM}` };
      const results = { code: 'ERROR', msg: [{ type: 'TEXT', data: `at ${FORM}` }] };
      const paragraph = { ...note.paragraphs[0], results, errorMessage: FORM };
      for (const told of [
        { op: 'PARAGRAPH_APPEND_OUTPUT', data: output },
        { op: 'PARAGRAPH_UPDATE_OUTPUT', data: { ...output, type: 'TEXT' } },
        { op: 'PATCH_PARAGRAPH', data: { paragraphId: 'p1', patch: FORM } },
        { op: 'PARAGRAPH', data: { paragraph: { ...paragraph, status: 'RUNNING' } } },
        { op: 'PARAGRAPH', data: { paragraph: { ...paragraph, status: 'ABORT' } } },
        { op: 'PARAGRAPH', data: { paragraph: { ...paragraph, status: 'ERROR' } } },
      ])
        there.send(JSON.stringify(told));
      const seen = [await socket.any(), await socket.any(), await socket.any()];
      expect(seen.map(({ data }) => (data['paragraph'] as { status: string }).status)).toEqual([
        'RUNNING',
        'ABORT',
        'ERROR',
      ]);
      expect(JSON.stringify(seen)).not.toContain(JSON.stringify(FORM).slice(1, -1));
    });

    it('for editing: runs in listed interpreters only', async () => {
      const { token } = await make(await begin(), {
        paragraphId: 'p1',
        scope: 'edit',
        interpreters: ['md'],
      });
      const page = as(token);
      const socket = await page.socket();
      for (const [op, text] of [
        ['RUN_PARAGRAPH', '%sh ls'],
        ['RUN_PARAGRAPH', '%sh.md ls'],
        ['RUN_PARAGRAPH', 'ls'],
        // Not a space for Zeppelin, which would run this with the default interpreter.
        ['RUN_PARAGRAPH', '\u00a0%md ls'],
        ['COMPLETION', '%sh l'],
      ] as const) {
        socket.send({ op, data: { id: 'p1', paragraph: text, buf: text, cursor: 1 } });
        const { data } = await socket.next('AUTH_INFO', 'ERROR_INFO');
        expect(data['info']).toContain('does not allow it to run code in the interpreter');
        expect(heard(op)).toEqual([]);
      }
      for (const path of ['run/n1/p1', 'job/n1/p1']) {
        expect((await page.call('POST', `/notebook/${path}`, {})).status).toBe(403);
        expect(gateway.asked(`POST /notebook/${path}`)).toEqual([]);
      }
      socket.send({ op: 'RUN_PARAGRAPH', data: { id: 'p1', paragraph: '%md fine' } });
      await expect.poll(() => heard('RUN_PARAGRAPH').length).toBe(1);
    });

    it('for editing: changes its paragraph but no other note', async () => {
      const { token } = await make(await begin(), {
        paragraphId: 'p1',
        scope: 'edit',
        interpreters: ['sh'],
      });
      const page = as(token);
      const socket = await page.socket();
      socket.send({
        op: 'RUN_PARAGRAPH',
        data: { id: 'p1', title: '', paragraph: '%sh mine', config: {}, params: {} },
      });
      await expect
        .poll(
          () =>
            (heard('RUN_PARAGRAPH')[0]?.['data'] as { paragraph?: string } | undefined)?.paragraph,
        )
        .toBe('%sh mine');
      expect((await page.call('PUT', '/notebook/n1/paragraph/p1', { text: 'x' })).status).toBe(200);
      for (const data of [
        { id: 'p2', paragraph: 'x' },
        { id: 'p1', paragraph: 'x', noteId: 'n2' },
      ]) {
        socket.send({ op: 'COMMIT_PARAGRAPH', data });
        await socket.next('AUTH_INFO', 'ERROR_INFO');
      }
      expect(heard('COMMIT_PARAGRAPH')).toEqual([]);
      expect((await page.call('DELETE', '/notebook/n1')).status).toBe(403);
    });

    it("ends when revoked, or with its issuer's session if it has none at Zeppelin", async () => {
      const who = await begin();
      const [one, two] = [await make(who, { scope: 'view' }), await make(who, { scope: 'view' })];
      const socket = await as(one.token).socket();
      socket.send({ op: 'GET_NOTE', data: { id: 'n1' } });
      await expect.poll(() => heard('GET_NOTE').length).toBe(1);
      expect((await gateway.call(who, 'DELETE', `/magpie/embed-token/${one.jti}`)).status).toBe(
        204,
      );
      await socket.next('SESSION_LOGOUT');
      expect((await as(one.token).call('GET', '/notebook/n1')).status).toBe(401);
      expect((await gateway.call(who, 'DELETE', '/magpie/embed-token/unknown')).status).toBe(404);
      expect((await as(two.token).call('GET', '/notebook/n1')).status).toBe(200);
      if (kind === 'accounts') {
        await gateway.call(who, 'POST', '/login/logout');
        expect((await as(two.token).call('GET', '/notebook/n1')).status).toBe(401);
        const again = await login(gateway.url, 'alice', 'alice-pass');
        const three = await make(again, { scope: 'view' });
        expect((await gateway.call(again, 'DELETE', '/magpie/embed-token')).status).toBe(204);
        expect((await as(three.token).call('GET', '/notebook/n1')).status).toBe(401);
      } else {
        expect((await gateway.call(who, 'DELETE', '/magpie/embed-token')).status).toBe(204);
        expect((await as(two.token).call('GET', '/notebook/n1')).status).toBe(401);
      }
    });
  },
);

it("is issued by the note's owner and revoked by its issuer", async () => {
  serve(['alice']);
  await gateway.start();
  const [alice, bob] = [
    await login(gateway.url, 'alice', 'alice-pass'),
    await login(gateway.url, 'bob', 'bob-pass'),
  ];
  expect(
    (await gateway.call(bob, 'POST', '/magpie/embed-token', { noteId: 'n1', scope: 'view' }))
      .status,
  ).toBe(403);
  expect(
    await gateway.call(alice, 'POST', '/magpie/embed-token', {
      noteId: 'n1',
      paragraphId: 'p9',
      scope: 'view',
    }),
  ).toMatchObject({ status: 404 });
  expect(
    (await gateway.call(alice, 'POST', '/magpie/embed-token', { noteId: 'n9', scope: 'view' }))
      .status,
  ).toBe(404);
  const { jti } = await make(alice, { scope: 'view' });
  expect((await gateway.call(bob, 'DELETE', `/magpie/embed-token/${jti}`)).status).toBe(404);
  expect((await gateway.call(bob, 'DELETE', '/magpie/embed-token?issuer=alice')).status).toBe(403);
});

describe('features that Zeppelin lacks', () => {
  it('exports a table in every format, and says why there is none', async () => {
    serve();
    await gateway.start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const csv = await gateway.call(alice, 'GET', '/magpie/result/n1.p1.0', undefined, {
      Accept: '*/*',
    });
    expect([csv.headers['content-type'], csv.headers['content-disposition']]).toEqual([
      'text/csv',
      'attachment; filename="magpie_export_20261121_080000.csv"',
    ]);
    expect((await gateway.call(alice, 'GET', '/magpie/result/n1.p1.0?format=json')).json).toEqual([
      { a: 1, b: 'x,y' },
    ]);
    expect((await gateway.call(alice, 'HEAD', '/magpie/result/n1.p1.0')).status).toBe(200);
    const missing = ['n1.p1.1', 'n1.p2.0', 'n1.p9.0', 'n9.p1.0', 'x', '../../etc.p.0'];
    expect(
      await Promise.all(
        missing.map(
          async (id) =>
            (await gateway.call(alice, 'GET', `/magpie/result/${encodeURIComponent(id)}`)).status,
        ),
      ),
    ).toEqual([410, 410, 404, 404, 404, 404]);
  });

  it('maps REST calls for revisions to live messages, with the permissions of REST', async () => {
    serve(['alice']);
    gateway.zeppelin.replies['GET /notebook/n1/permissions'] = (_, response) =>
      json(response, 200, {
        status: 'OK',
        body: { ...lists(['alice']), writers: ['alice'], runners: ['alice'], readers: ['alice'] },
      });
    const list = [
      { id: 'r2', message: 'two', time: 2 },
      { id: 'r1', message: 'one', time: 1 },
    ];
    gateway.zeppelin.onSocket = (there) =>
      there.on('message', (data) => {
        const { op, data: { revisionId = '' } = {} } = JSON.parse(String(data)) as {
          op: string;
          data?: { revisionId?: string };
        };
        // Recorded from Zeppelin 0.10.
        const answers: Record<string, [string, object]> = {
          LIST_REVISION_HISTORY: ['LIST_REVISION_HISTORY', { revisionList: list }],
          CHECKPOINT_NOTE: ['LIST_REVISION_HISTORY', { revisionList: list }],
          NOTE_REVISION:
            revisionId === 'r1'
              ? ['NOTE_REVISION', { noteId: 'n1', revisionId, note }]
              : ['NOTE_REVISION', { noteId: 'n1', revisionId }],
          SET_NOTE_REVISION:
            revisionId === 'r1'
              ? ['SET_NOTE_REVISION', { status: true }]
              : ['ERROR_INFO', { info: 'Fail to set given note revision, cause: null' }],
        };
        const answer = answers[op];
        if (answer) there.send(JSON.stringify({ op: answer[0], data: answer[1] }));
      });
    await gateway.start();
    const [alice, bob] = [
      await login(gateway.url, 'alice', 'alice-pass'),
      await login(gateway.url, 'bob', 'bob-pass'),
    ];
    expect((await gateway.call(alice, 'GET', '/notebook/n1/revision')).json).toEqual({
      status: 'OK',
      message: '',
      body: list,
    });
    expect(
      (await gateway.call(alice, 'POST', '/notebook/n1/revision', { commitMessage: 'two' })).json,
    ).toEqual({ status: 'OK', message: '', body: list[0] });
    expect((await gateway.call(alice, 'GET', '/notebook/n1/revision/r1')).json).toMatchObject({
      body: { id: 'n1' },
    });
    expect((await gateway.call(alice, 'PUT', '/notebook/n1/revision/r1')).status).toBe(200);
    expect((await gateway.call(alice, 'GET', '/notebook/n1/revision/r9')).status).toBe(404);
    expect((await gateway.call(alice, 'PUT', '/notebook/n1/revision/r9')).status).toBe(404);
    for (const [method, path] of [
      ['GET', '/notebook/n1/revision'],
      ['POST', '/notebook/n1/revision'],
      ['GET', '/notebook/n1/revision/r1'],
      ['PUT', '/notebook/n1/revision/r1'],
    ] as const) {
      expect([
        path,
        (
          await gateway.call(
            bob,
            method,
            path,
            method === 'POST' ? { commitMessage: 'x' } : undefined,
          )
        ).status,
      ]).toEqual([path, 403]);
    }
    expect(gateway.asked('GET /notebook/n1/revision')).toEqual([]);
    // Newer versions handle the call themselves.
    gateway.zeppelin.replies['GET /version'] = (_, response) =>
      json(response, 200, { status: 'OK', body: { version: '0.11.2' } });
    gateway.zeppelin.replies['GET /notebook/n1/revision'] = (_, response) =>
      json(response, 200, { status: 'OK', body: ['its own'] });
    await request(gateway.url, 'GET', '/healthz');
    expect((await gateway.call(alice, 'GET', '/notebook/n1/revision')).json).toEqual({
      status: 'OK',
      body: ['its own'],
    });
  });

  it('provides or rejects each feature; Zeppelin answers what it supports itself', async () => {
    await gateway.start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const { replies } = gateway.zeppelin;
    replies['GET /credential'] = (_, response) =>
      json(response, 200, { status: 'OK', body: { userCredentials: { of: 'upstream' } } });
    expect((await gateway.call(alice, 'GET', '/credential')).json).toMatchObject({
      body: { userCredentials: { of: 'upstream' } },
    });
    expect((await gateway.call(alice, 'GET', '/magpie/config')).json).toMatchObject({
      loginMode: 'Password',
      features: {
        accessTokens: false,
        clusters: true,
        connections: false,
        people: false,
        revisionControl: false,
      },
    });
    expect((await gateway.call(alice, 'GET', '/magpie/version')).json).toMatchObject({
      version: expect.any(String) as unknown,
    });
    expect((await gateway.call(alice, 'GET', '/magpie/clusters')).status).toBe(200);
    expect(
      (await gateway.call(alice, 'POST', '/magpie/clusters/current', { clusterName: 'unknown' }))
        .status,
    ).toBe(404);
    expect((await gateway.call(alice, 'GET', '/magpie/cli')).text).toContain('tiding.mjs help');
    expect((await gateway.call(alice, 'GET', '/openapi.json')).json).toMatchObject({
      openapi: '3.1.0',
    });
    expect(
      (await gateway.call(alice, 'POST', '/magpie/file', { file: { path: '../sessions.json' } }))
        .status,
    ).toBeGreaterThanOrEqual(400);
    for (const path of ['/magpie/revision-control', '/magpie/access-token', '/magpie/principals']) {
      expect([path, (await gateway.call(alice, 'GET', path)).json]).toEqual([
        path,
        {
          status: 'NOT_FOUND',
          message: expect.stringMatching(/Zeppelin behind (this server|it)/) as unknown,
        },
      ]);
    }
    expect(gateway.zeppelin.asked.filter(({ call }) => /magpie|openapi/.test(call))).toEqual([]);
  });
});
