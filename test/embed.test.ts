/** Embed tokens, used by pages of other hosts: what each scope allows, and nothing else. */
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@tiding/client';
import {
  type EmbedRule,
  type EmbedScope,
  type EndpointName,
  embedScopes,
  endpoints,
  type Note,
  type Sends,
  type SentOp,
  sentOperations,
} from '@tiding/client/protocol';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { EmbedKeys } from '../server/auth/embed-keys.ts';
import { Secrets } from '../server/auth/secrets.ts';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { runCommand } from './support/command-line.ts';
import { bodyOf } from './support/people.ts';
import {
  type Answer,
  type ApiCall,
  callApi,
  type Login,
  login,
  onlyFor,
  openSocket,
  type RawSocket,
  startEmpty,
} from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const PASSWORD = 'a-password-for-tests';
const SECRET = 'nobody-else-reads-this';
const scopes = embedScopes;
const operations = Object.keys(sentOperations) as SentOp[];
const calls = Object.keys(endpoints) as EndpointName[];

const embedded = untilEnd(await startEmpty({ logLevel: 'silent', shell: false }));
const { url } = embedded.server;
const users = new Users(embedded.data);
await users.set('portal', { password: PASSWORD });
await users.set('carol', { password: PASSWORD });
const made = await new AccessTokenStore(embedded.data).create('portal');
const [portal, portalId] = [made.token!, made.tokenId];
const admin = await login(url);
const call = (who: Login, ...args: ApiCall) => callApi(url, who, ...args);
/** The header of a call whose body has this encoding. */
const typeOf = (encoding: unknown) => ({
  'Content-Type': encoding === 'text' ? 'text/plain' : 'application/json',
});
const withToken = (token: string, ...args: ApiCall) => callApi(url, token, ...args);
const note = async (name: string, texts: string[]): Promise<string> =>
  bodyOf<string>(
    call(admin, 'POST', '/notebook', { name, paragraphs: texts.map((text) => ({ text })) }),
  );
/** Gives the portal one right; only the administrator has other rights. */
const allow = async (id: string, right: 'readers' | 'runners' | 'writers' | 'nothing') => {
  const only = { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['admin'] };
  if (right !== 'nothing') only[right].push('portal');
  expect((await call(admin, 'PUT', `/notebook/${id}/permissions`, only)).status).toBe(200);
};
const [noteId, otherId] = [
  await note('shown/dashboard', [
    '%js(form=simple)\nconsole.log("${city=Rome,Rome|Oslo} ${free=x} $${region=north}")',
    `%md\n${SECRET}`,
  ]),
  await note('private/other', [`%md\n${SECRET}`]),
];
const [first, second] = (
  await bodyOf<Note>(call(admin, 'GET', `/notebook/${noteId}`))
).paragraphs!.map(({ id }) => id) as [string, string];
for (const id of [noteId, otherId]) await allow(id, 'writers');
type Wish = {
  noteId?: string;
  paragraphId?: string;
  scope?: string;
  interpreters?: string[];
  params?: object;
  expiresInSeconds?: number;
  subject?: string;
};
const make = async (
  wish: Wish = {},
  by = portal,
): Promise<{ token: string; expiresAt: string; jti: string }> => {
  const answer = await withToken(by, 'POST', '/magpie/embed-token', {
    noteId,
    scope: 'view',
    ...(wish.scope === 'edit' ? { interpreters: ['js', 'md'] } : {}),
    ...wish,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { token: string; expiresAt: string; jti: string };
};
const ticketOf = async (token: string) => {
  const answer = await withToken(token, 'GET', '/security/ticket');
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { body: Login['identity'] }).body;
};
const open = async (token: string, note?: string) =>
  openSocket(url, { identity: await ticketOf(token), note });

describe('a token', () => {
  it('is created with an access token of a reader, or by a signed-in owner', async () => {
    const { expiresAt } = await make({ expiresInSeconds: 60, subject: 'visitor 7' });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 60_000)).toBeLessThan(30_000);
    expect(
      (await call(admin, 'POST', '/magpie/embed-token', { noteId, scope: 'edit' })).status,
    ).toBe(201);
    const page = await login(url, 'portal', PASSWORD);
    // A writer who is not the owner: their page can't create tokens.
    expect(
      (await call(page, 'POST', '/magpie/embed-token', { noteId, scope: 'view' })).status,
    ).toBe(403);
  });

  it("grants no more than its creator's rights", async () => {
    const id = await note('shown/readers', ['%md\nx']);
    await allow(id, 'readers');
    await make({ noteId: id });
    for (const scope of ['run', 'edit'])
      expect(
        (await withToken(portal, 'POST', '/magpie/embed-token', { noteId: id, scope })).status,
      ).toBe(403);
  });

  it.each([
    [{ scope: 'own' }, 400],
    [{ scope: undefined }, 400, /scope is missing: .*one of/],
    [{ noteId: 7 }, 400],
    [{ expiresInSeconds: 301 }, 400],
    [{ expiresInSeconds: 0 }, 400],
    [{ expiresInSeconds: 1.5 }, 400],
    [{ params: 'x' }, 400],
    [{ params: { x: 'y'.repeat(4_000) } }, 400],
    [{ subject: 'a\nb' }, 400],
    [{ subject: 'x'.repeat(256) }, 400],
    [{ noteId: '2NOSUCHID' }, 404],
    [{ paragraphId: 'nowhere' }, 404],
    [{ scope: 'run', interpreters: ['js'] }, 400],
    [{ scope: 'edit', interpreters: ['nosuch'] }, 400],
    [{ scope: 'edit', interpreters: ['javascript'] }, 400],
    [{ scope: 'edit', interpreters: ['js\n'] }, 400],
    [{ scope: 'edit', interpreters: 'js' }, 400],
    [{ expiresIn: 3_600 }, 400, /^Unknown field expiresIn\. .*expiresInSeconds, subject, origin/],
    [{ scope: 'run', params: { ctiy: 'Oslo' } }, 400, /no form ctiy\. The forms are .*city/],
    [{ scope: 'edit', params: { city: 'Oslo', City: 'Oslo' } }, 400, /no form City\./],
    [{ params: { toString: 'x' } }, 400, /no form toString\./],
  ] as [object, number, RegExp?][])('of %j gets %i [S32 S34]', async (wish, status, message) => {
    const answer = await withToken(portal, 'POST', '/magpie/embed-token', {
      noteId,
      scope: 'view',
      ...wish,
    });
    expect(answer.status).toBe(status);
    expect((answer.json as { message: string }).message).toMatch(message ?? /./);
  });

  it('names its session the same each time, without creator, subject and roles', async () => {
    const identities = [];
    for (const subject of ['visitor-7', 'visitor-7', 'visitor-8']) {
      const { token } = await make({ subject });
      identities.push(await ticketOf(token));
    }
    const [one, same, other] = identities;
    expect(one).toMatchObject({
      principal: expect.stringMatching(/^embed:[\w-]{16}$/),
      roles: '[]',
      // Pages disable what the token doesn't allow.
      scope: 'view',
    });
    expect(same!.principal).toBe(one!.principal);
    expect(other!.principal).not.toBe(one!.principal);
  });

  it('is not readable: neither its creator, its subject nor its values', async () => {
    const { token } = await make({ subject: 'visitor-7', params: { city: 'Oslo' } });
    const read = token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString())
      .join('\n');
    expect(read).toContain('A256GCM');
    expect(read).not.toMatch(/portal|visitor|Oslo|iss|scope/);
  });

  it('is refused if one character, its algorithm or its signature is changed [S32]', async () => {
    const { token } = await make();
    const [header, , iv, body, tag] = token.slice(4).split('.') as string[];
    const changed = (part: string, change: object) =>
      Buffer.from(
        JSON.stringify({
          ...(JSON.parse(Buffer.from(part, 'base64url').toString()) as object),
          ...change,
        }),
      ).toString('base64url');
    const flipped = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
    for (const wrong of [
      `tde_${header}..${iv}.${flipped(body!)}.${tag}`,
      `tde_${header}..${flipped(iv!)}.${body}.${tag}`,
      `tde_${changed(header!, { alg: 'none' })}..${iv}.${body}.${tag}`,
      `tde_${header}..${iv}.${body}.`,
      `tde_${header}..${iv}.${body}.${tag!.slice(0, 6)}`,
      `tde_${header}.x.${iv}.${body}.${tag}`,
      `tde_${changed(header!, { kid: 'another' })}..${iv}.${body}.${tag}`,
      `tde_${changed(header!, { kid: '__proto__' })}..${iv}.${body}.${tag}`,
      'tde_',
      'tde_..',
      'tde_....',
      `${token}.x`,
      `tde_${header}..${iv}.${body}.${flipped(tag!)}`,
      `tde_${'x'.repeat(9_000)}`,
    ])
      expect(
        (await withToken(wrong, 'GET', `/notebook/${noteId}`)).status,
        wrong.slice(0, 60),
      ).toBe(401);
    expect((await withToken(token, 'GET', `/notebook/${noteId}`)).status).toBe(200);
  });

  it('is invalid when its creator loses the right or token, or is removed [S33]', async () => {
    const id = await note('shown/lost', ['%md\nx']);
    await allow(id, 'readers');
    const { token } = await make({ noteId: id });
    const socket = await open(token, id);
    await allow(id, 'nothing');
    expect((await withToken(token, 'GET', `/notebook/${id}`)).status).toBe(403);
    socket.send({ op: 'GET_NOTE', data: { id } });
    const { data } = await socket.next('AUTH_INFO', 'NOTE');
    // User names are not exposed.
    expect(data['info']).toBe('Insufficient privileges to read note.');

    const users = new Users(embedded.data);
    await users.set('short', { password: PASSWORD });
    const tokens = new AccessTokenStore(embedded.data);
    const access = await tokens.create('short');
    await call(admin, 'PUT', `/notebook/${id}/permissions`, {
      ...onlyFor('admin'),
      readers: ['short'],
    });
    const [one, two] = [
      await make({ noteId: id }, access.token),
      await make({ noteId: id }, access.token),
    ];
    expect((await withToken(one.token, 'GET', `/notebook/${id}`)).status).toBe(200);
    await tokens.change('short', access.tokenId, { disabled: true });
    expect((await withToken(one.token, 'GET', `/notebook/${id}`)).status).toBe(401);
    await tokens.change('short', access.tokenId, { disabled: false });
    expect((await withToken(two.token, 'GET', `/notebook/${id}`)).status).toBe(200);
    await users.remove('short');
    expect((await withToken(two.token, 'GET', `/notebook/${id}`)).status).toBe(401);
  });
});

/** Payloads that keep the note usable for later tests. */
const harmless: { [Op in SentOp]?: () => Sends[Op] } = {
  COMMIT_PARAGRAPH: () => ({ id: first, noteId, title: 'T' }),
  RUN_PARAGRAPH: () => ({ id: first, noteId }),
  INSERT_PARAGRAPH: () => ({ index: 2, noteId }),
  COPY_PARAGRAPH: () => ({ index: 2, noteId, paragraph: '%md\ncopy' }),
  MOVE_PARAGRAPH: () => ({ id: first, index: 0, noteId }),
  PARAGRAPH_REMOVE: () => ({ id: 'nowhere', noteId }),
  EDITOR_SETTING: () => ({ paragraphId: first, magic: 'js', noteId }),
  TIDING_RESTORE_PARAGRAPH: () => ({ noteId, index: 0, paragraph: { id: 'restored' } }),
};
/** The sample of an operation, for the note and its first paragraph. */
const payloadOf = (op: SentOp): object =>
  harmless[op]?.() ??
  (JSON.parse(
    JSON.stringify(sentOperations[op].sample)
      .replaceAll('$note', noteId)
      .replaceAll('$paragraph', first),
  ) as object);
const liveRule = (op: SentOp): EmbedRule | undefined => sentOperations[op].embed;
const restRule = (name: EndpointName): EmbedRule | undefined => endpoints[name].embed;
const covers = (rule: EmbedRule | undefined, scope: EmbedScope) =>
  rule !== undefined && scopes.indexOf(scope) >= scopes.indexOf(rule[0]);
/**
 * Sends an operation, then another one whose refusal follows all answers of the first. Returns the
 * frames received before that refusal.
 */
const tried = async (
  socket: RawSocket,
  op: SentOp,
  data: object,
): Promise<{ op: string; data: Record<string, unknown> }[]> => {
  socket.send({ op, data });
  socket.send({
    op: 'EDITOR_SETTING',
    data: { paragraphId: 'end', noteId: '2NOSUCHID' },
    msgId: 'end',
  });
  const frames = [];
  for (;;) {
    const frame = await socket.any();
    if (frame.op === 'AUTH_INFO' && frame.msgId === 'end') return frames;
    // Frames that follow any NOTE.
    if (
      frame.op !== 'COLLABORATIVE_MODE_STATUS' &&
      !(frame.op === 'ANGULAR_OBJECT_UPDATE' && !op.startsWith('ANGULAR'))
    )
      frames.push(frame);
  }
};
const refusal = /^The token of this page is /;

it('results and view tokens only read, and run tokens only read and run', () => {
  const allowed = (scope: EmbedScope) => ({
    live: operations.filter((op) => covers(liveRule(op), scope)).sort(),
    rest: calls.filter((name) => covers(restRule(name), scope)).sort(),
  });
  const results = {
    live: ['GET_NOTE', 'PING', 'RELOAD_NOTE', 'TIDING_COMM_STATE'],
    rest: (
      'checkResult getFirstViews getNote getNoteImage getPackageOrder getParagraph ' +
      'getResult getTrust listEnabledPackages loadBundle logout magpieConfig ' +
      'magpieVersion noteJob paragraphJob queryResult ticket version'
    ).split(' '),
  };
  const view = { ...results, live: ['EDITOR_SETTING', ...results.live] };
  const run = {
    live: [
      ...view.live,
      'CANCEL_ALL_PARAGRAPHS',
      'CANCEL_PARAGRAPH',
      'RUN_ALL_PARAGRAPHS',
      'RUN_PARAGRAPH',
      'TIDING_ANSWER',
      'TIDING_COMM',
    ].sort(),
    rest: [
      ...view.rest,
      'runNote',
      'runParagraph',
      'startParagraph',
      'stopNote',
      'stopParagraph',
    ].sort(),
  };
  expect((['results', 'view', 'run'] as const).map(allowed)).toEqual([results, view, run]);
});

describe.each(scopes)('with a token to %s a note', (scope) => {
  let token: string;
  beforeAll(async () => ({ token } = await make({ scope })));

  it.each(operations.filter((op) => liveRule(op) !== undefined && op !== 'PING'))(
    '%s of another note is refused [S33]',
    async (op) => {
      const socket = await open(token);
      for (const id of [otherId, '2NOSUCHID']) {
        const data = JSON.parse(
          JSON.stringify({ noteId, ...payloadOf(op) }).replaceAll(noteId, id),
        ) as object;
        const [frame, ...more] = await tried(socket, op, data);
        expect([frame?.op, more.length]).toEqual(['AUTH_INFO', 0]);
        expect(frame?.data['info']).toMatch(refusal);
      }
    },
  );

  it.each(
    calls.filter(
      (name) => restRule(name) !== undefined && /:(noteId|resultId)/.test(endpoints[name].path),
    ),
  )('the call %s of another note is refused', async (name) => {
    const { method, path, encoding } = endpoints[name];
    for (const id of [otherId, '2NOSUCHID']) {
      const target = path
        .replace(':noteId', id)
        .replace(':resultId', `${id}.x.0`)
        .replace(/:(\w+)/g, 'x');
      const answer = await withToken(token, method, target, undefined, typeOf(encoding));
      expect(answer.status, answer.text).toBe(403);
    }
  });
});

describe.each(scopes)('with a token to %s one paragraph', (scope) => {
  let token: string;
  beforeAll(async () => ({ token } = await make({ scope, paragraphId: first })));

  it('the note contains only that paragraph, live and over REST', async () => {
    const socket = await open(token);
    socket.send({ op: 'GET_NOTE', data: { id: noteId } });
    const seen = (await socket.next('NOTE')).data['note'] as Note;
    const called = await bodyOf<Note>(withToken(token, 'GET', `/notebook/${noteId}`));
    for (const each of [seen, called]) {
      expect(each.paragraphs!.map(({ id }) => id)).toEqual([first]);
      expect(JSON.stringify(each)).not.toMatch(new RegExp(`${SECRET}|dashboard|admin`));
    }
    expect((await withToken(token, 'GET', `/notebook/${noteId}/paragraph/${second}`)).status).toBe(
      403,
    );
    expect((await withToken(token, 'GET', `/notebook/${noteId}/paragraph/${first}`)).status).toBe(
      200,
    );
    const views = [{ paragraphId: second, look: 'report', width: 700 }];
    const answer = await withToken(token, 'POST', `/magpie/first-views/${noteId}`, { views });
    expect([answer.status, answer.json]).toMatchObject([200, { sheets: [], views: [{}] }]);
    await call(admin, 'PUT', `/notebook/${noteId}/paragraph/${second}`, { text: `%md\n${SECRET}` });
    await call(admin, 'PUT', `/notebook/${noteId}/paragraph/${second}/config`, { colWidth: 6 });
    await call(admin, 'PUT', `/notebook/${noteId}/paragraph/${first}/config`, { colWidth: 7 });
    const frame = await socket.next('PARAGRAPH', 'NOTE', 'NOTES_INFO');
    expect([frame.op, (frame.data['paragraph'] as { id: string }).id]).toEqual([
      'PARAGRAPH',
      first,
    ]);
  });

  it.each(
    operations.filter(
      (op) =>
        liveRule(op) !== undefined && op !== 'PING' && op !== 'GET_NOTE' && op !== 'RELOAD_NOTE',
    ),
  )('%s of another paragraph, or of the whole note, is refused', async (op) => {
    const socket = await open(token, noteId);
    const data = JSON.parse(JSON.stringify(payloadOf(op)).replaceAll(first, second)) as object;
    const frames = await tried(socket, op, data);
    expect(
      frames.map((frame) => frame.op).filter((each) => each !== 'ANGULAR_OBJECT_UPDATE'),
    ).toEqual(['AUTH_INFO']);
  });

  it.each(
    calls.filter(
      (name) =>
        restRule(name) !== undefined &&
        /:(noteId|resultId)/.test(endpoints[name].path) &&
        !['getFirstViews', 'getNote', 'getTrust'].includes(name),
    ),
  )('the call %s of another paragraph, or of the whole note, is refused', async (name) => {
    const { method, path, encoding } = endpoints[name];
    const target = path
      .replace(':noteId', noteId)
      .replace(':resultId', `${noteId}.${second}.0`)
      .replace(':paragraphId', second)
      .replace(/:(\w+)/g, 'x');
    expect((await withToken(token, method, target, undefined, typeOf(encoding))).status).toBe(403);
  });
});

describe('locked values', () => {
  const textOf = async (token: string, params: object) => {
    const answer = await withToken(token, 'POST', `/notebook/run/${noteId}/${first}`, { params });
    return { status: answer.status, text: answer.text };
  };
  it('override sent values, over REST and live, in the paragraph and the note [S36]', async () => {
    const { token } = await make({
      scope: 'run',
      params: { city: 'Oslo', free: 'locked', region: 'south' },
    });
    expect((await textOf(token, { city: 'Rome', free: 'mine' })).text).toContain(
      'Oslo locked south',
    );
    const socket = await open(token, noteId);
    for (const message of [
      {
        op: 'RUN_PARAGRAPH',
        data: { id: first, noteId, params: { city: 'Rome', free: 'mine', region: 'mine' } },
      },
      {
        op: 'RUN_ALL_PARAGRAPHS',
        data: { noteId, paragraphs: [{ id: first, params: { free: 'mine' } }] },
      },
    ]) {
      socket.send(message);
      for (;;) {
        const { paragraph } = (await socket.next('PARAGRAPH')).data as {
          paragraph: { id: string; status: string; results?: unknown };
        };
        if (paragraph.id !== first || paragraph.status !== 'FINISHED') continue;
        expect(JSON.stringify(paragraph.results)).toContain('Oslo locked south');
        break;
      }
    }
  });

  it('are those of forms in the paragraph of the token, or of the whole note [S34]', async () => {
    const client = untilEnd(createClient({ server: url, auth: { token: portal } }));
    const wish = { noteId, scope: 'run', params: { city: 'Oslo', region: 'south' } } as const;
    await client.embedTokens.create(wish);
    await client.embedTokens.create({ ...wish, paragraphId: first });
    await expect(client.embedTokens.create({ ...wish, paragraphId: second })).rejects.toMatchObject(
      {
        status: 400,
        message: 'params: there is no form city, region. There are no forms.',
      },
    );
    const { code, err } = await runCommand(
      ['embed-token', 'shown/dashboard', '--scope', 'run', '--param', 'ctiy=Oslo'],
      { env: { TIDING_SERVER: url, TIDING_TOKEN: portal } },
    );
    expect([code, err]).toEqual([1, expect.stringContaining('no form ctiy')]);
  });

  it('leave run tokens the options of a form, and no free text [S36]', async () => {
    const { token } = await make({ scope: 'run', params: { free: 'locked' } });
    expect((await textOf(token, { city: 'Rome' })).text).toContain('Rome locked north');
    expect((await textOf(token, { city: 'x"); process.exit(); //' })).status).toBe(403);
    const open_ = await make({ scope: 'run' });
    expect((await textOf(open_.token, { free: 'x"); process.exit(); //' })).status).toBe(403);
    expect((await textOf(open_.token, { city: 'Oslo' })).text).toContain('"code":"SUCCESS"');
  });

  it('a run token changes no text', async () => {
    const { token } = await make({ scope: 'run' });
    const socket = await open(token, noteId);
    for (const message of [
      { op: 'RUN_PARAGRAPH', data: { id: first, noteId, paragraph: '%js\nconsole.log("mine")' } },
      {
        op: 'RUN_ALL_PARAGRAPHS',
        data: { noteId, paragraphs: [{ id: first, paragraph: '%js\nconsole.log("mine")' }] },
      },
    ]) {
      socket.send(message);
      expect((await socket.next('AUTH_INFO', 'PARAGRAPH')).op).toBe('AUTH_INFO');
    }
  });

  it('an edit token commits, and its text is visible to everyone', async () => {
    const id = await note('shown/edited', ['%md\nbefore']);
    await allow(id, 'writers');
    const { token } = await make({ noteId: id, scope: 'edit' });
    const paragraph = (await bodyOf<Note>(withToken(token, 'GET', `/notebook/${id}`)))
      .paragraphs![0]!.id;
    const socket = await open(token, id);
    socket.send({
      op: 'COMMIT_PARAGRAPH',
      data: { id: paragraph, noteId: id, paragraph: '%md\nafter' },
    });
    await socket.next('PARAGRAPH');
    expect((await bodyOf<Note>(call(admin, 'GET', `/notebook/${id}`))).paragraphs![0]!.text).toBe(
      '%md\nafter',
    );
  });
});

describe('revoking', () => {
  const ends = async (socket: RawSocket, act: () => Promise<Answer>) => {
    socket.send({ op: 'GET_NOTE', data: { id: noteId } });
    await socket.next('NOTE');
    const since = Date.now();
    expect((await act()).status).toBe(204);
    await socket.next('SESSION_LOGOUT');
    return Date.now() - since;
  };
  it('ends one token and its sockets, and survives a reload of the list', async () => {
    const [one, two, three] = [await make(), await make(), await make()];
    await ends(await open(one.token), () =>
      withToken(portal, 'DELETE', `/magpie/embed-token/${one.jti}`),
    );
    await ends(await open(two.token), () =>
      call(admin, 'DELETE', `/magpie/embed-token/${two.jti}`),
    );
    for (const { token } of [one, two])
      expect((await withToken(token, 'GET', '/security/ticket')).json).toMatchObject({
        status: 'UNAUTHORIZED',
        body: { reason: 'revoked' },
      });
    expect((await withToken(three.token, 'GET', '/security/ticket')).status).toBe(200);
    expect(await readFile(join(embedded.data, 'embed-revocations.json'), 'utf8')).toContain(
      one.jti,
    );
  });

  it('ends all tokens of a creator, but not later ones', async () => {
    const one = await make();
    await ends(await open(one.token), () => withToken(portal, 'DELETE', '/magpie/embed-token'));
    const next = await make();
    expect((await withToken(one.token, 'GET', '/security/ticket')).status).toBe(401);
    await ends(await open(next.token), () =>
      call(admin, 'DELETE', '/magpie/embed-token?issuer=portal'),
    );
  });

  it('is refused for other users and for unknown tokens', async () => {
    const { jti, token } = await make();
    const carol = await login(url, 'carol', PASSWORD);
    expect((await call(carol, 'DELETE', `/magpie/embed-token/${jti}`)).status).toBe(404);
    expect((await call(carol, 'DELETE', '/magpie/embed-token?issuer=portal')).status).toBe(403);
    for (const unknown of ['x', 'a.b.c', `${jti}x`])
      expect((await call(admin, 'DELETE', `/magpie/embed-token/${unknown}`)).status).toBe(404);
    expect((await withToken(token, 'GET', '/security/ticket')).status).toBe(200);
  });
});

describe('keys', () => {
  it('are encrypted and private to the account; a new one keeps sessions [S32]', async () => {
    const before = await make();
    const keys = new EmbedKeys(embedded.data, await Secrets.open(embedded.data));
    const secret = (await keys.verifying())[0]!.secret;
    const rotated = await runCommand(['key', 'rotate', '--data', embedded.data]);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    const kid = rotated.out.trim();
    const file = join(embedded.data, 'embed-keys.json');
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(secret.toString('base64'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const after = await make();
    const header = JSON.parse(
      Buffer.from(after.token.slice(4).split('.')[0]!, 'base64url').toString(),
    ) as { kid: string };
    expect(header.kid).toBe(kid);
    for (const { token } of [before, after])
      expect((await withToken(token, 'GET', '/security/ticket')).status).toBe(200);
    // Without its key a token is invalid.
    await rm(file);
    expect((await withToken(before.token, 'GET', '/security/ticket')).status).toBe(401);
  });
});

it('a page with short-lived tokens keeps its note and socket through renewals', async () => {
  let made = 0;
  const client = createClient({
    server: url,
    autosave: 0,
    auth: {
      token: async () => {
        made += 1;
        return (await make({ scope: 'edit', expiresInSeconds: 5 })).token;
      },
    },
  });
  untilEnd(client);
  const open_ = await client.open(noteId);
  const eventTypes: string[] = [];
  client.on('event', ({ type }) => eventTypes.push(type));
  for (const turn of [1, 2, 3]) {
    await vi.waitUntil(
      () =>
        made > turn &&
        open_.state.connection === 'open' &&
        client.state.session.phase === 'signed-in',
      { timeout: 60_000, interval: 50 },
    );
    open_.paragraphs[1]!.edit(`%md\n${SECRET} turn ${turn}`);
    await open_.commit({ timeout: 60_000 });
  }
  expect(open_.paragraphs[1]!.text).toBe(`%md\n${SECRET} turn 3`);
  expect((await bodyOf<Note>(call(admin, 'GET', `/notebook/${noteId}`))).paragraphs![1]!.text).toBe(
    `%md\n${SECRET} turn 3`,
  );
  expect(eventTypes.filter((type) => type === 'session_logout').length).toBeGreaterThanOrEqual(2);
  expect(portalId).not.toBe('');
});
