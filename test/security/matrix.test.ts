/**
 * Every live operation and REST call × every kind of user. The expected outcome follows from the
 * operation's row: its access, its right on the note, and its rule for embed tokens. A user who is
 * refused leaves the note unchanged, so the next one gets the same note.
 */
import {
  type EmbedRule,
  type EmbedScope,
  type EndpointName,
  embedScopes,
  endpoints,
  type Right,
  type SentOp,
  sentOperations,
} from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { bodyOf, PASSWORD, twoPeople } from '../support/people.ts';
import { asPage, type Login, login, openSocket, request } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const order: readonly Right[] = ['none', 'reader', 'runner', 'writer', 'owner'];
const scopes = embedScopes;
/** Users by the right they have on the note. Administrators are in none of its lists. */
const users: Readonly<Record<string, Right>> = {
  stranger: 'none',
  reader: 'reader',
  runner: 'runner',
  writer: 'writer',
  owner: 'owner',
  admin: 'none',
};
const actors = ['anonymous', ...Object.keys(users), ...scopes];
const logins: Record<string, Login> = {};

const people = untilEnd(await twoPeople({ newNotes: 'private', maxSockets: 5_000 }));
for (const name of Object.keys(users)) {
  if (name !== 'admin') await new Users(people.data).set(name, { password: PASSWORD });
  logins[name] = name === 'admin' ? people.admin : await login(people.url, name, PASSWORD);
}

await people.call(logins['owner']!, 'POST', '/notebook', { name: 'private/other' });

type FreshNote = Awaited<ReturnType<typeof fresh>>;
let named = 0;
/** Creates a note whose lists name one user for each right. */
async function fresh(): Promise<{ id: string; name: string; paragraph: string }> {
  const owner = logins['owner']!;
  const name = `matrix/${(named += 1)}`;
  const paragraph = `20260101-000000_${named}`;
  const paragraphs = [{ id: paragraph, text: '%md\nx' }];
  const id = await bodyOf<string>(
    people.call(owner, 'POST', '/notebook/import', { name, paragraphs }),
  );
  await bodyOf(
    people.call(owner, 'PUT', `/notebook/${id}/permissions`, {
      owners: ['owner'],
      writers: ['writer'],
      runners: ['runner'],
      readers: ['reader'],
    }),
  );
  return { id, name, paragraph };
}
const tokenOf = async (noteId: string, scope: string): Promise<string> => {
  const answer = await people.call(logins['owner']!, 'POST', '/magpie/embed-token', {
    noteId,
    scope,
    ...(scope === 'edit' ? { interpreters: ['md'] } : {}),
  });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json as { token: string }).token;
};

/** Whether a user may use an operation with this row. */
function expected(
  actor: string,
  row: { access: string | readonly string[]; right: Right; embed?: EmbedRule | undefined },
): boolean {
  const scope = scopes.indexOf(actor as EmbedScope);
  if (scope >= 0) return row.embed !== undefined && scope >= scopes.indexOf(row.embed[0]);
  if (row.access === 'public') return true;
  if (actor === 'anonymous') return false;
  if (Array.isArray(row.access) && actor !== 'admin') return false;
  return order.indexOf(users[actor]!) >= order.indexOf(row.right);
}

/** Payloads that need no other right than that of their row. */
type Payload = (note: { id: string; name: string; paragraph: string }) => object;
const payloads: { [Op in SentOp]?: Payload } = {
  NOTE_UPDATE: ({ id, name }) => ({ id, name, config: {} }),
  RUN_PARAGRAPH: ({ id, paragraph }) => ({ id: paragraph, noteId: id }),
  RUN_ALL_PARAGRAPHS: ({ id }) => ({ noteId: id }),
};

it.each(Object.keys(sentOperations) as SentOp[])('%s [W56 W85 S3 S33]', async (op) => {
  const row = {
    ...sentOperations[op],
    ...(op === 'PING' && { access: 'public' }),
    // Without a note it is allowed.
    ...(op === 'EDITOR_SETTING' && { right: 'reader' as const }),
  };
  const outcome: Record<string, boolean> = {};
  let unused: FreshNote | undefined;
  for (const actor of actors) {
    const note = unused ?? (await fresh());
    const data =
      payloads[op]?.(note) ??
      (JSON.parse(
        JSON.stringify(sentOperations[op].sample)
          .replaceAll('$note', note.id)
          .replaceAll('$paragraph', note.paragraph),
      ) as object);
    let identity = logins[actor]?.identity;
    if (scopes.includes(actor as EmbedScope)) {
      const headers = { Authorization: `Bearer ${await tokenOf(note.id, actor)}` };
      const ticket = await request(people.url, 'GET', '/api/security/ticket', { headers });
      identity = (ticket.json as { body: Login['identity'] }).body;
    }
    const socket = await openSocket(people.url, identity ? { identity } : {});
    socket.send({ op, data: { noteId: note.id, ...data } });
    // Its refusal follows all answers to the first message.
    socket.send({ op: 'GET_NOTE', data: { id: '2NOSUCHID' }, msgId: 'end' });
    let allowed = true;
    for (;;) {
      const frame = await socket.any();
      if (frame.msgId === 'end') break;
      if (frame.op === 'SESSION_LOGOUT') {
        allowed = op === 'PING';
        break;
      }
      if (scopes.includes(actor as EmbedScope))
        expect(JSON.stringify(frame), actor).not.toMatch(/private\/other|"owner"/);
      if (frame.op !== 'AUTH_INFO') continue;
      allowed = false;
      if (scopes.includes(actor as EmbedScope))
        expect(frame.data['info']).toMatch(/^The token of this page is /);
      if (actor in users && row.right !== 'none')
        expect(frame.data).toMatchObject({
          op,
          info: expect.stringMatching(
            '^Insufficient privileges to [a-z ]+ note\\.\\n\\nAllowed users or roles: \\[\\w+\\]' +
              `\\n\\nBut the user ${actor} belongs to: \\[${actor}[^\\]]*\\]$`,
          ),
        });
    }
    socket.socket.close();
    outcome[actor] = allowed;
    unused = allowed ? undefined : note;
  }
  expect(outcome).toEqual(Object.fromEntries(actors.map((actor) => [actor, expected(actor, row)])));
});

it('every call whose path names a note declares a right', () => {
  for (const [name, { path, right }] of Object.entries(endpoints))
    expect([name, right !== 'none']).toEqual([name, path.includes(':noteId')]);
});

it.each(Object.keys(endpoints) as EndpointName[])('the call %s [S3]', async (name) => {
  const { method, path, encoding, right, embed, access } = endpoints[name];
  const type = { form: 'application/x-www-form-urlencoded', text: 'text/plain' };
  const outcome: Record<string, boolean> = {};
  // Calls without a note change the server if they are allowed, and are tested in rest.test.ts.
  const tried = actors.filter(
    (actor) =>
      right !== 'none' ||
      scopes.includes(actor as EmbedScope) ||
      (actor === 'anonymous' && access !== 'public') ||
      (Array.isArray(access) && actor !== 'admin'),
  );
  let unused: FreshNote | undefined;
  for (const actor of tried) {
    const note = unused ?? (await fresh());
    const target = path
      .replace(':noteId', note.id)
      .replace(':paragraphId', 'nowhere')
      .replace(':resultId', `${note.id}.nowhere.0`)
      .replace(/:(\w+)/g, 'x');
    const who = logins[actor];
    const headers = {
      'X-Requested-With': 'XMLHttpRequest',
      ...(who ? asPage(who) : {}),
      ...(scopes.includes(actor as EmbedScope)
        ? { Authorization: `Bearer ${await tokenOf(note.id, actor)}` }
        : {}),
      'Content-Type': type[encoding as 'form'] ?? 'application/json',
    };
    const answer = await request(people.url, method, `/api${target}`, { headers });
    // A successful sign-out is answered with 401.
    const unauthorized = name === 'logout' ? undefined : 'UNAUTHORIZED';
    const refusal = { 401: unauthorized, 403: 'FORBIDDEN' }[answer.status];
    outcome[actor] = refusal === undefined;
    if (refusal && method === 'HEAD') expect(answer.text).toBe('');
    else if (refusal)
      expect(answer.json).toMatchObject({
        status: actor === 'anonymous' ? 'UNAUTHORIZED' : refusal,
        ...(actor === 'anonymous' && { message: 'Not signed in.' }),
        ...(actor in users &&
          right !== 'none' && {
            message: expect.stringMatching(/^Insufficient privileges to \w+ note\.\n\n/),
          }),
      });
    unused = outcome[actor] ? undefined : note;
  }
  expect(outcome).toEqual(
    Object.fromEntries(tried.map((actor) => [actor, expected(actor, { access, right, embed })])),
  );
});
