import type { ServerUser } from '@tiding/client/protocol';
import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { peopleElement } from './people.tsx';

const page = testPage(peopleElement);
const { root, all, one, click, confirm, inDialog, toastShown } = page;
const UNTIL = '2026-12-03T10:00:00.000Z';
const user = (name: string, more: Partial<ServerUser> = {}): ServerUser => ({
  name,
  roles: [],
  disabled: false,
  invited: false,
  hasPassword: true,
  sso: false,
  service: false,
  sessions: 0,
  ...more,
});

let stored: ServerUser[];
/** Overrides the server's answer, by method. */
let instead: Partial<Record<string, Response>>;

function answer({ method, path, body }: StubbedCall): Response | undefined {
  if (!path.startsWith('/magpie/users')) return undefined;
  const other = instead[method];
  if (other) return other.clone();
  const [name = '', what, status] = path.split('/').slice(3).map(decodeURIComponent);
  if (method === 'GET') return Response.json(what === 'sessions' ? [] : stored);
  if (method === 'POST') {
    const wanted = what ? name : (body as { name: string }).name;
    if (!what && stored.some((each) => each.name === wanted))
      return refusal(409, `There is already a user ${wanted}.`);
    const link = `https://x.test/#/password-reset/tdr_${wanted}`;
    return Response.json({ name: wanted, link, expiresAt: UNTIL, mailed: false }, { status: 201 });
  }
  if (method === 'DELETE') {
    stored = stored.filter((each) => each.name !== name);
    return new Response(null, { status: 204 });
  }
  const change =
    what === 'roles'
      ? { roles: (body as { roles: string[] }).roles }
      : { disabled: status === 'disabled' };
  stored = stored.map((each) => (each.name === name ? { ...each, ...change } : each));
  return Response.json(stored.find((each) => each.name === name));
}

const names = () => all('tbody tr').map(({ dataset }) => dataset['user']);
/** Chooses an entry in the menu of a user. */
async function choose(name: string, label: string): Promise<void> {
  one(`tr[data-user="${name}"] .row-actions button`).click();
  const entry = () => all('[role=menuitem]').find(({ textContent }) => textContent === label);
  await waitUntil(() => entry() !== undefined, `the entry ${label}`);
  entry()!.click();
}

async function open(users: ServerUser[], replies: typeof instead = {}): Promise<void> {
  stored = users;
  instead = replies;
  await page.open(answer);
}

describe('the page of people', () => {
  it('lists users with state, roles, last sign-in and sessions, and finds some', async () => {
    await open([
      user('ben', { disabled: true, roles: ['analysts'] }),
      user('ann', { displayName: 'Ann Lee', sessions: 2, lastSignIn: '2026-11-20T10:00:00.000Z' }),
      user('carl', { invited: true, hasPassword: false, linkExpiresAt: UNTIL }),
      user('dora', { invited: true, hasPassword: false }),
      user('emil', { sso: true, hasPassword: false }),
      user('robot', { service: true, hasPassword: false }),
    ]);
    same(names(), ['ann', 'ben', 'carl', 'dora', 'emil', 'robot'], 'users');
    const states = all('tbody th > span:first-child').map(
      (each) => each.querySelector('.badge')?.textContent ?? '',
    );
    same(
      states,
      ['', 'Disabled', 'Invited', 'Invitation expired', 'Single sign-on', 'Service account'],
      'states',
    );
    same(one('td.numeric .link').textContent, '2', 'sessions');
    for (const [term, found] of [
      ['lee', ['ann']],
      ['ANALYST', ['ben']],
    ] as const) {
      type(one<HTMLInputElement>('input[type=search]'), term);
      await waitUntil(() => names().length === found.length, `the users with ${term}`);
      same(names(), [...found], term);
    }
    type(one<HTMLInputElement>('input[type=search]'), 'zzz');
    await waitUntil(() => root().querySelector('.page-empty'), 'no match');
  });

  it('invites several people, and shows their links and who was not invited', async () => {
    await open([user('ann')]);
    await click('Invite people');
    await waitUntil(() => root().querySelector('textarea'), 'the form');
    type(one<HTMLTextAreaElement>('textarea'), 'ben\ncarl, ann');
    one('.role input').click();
    await confirm('Invite 3 people');
    await waitUntil(() => all('.link-value').length === 2, 'two links');
    same(
      page.sent('POST').map(([, , body]) => body),
      ['ben', 'carl', 'ann'].map((name) => ({ name, roles: ['global.SuperAdmin'] })),
      'calls',
    );
    check(
      one('.failures').textContent === 'ann was not invited: There is already a user ann.',
      one('.failures').textContent ?? '',
    );
    // A click outside does not close what is shown only once.
    one('.backdrop').click();
    check(all('.link-value').length === 2, 'the links are still shown');
  });

  it('changes roles, disables, enables and removes', async () => {
    await open([user('ann', { roles: ['analysts'] }), user('ben')]);
    await choose('ann', 'Change roles');
    await waitUntil(() => root().querySelector('.role input'), 'the roles');
    one('.role input').click();
    await confirm('Save roles');
    await toastShown('The roles of ann were changed.');
    same(stored[0]!.roles, ['analysts', 'global.SuperAdmin'], 'roles');
    await choose('ben', 'Disable');
    await toastShown('ben is disabled and signed out.');
    await choose('ben', 'Enable');
    await toastShown('ben can sign in again.');
    await choose('ben', 'Remove');
    await waitUntil(() => inDialog('Remove user'), 'the question');
    check(stored.length === 2, 'nothing is removed yet');
    await confirm('Remove user');
    await waitUntil(() => names().length === 1, 'one user');
  });

  it('keeps an error until it is dismissed', async () => {
    const reason = 'There is no administrator without ann.';
    await open([user('ann')], { PUT: refusal(409, reason) });
    await choose('ann', 'Disable');
    await toastShown(reason);
    check(one('.toast').classList.contains('stays'), 'the toast stays');
  });

  it('says that a server without sign-in has no users', async () => {
    const message = 'This server has no users: everybody is anonymous.';
    await open([], { GET: refusal(409, message) });
    await waitUntil(() => root().querySelector('.page-empty'), 'the message');
    same(one('.page-empty b').textContent, message, 'message');
    same(all('.page-head button').length, 0, 'buttons');
  });
});
