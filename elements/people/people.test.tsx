import type { ServerUser } from '@tiding/client/protocol';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { elementClass } from '../runtime/define-element.ts';
import {
  clientWithRest,
  type RestAnswer,
  type StubbedCall,
} from '../ui/testing/test-rest-status.ts';
import { peopleElement } from './people.tsx';

const tag = 'tiding-people-under-test';
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

let shown: HTMLElement & { client: unknown };
let client: ReturnType<typeof clientWithRest>['client'];
let calls: readonly StubbedCall[];
let stored: ServerUser[];
/** Overrides the server's answer, by method. */
let instead: Partial<Record<string, RestAnswer>>;

function answer({ method, path, body }: StubbedCall): RestAnswer | undefined {
  if (!path.startsWith('/magpie/users')) return undefined;
  const other = instead[method];
  if (other) return other;
  const [name = '', what, status] = path.split('/').slice(3).map(decodeURIComponent);
  if (method === 'GET') return { body: what === 'sessions' ? [] : stored };
  if (method === 'POST') {
    const wanted = what ? name : (body as { name: string }).name;
    if (!what && stored.some((each) => each.name === wanted))
      return { status: 409, body: { message: `There is already a user ${wanted}.` } };
    const link = `https://x.test/#/password-reset/tdr_${wanted}`;
    return { status: 201, body: { name: wanted, link, expiresAt: UNTIL, mailed: false } };
  }
  if (method === 'DELETE') {
    stored = stored.filter((each) => each.name !== name);
    return { status: 204 };
  }
  const change =
    what === 'roles'
      ? { roles: (body as { roles: string[] }).roles }
      : { disabled: status === 'disabled' };
  stored = stored.map((each) => (each.name === name ? { ...each, ...change } : each));
  return { body: stored.find((each) => each.name === name) };
}

const root = () => shown.shadowRoot!;
const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const one = <Found extends HTMLElement = HTMLElement>(selector: string) => {
  const found = root().querySelector<Found>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
};
const names = () => all('tbody tr').map(({ dataset }) => dataset['user']);
const inDialog = (label: string) =>
  all('[role=dialog] button, [role=alertdialog] button').find(
    ({ textContent }) => textContent === label,
  )!;
const toasts = () => all('.toast .dialog-text').map(({ textContent }) => textContent);
/** Chooses an entry in the menu of a user. */
async function choose(name: string, label: string): Promise<void> {
  one(`tr[data-user="${name}"] .row-actions button`).click();
  const entry = () => all('[role=menuitem]').find(({ textContent }) => textContent === label);
  await waitUntil(() => entry() !== undefined, `the entry ${label}`);
  entry()!.click();
}
function fillIn(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!;
  set!.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

async function open(users: ServerUser[], replies: typeof instead = {}): Promise<void> {
  stored = users;
  instead = replies;
  ({ client, calls } = clientWithRest(answer));
  shown = document.createElement(tag) as typeof shown;
  shown.client = client;
  document.body.append(shown);
  await waitUntil(
    () =>
      root().querySelector('.page-head') &&
      calls.length > 0 &&
      !root().querySelector('.element-loading'),
    'the page',
  );
}

before(() =>
  customElements.define(tag, elementClass({ ...peopleElement, tag: tag as `tiding-${string}` })),
);
afterEach(() => {
  shown.remove();
  client.close();
});

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
      fillIn(one<HTMLInputElement>('input[type=search]'), term);
      await waitUntil(() => names().length === found.length, `the users with ${term}`);
      same(names(), [...found], term);
    }
    fillIn(one<HTMLInputElement>('input[type=search]'), 'zzz');
    await waitUntil(() => root().querySelector('.page-empty'), 'no match');
  });

  it('invites several people, and shows their links and who was not invited', async () => {
    await open([user('ann')]);
    one('.page-head button').click();
    await waitUntil(() => root().querySelector('textarea'), 'the form');
    fillIn(one<HTMLTextAreaElement>('textarea'), 'ben\ncarl, ann');
    one('.role input').click();
    await waitUntil(() => inDialog('Invite 3 people'), 'the button');
    inDialog('Invite 3 people').click();
    await waitUntil(() => all('.link-value').length === 2, 'two links');
    same(
      calls.filter(({ method }) => method === 'POST').map(({ body }) => body),
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
    inDialog('Save roles').click();
    await waitUntil(() => toasts().includes('The roles of ann were changed.'), 'a toast');
    same(stored[0]!.roles, ['analysts', 'global.SuperAdmin'], 'roles');
    await choose('ben', 'Disable');
    await waitUntil(() => toasts().includes('ben is disabled and signed out.'), 'a toast');
    await choose('ben', 'Enable');
    await waitUntil(() => toasts().includes('ben can sign in again.'), 'a toast');
    await choose('ben', 'Remove');
    await waitUntil(() => inDialog('Remove user'), 'the question');
    check(stored.length === 2, 'nothing is removed yet');
    inDialog('Remove user').click();
    await waitUntil(() => names().length === 1, 'one user');
  });

  it('keeps an error until it is dismissed', async () => {
    await open([user('ann')], {
      PUT: { status: 409, body: { message: 'There is no administrator without ann.' } },
    });
    await choose('ann', 'Disable');
    await waitUntil(
      () => toasts().includes('There is no administrator without ann.'),
      JSON.stringify(toasts()),
    );
    check(one('.toast').classList.contains('stays'), 'the toast stays');
  });

  it('says that a server without sign-in has no users', async () => {
    const message = 'This server has no users: everybody is anonymous.';
    await open([], { GET: { status: 409, body: { message } } });
    await waitUntil(() => root().querySelector('.page-empty'), 'the message');
    same(one('.page-empty b').textContent, message, 'message');
    same(all('.page-head button').length, 0, 'buttons');
  });
});
