import type { AccessToken } from '@tiding/client/protocol';
import { check, pause, press, same, waitUntil } from '../result/test-support.tsx';
import { elementClass } from '../runtime/define-element.ts';
import {
  clientWithRest,
  type RestAnswer,
  type StubbedCall,
  type,
} from '../ui/testing/test-rest-status.ts';
import { accessTokensElement } from './access-tokens.tsx';

const tag = 'tiding-access-tokens-under-test';
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY - 60_000).toISOString();
const token = (
  tokenId: string,
  description: string,
  days: number | null,
  more: Partial<AccessToken> = {},
): AccessToken => ({
  tokenId,
  description,
  createdAt: '2026-01-06T10:00:00Z',
  expiresAt: days === null ? null : inDays(days),
  disabled: false,
  ...more,
});

let shown: HTMLElement & { client: unknown };
let client: ReturnType<typeof clientWithRest>['client'];
let calls: readonly StubbedCall[];
let stored: AccessToken[];
/** Overrides the server's answer, by method. */
let instead: Partial<Record<string, RestAnswer>>;

function answer({ method, path, body }: StubbedCall): RestAnswer | undefined {
  if (!path.startsWith('/magpie/access-token')) return undefined;
  const other = instead[method];
  if (other) return other;
  const [id = '', what, status] = path.split('/').slice(3);
  if (method === 'GET') return { body: stored };
  if (method === 'POST') {
    const made = token(
      'new',
      (body as { description: string }).description,
      (body as { expiresInDays: number | null }).expiresInDays,
    );
    stored = [...stored, made];
    return { status: 201, body: { ...made, token: 'tdg_the secret' } };
  }
  if (method === 'DELETE') {
    stored = stored.filter(({ tokenId }) => tokenId !== id);
    return { status: 204 };
  }
  stored = stored.map((each) =>
    each.tokenId === id
      ? {
          ...each,
          ...(what === 'status'
            ? { disabled: status === 'disabled' }
            : { description: String(body) }),
        }
      : each,
  );
  return { body: stored.find(({ tokenId }) => tokenId === id) };
}

const root = () => shown.shadowRoot!;
const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const one = <Found extends HTMLElement = HTMLElement>(selector: string) => {
  const found = root().querySelector<Found>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
};
const button = (label: string) =>
  all('button').find(
    (each) =>
      (each.getAttribute('aria-label') ?? each.textContent) === label &&
      !each.closest('[role=dialog], [role=alertdialog]'),
  )!;
const inDialog = (label: string) =>
  all('[role=dialog] button, [role=alertdialog] button').find(
    (each) => each.textContent === label,
  )!;
const names = () =>
  all('tbody tr').map((row) => row.querySelector('.token-name, .token-what input')?.textContent);
const toasts = () => all('.toast').map((each) => each.querySelector('.dialog-text')!.textContent);
const toastShown = (message: string) =>
  waitUntil(
    () => toasts().includes(message),
    `'${message}', instead of ${JSON.stringify(toasts())}`,
  );

async function open(tokens: AccessToken[], replies: typeof instead = {}): Promise<void> {
  stored = tokens;
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
  customElements.define(
    tag,
    elementClass({ ...accessTokensElement, tag: tag as `tiding-${string}` }),
  ),
);
afterEach(() => {
  shown.remove();
  client.close();
});

const four = () => [
  token('laptop', 'Laptop', 58, { disabled: true, createdAt: '2025-11-30T10:00:00Z' }),
  token('ci', 'CI smoke tests', null),
  token('board', 'Dashboard refresh', 1, { createdAt: '2026-03-01T10:00:00Z' }),
  token('old', 'Old portal', -3),
];

describe('<tiding-access-tokens>', () => {
  it('lists tokens by expiry, with the specified texts [W23]', async () => {
    await open(four());
    same(names(), ['Old portal', 'Dashboard refresh', 'Laptop', 'CI smoke tests']);
    same(
      all('tbody tr').map((row) => row.querySelector('td:nth-child(4)')!.textContent),
      ['expired', '1 day', '58 days', 'Never'],
    );
    same(
      all('tbody tr').map((row) => row.querySelector('td:nth-child(5)')!.textContent),
      ['Expired', 'Enabled', 'Disabled', 'Enabled'],
    );
    same(one('th[aria-sort]').getAttribute('aria-sort'), 'ascending');
    check(!root().textContent!.includes('Last used'), 'a column without data');
    const link = one('.tokens-note a') as HTMLAnchorElement;
    same(link.getAttribute('href'), `${client.server}/api/magpie/cli`);
  });

  it('sorts by each column in both directions [W23]', async () => {
    await open(
      four().map((each, n) => (n === 0 ? { ...each, lastUsedAt: '2026-11-01T10:00:00Z' } : each)),
    );
    const by = (column: string) =>
      all('th button')
        .find((each) => each.textContent === column)!
        .click();
    const order = async (...wanted: string[]) =>
      waitUntil(
        () => JSON.stringify(names()) === JSON.stringify(wanted),
        `${wanted.join()} instead of ${names().join()}`,
      );
    by('Description');
    await order('CI smoke tests', 'Dashboard refresh', 'Laptop', 'Old portal');
    by('Description');
    await order('Old portal', 'Laptop', 'Dashboard refresh', 'CI smoke tests');
    same(one('th[aria-sort]').textContent, 'Description');
    same(one('th[aria-sort]').getAttribute('aria-sort'), 'descending');
    by('Created');
    await order('Laptop', 'Old portal', 'CI smoke tests', 'Dashboard refresh');
    by('Last used');
    await waitUntil(() => names()[0] === 'Laptop', 'the token used first');
    by('Expires');
    await order('Old portal', 'Dashboard refresh', 'Laptop', 'CI smoke tests');
  });

  it('creates a token and shows it once [W22 W116]', async () => {
    await open([]);
    check(root().textContent!.includes('You have no access tokens.'), 'no empty message');
    button('Create token').click();
    const field = await waitUntil(
      () => root().querySelector<HTMLInputElement>('[role=dialog] input'),
      'the dialog',
    );
    type(field, '  ci  ');
    inDialog('Create token').click();
    await toastShown('Successfully created personal access token.');
    same(calls.find(({ method }) => method === 'POST')!.body, {
      description: 'ci',
      expiresInDays: 90,
    });
    const value = await waitUntil(
      () => root().querySelector<HTMLInputElement>('[role=alertdialog] input'),
      'the token',
    );
    same(value.value, 'tdg_the secret');
    check(
      one('[role=alertdialog]').textContent!.includes('It is shown only once'),
      'no hint that it is shown once',
    );
    check(one('[role=alertdialog]').textContent!.includes('90 days'), 'no expiry');
    inDialog('Copy').click();
    await waitUntil(() => inDialog('Copied!'), 'the copy');
    same(await navigator.clipboard.readText(), 'tdg_the secret');
    one('.backdrop').click();
    await pause(50);
    check(root().querySelector('[role=alertdialog]'), 'closed by a click outside');
    inDialog('Done').click();
    await waitUntil(() => !root().querySelector('[role=alertdialog]'), 'the end of the dialog');
    same(names(), ['ci']);
    check(!root().innerHTML.includes('tdg_'), 'the token is still there');
  });

  for (const [choice, sent] of [
    ['Never', null],
    ['After 1 day', 1],
    ['After a number of days', 7],
  ] as const) {
    it(`sets the expiry: ${choice}`, async () => {
      await open([]);
      button('Create token').click();
      await waitUntil(() => root().querySelector('[role=dialog] input'), 'the dialog');
      all('[role=dialog] .choices label')
        .find((each) => each.textContent === choice)!
        .click();
      if (sent === 7) {
        const days = await waitUntil(
          () => root().querySelector<HTMLInputElement>('input[inputmode]'),
          'the days',
        );
        for (const wrong of ['', '0', '3651', '1.5', 'x']) {
          type(days, wrong);
          await waitUntil(
            () => (inDialog('Create token') as HTMLButtonElement).disabled,
            `'${wrong}' is refused`,
          );
        }
        type(days, '7');
      }
      await waitUntil(
        () => !(inDialog('Create token') as HTMLButtonElement).disabled,
        'the button',
      );
      inDialog('Create token').click();
      await waitUntil(() => root().querySelector('[role=alertdialog]'), 'the token');
      same(
        (calls.find(({ method }) => method === 'POST')!.body as { expiresInDays: unknown })
          .expiresInDays,
        sent,
      );
    });
  }

  it('keeps the typed values when the server rejects a token [W112]', async () => {
    await open([], {
      POST: {
        status: 403,
        body: {
          message: 'An access token cannot create tokens. Sign in with your password instead.',
        },
      },
    });
    button('Create token').click();
    type(
      await waitUntil(
        () => root().querySelector<HTMLInputElement>('[role=dialog] input'),
        'the dialog',
      ),
      'mine',
    );
    inDialog('Create token').click();
    await toastShown('Error saving personal access token.');
    same(one<HTMLInputElement>('[role=dialog] input').value, 'mine');
    await waitUntil(
      () =>
        one('[role=dialog] [role=alert]').textContent ===
        'An access token cannot create tokens. Sign in with your password instead.',
      'the reason',
    );
  });

  it('disables and enables a token [W22 W113 W117]', async () => {
    await open([token('ci', 'CI', 9)]);
    button('CI is enabled').click();
    await toastShown('Successfully updated personal access token status.');
    same(
      calls.find(({ method }) => method === 'PUT')!.path,
      '/magpie/access-token/ci/status/disabled',
    );
    same(one('[role=switch]').getAttribute('aria-checked'), 'false');
    instead = { PUT: { status: 409, body: { message: 'The token has expired.' } } };
    one('[role=switch]').click();
    await toastShown('Error updating personal access token status.');
    same(one('[role=switch]').getAttribute('aria-checked'), 'false');
  });

  it("edits a description in place, keeps a text that wasn't saved [W22 W114 W118]", async () => {
    await open([token('ci', 'CI', 9)]);
    const edit = async (text: string) => {
      one('.token-name > button').click();
      const field = await waitUntil(
        () => root().querySelector<HTMLInputElement>('.token-what input'),
        'the field',
      );
      const before = field.value;
      type(field, text);
      press(field, 'Enter');
      return before;
    };
    await edit(' Nightly ');
    await toastShown('Successfully updated personal access token description.');
    same(
      [names(), calls.at(-1)!.path, calls.at(-1)!.body],
      [['Nightly'], '/magpie/access-token/ci/description', 'Nightly'],
    );
    const before = calls.length;
    await edit('Nightly');
    await pause(30);
    same(calls.length, before, 'an unchanged description was sent');
    instead = { PUT: { status: 500, body: { message: 'no' } } };
    await edit('A better one');
    await toastShown('Error updating personal access token description.');
    await waitUntil(() => names()[0] === 'A better oneNot saved', `instead: ${names()[0]}`);
    instead = {};
    same(await edit('The best one'), 'A better one');
    await waitUntil(() => names()[0] === 'The best one', `instead: ${names()[0]}`);
    one('.token-name > button').click();
    const field = await waitUntil(
      () => root().querySelector<HTMLInputElement>('.token-what input'),
      'the field',
    );
    same(field.maxLength, 255);
    type(field, 'dropped');
    press(field, 'Escape');
    await waitUntil(() => names()[0] === 'The best one', 'the old text');
  });

  it('deletes a token after confirmation [W22 W115 W119]', async () => {
    await open(four());
    button('Delete Laptop').click();
    await waitUntil(
      () =>
        root()
          .querySelector('[role=alertdialog]')
          ?.textContent?.includes('Do you want to delete this personal access token?'),
      'the question',
    );
    inDialog('Cancel').click();
    await waitUntil(() => !root().querySelector('[role=alertdialog]'), 'no question');
    same(
      calls.filter(({ method }) => method === 'DELETE'),
      [],
    );
    instead = { DELETE: { status: 500, body: { message: 'no' } } };
    button('Delete Laptop').click();
    (await waitUntil(() => inDialog('Delete token'), 'the question')).click();
    await toastShown('Error deleting personal access token.');
    same(names().length, 4);
    instead = {};
    await waitUntil(() => button('Delete Laptop'), 'the row');
    button('Delete Laptop').click();
    (await waitUntil(() => inDialog('Delete token'), 'the question')).click();
    await toastShown('Successfully deleted personal access token.');
    same(names(), ['Old portal', 'Dashboard refresh', 'CI smoke tests']);
    same(root().activeElement?.textContent, 'Create token', 'the focus');
  });

  for (const status of [401, 403]) {
    it(`redirects users without permission to home (${status}) [W97]`, async () => {
      const home = new Promise((resolve) =>
        document.addEventListener('tiding-home-wanted', resolve, { once: true }),
      );
      await open([], { GET: { status, body: { message: 'no' } } });
      await waitUntil(
        () => one('[role=alert]').textContent === 'You do not have permission on this page',
        'the refusal',
      );
      check(!button('Create token'), 'tokens can be made');
      await home;
    });
  }

  it('shows that loading failed, and retries', async () => {
    await open(four(), { GET: { status: 500, body: { message: 'The disk is full.' } } });
    await waitUntil(
      () => one('[role=alert]').textContent!.includes('The disk is full.'),
      'the reason',
    );
    instead = {};
    button('Try again').click();
    await waitUntil(() => names().length === 4, 'the list');
  });

  it('renders ten of ten thousand tokens; a filter finds one', async () => {
    await open(Array.from({ length: 10_000 }, (_, n) => token(`t${n}`, `Token ${n}`, n + 1)));
    same(
      [all('tbody tr').length, one('.page-foot').textContent!.startsWith('1–10 of 10000')],
      [10, true],
    );
    same(all('.pager button[aria-label^="Page "]').length, 5);
    type(one<HTMLInputElement>('input[type=search]'), 'token 9999');
    await waitUntil(() => JSON.stringify(names()) === '["Token 9999"]', 'the matching token');
    type(one<HTMLInputElement>('input[type=search]'), 'nothing like it');
    await waitUntil(() => root().textContent!.includes('No matches.'), 'none');
  });
});
