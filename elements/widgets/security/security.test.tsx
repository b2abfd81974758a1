import activities from '../../../test/fixtures/widgets/activity-history.json';
import customer from '../../../test/fixtures/widgets/customer.json';
import provider from '../../../test/fixtures/widgets/identity-provider.json';
import organization from '../../../test/fixtures/widgets/organization.json';
import permissions from '../../../test/fixtures/widgets/permissions.json';
import role from '../../../test/fixtures/widgets/role.json';
import secret from '../../../test/fixtures/widgets/secret.json';
import usage from '../../../test/fixtures/widgets/usage-events-full.json';
import user from '../../../test/fixtures/widgets/user.json';
import { check, same } from '../../result/test-support.tsx';
import { timeText as at } from '../parts.tsx';
import { badges, cells, checkAppearance, facts, mountWidget } from '../test-kit.tsx';

describe('security widgets', () => {
  it('a customer lists its organizations by name [O22]', async () => {
    const placed = await mountWidget('customer', customer);
    same(
      cells(placed).map(([name]) => name),
      ['skyline_dev', 'skyline_prod'],
    );
    same(facts(placed), { Created: at('2024-01-01T00:00:00Z') });
    const one = await mountWidget('customer', { organizations: [{ name: 'solo' }] });
    same(
      [one.words(), await one.element.describe()],
      [
        'Customer with 1 organization. Customer Organizations 1 Name solo',
        'Customer with 1 organization.',
      ],
    );
  });

  it('an organization shows its default repository, limits and permissions [O23]', async () => {
    const placed = await mountWidget('organization', {
      ...organization,
      organization: {
        ...organization.organization,
        clusterLimits: {
          ...organization.organization.clusterLimits,
          maxIdleMinutes: 1500,
          spotOnly: false,
          nothing: null,
        },
      },
    });
    same(facts(placed), {
      'Default repository': 'main',
      Clusters: '2',
      'Workers per cluster': '8',
      'Instance types': 'small, large',
      'Max idle minutes': '1,500',
      'Spot only': 'No',
    });
    same(cells(placed), [['Admin', 'Organization', 'skyline_dev', 'ana@example.org', 'User']]);
    for (const link of placed.root.querySelectorAll<HTMLElement>('.link')) link.click();
    same(placed.chosen, [
      { widget: 'repository', name: 'main' },
      { widget: 'organization', name: 'skyline_dev' },
      { widget: 'user', name: 'ana@example.org' },
    ]);
    same(
      await placed.element.describe(),
      'Organization skyline_dev with 1 permission. Its default repository is main.',
    );
    const bare = await mountWidget('organization', {});
    check(!bare.words().includes('Cluster limits') && bare.words().includes('None'), bare.words());
  });

  it('a user shows name, status, roles and permissions [O24]', async () => {
    const placed = await mountWidget('user', user);
    same(
      [facts(placed), badges(placed)],
      [{ 'User name': 'ana@example.org', Account: 'Person' }, ['default Active']],
    );
    same(placed.root.querySelector('h2')!.textContent, 'Ana Ruiz');
    same(cells(placed), [['analyst'], ['Read', 'Table', 'core.trips', 'analyst']]);
    same(
      await placed.element.describe(),
      'User Ana Ruiz with 1 role and 1 permission. Status: Active.',
    );
    const service = await mountWidget('user', {
      user: { userName: 'svc', serviceAccount: true, userStatus: 'Disabled' },
    });
    same(
      await service.element.describe(),
      'User svc with 0 roles and 0 permissions. Status: Disabled. It is a service account.',
    );
  });

  it('a role lists its users and permissions, or a summary by type [O24]', async () => {
    const one = await mountWidget('role', role);
    same(
      [cells(one), await one.element.describe()],
      [
        [['ana@example.org'], ['Read', 'Schema', 'core']],
        'Role analyst with 1 user and 1 permission.',
      ],
    );
    const all = await mountWidget('permissions', permissions);
    same(
      [cells(all).length, await all.element.describe()],
      [2, '2 permissions. By type: Admin 1, Read 1.'],
    );
  });

  it('activities are sorted newest first, whatever their order [O25]', async () => {
    const more = {
      ...activities,
      activities: [
        { activityTime: 1_600_000_000_000, activityType: 'Create' },
        { activityType: 'Grant' },
        ...activities.activities,
      ],
    };
    const placed = await mountWidget('activity-history', more);
    same(cells(placed, true), [['Time', 'Activity', 'User', 'State', 'Description']]);
    same(
      cells(placed).map(([, what]) => what),
      ['Alter', 'Create', 'Grant'],
    );
    same(
      [badges(placed), await placed.element.describe()],
      [
        ['success Succeeded'],
        'Activity history core.trips: 3 activities. Latest: Alter, ana@example.org, ' +
          `${at('2024-05-02T10:00:00Z')}, Succeeded.`,
      ],
    );
  });

  it('usage events derive state, permission and object as specified [O25 O26]', async () => {
    const placed = await mountWidget('usage-events', usage);
    same(cells(placed, true), [
      ['Time', 'User', 'Event', 'Object type', 'Object', 'Permission', 'State'],
    ]);
    same(
      cells(placed).map((row) => row.slice(2)),
      [
        ['Metadata', 'Table', 'core.trips', 'Read', 'Succeeded'],
        ['GlobalRole', '', '', 'SuperAdmin', 'Failed'],
        ['Result', '', '', 'Read', 'Succeeded'],
        ['Metadata', 'Job', 'flights.daily_load', 'Execute', 'Succeeded'],
        ['Metadata', 'DataSource', '<b>lake</b>', 'Use', 'Failed'],
      ],
    );
    same(
      [
        badges(placed).filter((badge) => badge.startsWith('danger')).length,
        placed.root.querySelectorAll('td b').length,
        await placed.element.describe(),
      ],
      [2, 0, 'Usage events: 5 events. 2 of them failed.'],
    );
  });

  it('a secret never shows its value, wherever it is [O27]', async () => {
    for (const data of [
      { secret: { ...secret.secret, value: 'hunter2', password: 'hunter2' }, value: 'hunter2' },
      { secret: 'hunter2' },
      { secret: ['hunter2'] },
    ]) {
      const placed = await mountWidget('secret', data);
      check(
        !placed.root.textContent!.includes('hunter2') &&
          !placed.root.innerHTML.includes('hunter2') &&
          !(await placed.element.describe()).includes('hunter2'),
        placed.root.textContent!,
      );
    }
    const placed = await mountWidget('secret', secret);
    same(
      [facts(placed), await placed.element.describe()],
      [
        { Created: at('2024-03-01T00:00:00Z'), Updated: at('2024-04-01T00:00:00Z') },
        `Secret warehouse_password; its value is not shown. Updated ${at('2024-04-01T00:00:00Z')}.`,
      ],
    );
  });

  it('a provider links only to http(s) addresses [O28]', async () => {
    const placed = await mountWidget('identity-provider', provider);
    same(facts(placed), {
      Type: 'SAML',
      Domains: 'example.org',
      'Sign-in URL': 'https://sso.example.org/saml',
      'Entity id': 'urn:example:workbench',
      Required: 'No',
      Organization: 'skyline_dev',
    });
    const link = placed.root.querySelector('a')!;
    same(
      [link.href, link.rel, link.target, await placed.element.describe()],
      [
        'https://sso.example.org/saml',
        'noopener noreferrer',
        '_blank',
        'Identity provider corp_sso of type SAML. It signs in users from example.org.',
      ],
    );
    const odd = await mountWidget('identity-provider', {
      provider: { ssoUrl: 'javascript:alert(1)', isRequired: true },
    });
    same(
      [odd.root.querySelectorAll('a').length, facts(odd), await odd.element.describe()],
      [
        0,
        { 'Sign-in URL': 'javascript:alert(1)', Required: 'Yes' },
        'Identity provider. Users must sign in through it.',
      ],
    );
  });

  it('paginates thousands of permissions', async () => {
    const placed = await mountWidget('permissions', {
      permissions: Array.from({ length: 20_000 }, (_, at) => ({
        permissionType: at % 3 ? 'Read' : 'Write',
        objectType: 'Table',
        objectName: `core.t${at}`,
      })),
    });
    same(
      [cells(placed).length, await placed.element.describe()],
      [25, '20,000 permissions. By type: Read 13,333, Write 6,667.'],
    );
  });

  for (const [id, data] of Object.entries({
    customer,
    organization,
    user,
    role,
    permissions,
    'activity-history': activities,
    'usage-events': usage,
    secret,
    'identity-provider': provider,
  })) {
    it(`${id} is accessible in light, dark and on a phone [O5]`, () =>
      checkAppearance(id as 'user', data));
  }
});
