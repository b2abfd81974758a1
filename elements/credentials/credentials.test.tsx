import { check, press, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { credentialsElement } from './credentials.tsx';

const page = testPage(credentialsElement);
const { root, all, one, click, confirm, field, sent, textShown, toastShown } = page;
let stored: Record<string, { username: string; password: string }>;
/** Overrides the server's answer, by method. */
let instead: Partial<Record<string, Response>>;

function answer({ method, path, body }: StubbedCall): unknown {
  if (path === '/interpreter/setting')
    return [
      { id: '1', name: 'pg', group: 'jdbc' },
      { id: '2', name: 'sql', group: 'sql' },
    ];
  if (!path.startsWith('/credential')) return undefined;
  const other = instead[method];
  if (other) return other.clone();
  if (method === 'PUT') {
    const { entity, ...credential } = body as {
      entity: string;
      username: string;
      password: string;
    };
    stored = { ...stored, [entity]: credential };
  }
  if (method === 'DELETE') {
    const { [path.split('/')[2]!]: gone, ...left } = stored;
    if (!gone) return refusal(404, 'no');
    stored = left;
  }
  return method === 'GET' ? { userCredentials: stored } : {};
}

const rows = () =>
  all('tbody tr').map((row) =>
    [...row.querySelectorAll('th, td:not(.row-actions)')].map((cell) => cell.textContent),
  );
const pg = { 'jdbc.pg': { username: 'ann', password: '********' } };

async function open(entries: typeof stored, replies: typeof instead = {}): Promise<void> {
  stored = entries;
  instead = replies;
  await page.open(answer);
}
async function fillIn(entity: string, username: string, password: string): Promise<void> {
  await click('Add credential');
  type(await field('Entity'), entity);
  type(await field('Username'), username);
  type(await field('Password'), password);
  await click('Save');
}

describe('<tiding-credentials>', () => {
  it('explains what credentials are for when there are none', async () => {
    await open({});
    await textShown('Manage your credentials. You can add new credential information.');
    await textShown('Currently there is no credential information');
  });

  it('adds a credential; the password may be empty and is never shown [W31 W78 W127]', async () => {
    await open({});
    await fillIn(' jdbc.pg ', ' ann ', 'hush');
    await toastShown('Successfully saved credentials.');
    same(sent(), [
      ['PUT', '/credential', { entity: 'jdbc.pg', username: 'ann', password: 'hush' }],
    ]);
    same(rows(), [['jdbc.pg', 'ann', '**********']]);
    check(!root().innerHTML.includes('hush'), 'the password is on the page');
    check(all('.toasts')[0]!.classList.contains('center'), 'toasts are not at the bottom');
    await fillIn('a.b', 'ann', '');
    await waitUntil(() => rows().length === 2, 'the second');
    same(rows(), [
      ['a.b', 'ann', 'No password'],
      ['jdbc.pg', 'ann', '**********'],
    ]);
  });

  it('suggests the entities of the configured interpreters', async () => {
    await open({});
    await click('Add credential');
    const entity = await field('Entity');
    same(entity.placeholder, '[Interpreter Group].[Interpreter Name]');
    entity.focus();
    entity.click();
    type(entity, 'j');
    await waitUntil(
      () => JSON.stringify(all('[role=option]').map((each) => each.textContent)) === '["jdbc.pg"]',
      'the suggestion',
    );
    all('[role=option]')[0]!.click();
    await waitUntil(() => entity.value === 'jdbc.pg', 'the name in the field');
  });

  for (const [entity, username] of [
    ['', 'ann'],
    ['  ', 'ann'],
    ['jdbc.pg', ''],
    ['jdbc.pg', '  '],
  ] as const) {
    it(`requires entity and username: '${entity}', '${username}' [W78]`, async () => {
      await open({});
      await fillIn(entity, username, 'x');
      await toastShown('Username \\ Entity can not be empty.');
      same([sent(), (await field('Password')).value], [[], 'x']);
    });
  }

  it('keeps the typed values when the server rejects a credential [W128]', async () => {
    await open({}, { PUT: refusal(400, 'no') });
    await fillIn('jdbc.pg', 'ann', '');
    await toastShown('Error saving credentials');
    same([(await field('Entity')).value, (await field('Username')).value], ['jdbc.pg', 'ann']);
    await waitUntil(() => !all('button[aria-busy]').length, 'the end of the attempt');
  });

  it('edits a credential in place, except its entity [W31 W79]', async () => {
    await open({ ...pg, 'x.y': { username: 'bea', password: 'in clear' } });
    await click('Edit the credential of jdbc.pg');
    await toastShown('Since entity is a unique key, you can edit only username & password');
    const name = await field('Username for jdbc.pg');
    same((await field('Password for jdbc.pg')).value, '');
    // Only the fields of the row are validated, whatever the form above contains.
    await click('Add credential');
    type(await field('Username'), 'somebody');
    type(name, ' ');
    press(name, 'Enter');
    await toastShown('Username \\ Entity can not be empty.');
    type(name, 'anna');
    press(name, 'Enter');
    await toastShown('Successfully saved credentials.');
    same(sent(), [
      ['PUT', '/credential', { entity: 'jdbc.pg', username: 'anna', password: '********' }],
    ]);
    same((await field('Username')).value, 'somebody', 'the form above');
    await click('Edit the credential of x.y');
    type(await field('Password for x.y'), 'new');
    type(await field('Password for x.y'), '');
    await click('Save the credential of x.y');
    await waitUntil(() => sent().length === 2, 'the second');
    same(sent()[1]![2], { entity: 'x.y', username: 'bea', password: '' });
    await waitUntil(() => rows()[1]![2] === 'No password', 'the row');
    check(!root().innerHTML.includes('in clear'), 'a password is on the page');
  });

  it('keeps the row open when a change is rejected, and restores it on cancel [W129]', async () => {
    await open(pg, { PUT: refusal(500, 'no') });
    await click('Edit the credential of jdbc.pg');
    type(await field('Username for jdbc.pg'), 'anna');
    await click('Save the credential of jdbc.pg');
    await toastShown('We could not save the credential');
    same((await field('Username for jdbc.pg')).value, 'anna');
    press(await field('Username for jdbc.pg'), 'Escape');
    await waitUntil(() => rows()[0]?.[1] === 'ann', 'the old row');
    await waitUntil(
      () => root().activeElement?.getAttribute('aria-label') === 'Edit the credential of jdbc.pg',
      'the focus',
    );
  });

  it('removes a credential after confirmation [W31]', async () => {
    await open(pg);
    await click('Remove the credential of jdbc.pg');
    await textShown('Do you want to delete this credential information?', '[role=alertdialog]');
    await confirm('Cancel');
    await waitUntil(() => !root().querySelector('[role=alertdialog]'), 'no question');
    same(sent(), []);
    instead = { DELETE: refusal(500, 'no') };
    await click('Remove the credential of jdbc.pg');
    await confirm('Delete');
    await toastShown('The credential could not be deleted.');
    same(rows().length, 1);
    instead = {};
    await click('Remove the credential of jdbc.pg');
    await confirm('Delete');
    await textShown('Currently there is no credential information');
    same(sent().at(-1), ['DELETE', '/credential/jdbc.pg', null]);
    same(root().activeElement?.textContent, 'Add credential', 'the focus');
  });

  page.refusesWith(
    "says 'You do not have permission on this page' and leads home [W98]",
    (refused) => open({}, { GET: refused }),
  );

  it('renders ten of ten thousand credentials; a filter finds one', async () => {
    await open(
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, n) => [
          `jdbc.db${n}`,
          { username: `user${n}`, password: '********' },
        ]),
      ),
    );
    same(rows().length, 10);
    type(one<HTMLInputElement>('input[type=search]'), 'USER9999');
    await waitUntil(
      () => rows().length === 1 && rows()[0]![0] === 'jdbc.db9999',
      'the matching credential',
    );
  });
});
