import type { AccessToken } from '@tiding/client/protocol';
import { check, pause, press, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { accessTokensElement } from './access-tokens.tsx';

const page = testPage(accessTokensElement);
const { root, all, one, click, confirm, inDialog, toastShown, sent } = page;
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

let stored: AccessToken[];
/** Overrides the server's answer, by method. */
let instead: Partial<Record<string, Response>>;

function answer({ method, path, body }: StubbedCall): Response | undefined {
  if (!path.startsWith('/magpie/access-token')) return undefined;
  const other = instead[method];
  if (other) return other.clone();
  const [id = '', what, status] = path.split('/').slice(3);
  if (method === 'GET') return Response.json(stored);
  if (method === 'POST') {
    const { description, expiresInDays } = body as {
      description: string;
      expiresInDays: number | null;
    };
    const made = token('new', description, expiresInDays);
    stored = [...stored, made];
    return Response.json({ ...made, token: 'tdg_the secret' }, { status: 201 });
  }
  if (method === 'DELETE') {
    stored = stored.filter(({ tokenId }) => tokenId !== id);
    return new Response(null, { status: 204 });
  }
  const change =
    what === 'status' ? { disabled: status === 'disabled' } : { description: String(body) };
  stored = stored.map((each) => (each.tokenId === id ? { ...each, ...change } : each));
  return Response.json(stored.find(({ tokenId }) => tokenId === id));
}

const names = () =>
  all('tbody tr').map((row) => row.querySelector('.token-name, .token-what input')?.textContent);
const field = (selector: string) =>
  waitUntil(() => root().querySelector<HTMLInputElement>(selector), selector);

async function open(tokens: AccessToken[], replies: typeof instead = {}): Promise<void> {
  stored = tokens;
  instead = replies;
  await page.open(answer);
}

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
    same(link.getAttribute('href'), `${page.server.client.server}/api/magpie/cli`);
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
    await click('Create token');
    type(await field('[role=dialog] input'), '  ci  ');
    await confirm('Create token');
    await toastShown('Successfully created personal access token.');
    same(sent('POST')[0]![2], { description: 'ci', expiresInDays: 90 });
    same((await field('[role=alertdialog] input')).value, 'tdg_the secret');
    check(
      one('[role=alertdialog]').textContent!.includes('It is shown only once'),
      'no hint that it is shown once',
    );
    check(one('[role=alertdialog]').textContent!.includes('90 days'), 'no expiry');
    await confirm('Copy');
    await waitUntil(() => inDialog('Copied!'), 'the copy');
    same(await navigator.clipboard.readText(), 'tdg_the secret');
    one('.backdrop').click();
    await pause(50);
    check(root().querySelector('[role=alertdialog]'), 'closed by a click outside');
    await confirm('Done');
    await waitUntil(() => !root().querySelector('[role=alertdialog]'), 'the end of the dialog');
    same(names(), ['ci']);
    check(!root().innerHTML.includes('tdg_'), 'the token is still there');
  });

  for (const [choice, days] of [
    ['Never', null],
    ['After 1 day', 1],
    ['After a number of days', 7],
  ] as const) {
    it(`sets the expiry: ${choice}`, async () => {
      await open([]);
      await click('Create token');
      await field('[role=dialog] input');
      all('[role=dialog] .choices label')
        .find((each) => each.textContent === choice)!
        .click();
      if (days === 7) {
        const number = await field('input[inputmode]');
        for (const wrong of ['', '0', '3651', '1.5', 'x']) {
          type(number, wrong);
          await waitUntil(() => inDialog('Create token')!.disabled, `'${wrong}' is refused`);
        }
        type(number, '7');
      }
      await waitUntil(() => !inDialog('Create token')!.disabled, 'the button');
      await confirm('Create token');
      await waitUntil(() => root().querySelector('[role=alertdialog]'), 'the token');
      same((sent('POST')[0]![2] as { expiresInDays: unknown }).expiresInDays, days);
    });
  }

  it('keeps the typed values when the server rejects a token [W112]', async () => {
    const reason = 'An access token cannot create tokens. Sign in with your password instead.';
    await open([], { POST: refusal(403, reason) });
    await click('Create token');
    type(await field('[role=dialog] input'), 'mine');
    await confirm('Create token');
    await toastShown('Error saving personal access token.');
    same(one<HTMLInputElement>('[role=dialog] input').value, 'mine');
    await waitUntil(() => page.words('[role=dialog] [role=alert]') === reason, 'the reason');
  });

  it('disables and enables a token [W22 W113 W117]', async () => {
    await open([token('ci', 'CI', 9)]);
    await click('CI is enabled');
    await toastShown('Successfully updated personal access token status.');
    same(sent('PUT')[0]![1], '/magpie/access-token/ci/status/disabled');
    same(one('[role=switch]').getAttribute('aria-checked'), 'false');
    instead = { PUT: refusal(409, 'The token has expired.') };
    one('[role=switch]').click();
    await toastShown('Error updating personal access token status.');
    same(one('[role=switch]').getAttribute('aria-checked'), 'false');
  });

  it("edits a description in place, keeps a text that wasn't saved [W22 W114 W118]", async () => {
    await open([token('ci', 'CI', 9)]);
    const edit = async (text: string) => {
      one('.token-name > button').click();
      const input = await field('.token-what input');
      const before = input.value;
      type(input, text);
      press(input, 'Enter');
      return before;
    };
    await edit(' Nightly ');
    await toastShown('Successfully updated personal access token description.');
    same(
      [names(), ...sent().at(-1)!],
      [['Nightly'], 'PUT', '/magpie/access-token/ci/description', 'Nightly'],
    );
    const before = sent().length;
    await edit('Nightly');
    await pause(30);
    same(sent().length, before, 'an unchanged description was sent');
    instead = { PUT: refusal(500, 'no') };
    await edit('A better one');
    await toastShown('Error updating personal access token description.');
    await waitUntil(() => names()[0] === 'A better oneNot saved', `instead: ${names()[0]}`);
    instead = {};
    same(await edit('The best one'), 'A better one');
    await waitUntil(() => names()[0] === 'The best one', `instead: ${names()[0]}`);
    one('.token-name > button').click();
    const input = await field('.token-what input');
    same(input.maxLength, 255);
    type(input, 'dropped');
    press(input, 'Escape');
    await waitUntil(() => names()[0] === 'The best one', 'the old text');
  });

  it('deletes a token after confirmation [W22 W115 W119]', async () => {
    await open(four());
    await click('Delete Laptop');
    await page.textShown('Do you want to delete this personal access token?', '[role=alertdialog]');
    await confirm('Cancel');
    await waitUntil(() => !root().querySelector('[role=alertdialog]'), 'no question');
    same(sent('DELETE'), []);
    instead = { DELETE: refusal(500, 'no') };
    await click('Delete Laptop');
    await confirm('Delete token');
    await toastShown('Error deleting personal access token.');
    same(names().length, 4);
    instead = {};
    await click('Delete Laptop');
    await confirm('Delete token');
    await toastShown('Successfully deleted personal access token.');
    same(names(), ['Old portal', 'Dashboard refresh', 'CI smoke tests']);
    same(root().activeElement?.textContent, 'Create token', 'the focus');
  });

  page.refusesWith(
    "says 'You do not have permission on this page' and leads home [W97]",
    (refused) => open([], { GET: refused }),
  );

  it('shows that loading failed, and retries', async () => {
    await open(four(), { GET: refusal(500, 'The disk is full.') });
    await page.textShown('The disk is full.', '[role=alert]');
    instead = {};
    await click('Try again');
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
    await page.textShown('No matches.');
  });
});
