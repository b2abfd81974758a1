import type { HeliumEntry } from '@tiding/client/protocol';
import { check, pause, press, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { packages } from './packages.tsx';

const text = await loadTexts();

const page = testPage(packages);
const { root, all, button, click, confirm, inDialog, words } = page;
const t = text.packages;
const dialog = () => root().querySelector<HTMLElement>('[role=dialog], [role=alertdialog]');
const tab = (type: string) => all('[role=tab]').find(({ id }) => id === `type-${type}`)!;
const names = () => all('.package-name').map(({ textContent }) => textContent);
const posted = () => page.sent('POST').map(([, path, body]) => [path, body]);

const entry = (
  type: string,
  name: string,
  version = '1.0.0',
  more: Partial<HeliumEntry['pkg']> = {},
  enabled = false,
): HeliumEntry => ({
  registry: 'npm',
  enabled,
  pkg: { type, name, artifact: `${name}@${version}`, ...more },
});

/** A catalogue that the test can change. */
interface World {
  list: Record<string, HeliumEntry[]>;
  order: string[];
  /** Answers a call before the default handler. */
  before?: (call: StubbedCall) => unknown;
}

const open = (world: World, ready = '.package') =>
  page.open(
    async (call) => {
      const { method, path } = call;
      const first = await world.before?.(call);
      if (first !== undefined) return first;
      if (path === '/helium/package') return world.list;
      if (path === '/helium/order/visualization')
        return method === 'GET' ? world.order : (world.order = call.body as string[]);
      const [, verb, name] = /^\/helium\/(enable|disable)\/(.*)$/.exec(path) ?? [];
      if (!verb) return path.startsWith('/helium/') ? {} : undefined;
      world.list = {
        ...world.list,
        [name!]: world.list[name!]!.map((one) => ({
          ...one,
          enabled: verb === 'enable' && one.pkg.artifact === call.body,
        })),
      };
      return {};
    },
    { ready },
  );

describe('<tiding-packages>', () => {
  it('shows filtered markup, versions, license, spell; greys out local packages [D3]', async () => {
    await open({
      order: [],
      list: {
        view: [
          entry('VISUALIZATION', 'view', '1.1.0', {
            icon: '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onerror="window.hit = 1">',
            description: 'Draws <b onclick="x">maps</b><script>window.hit = 1</script>',
            license: 'MIT',
          }),
          entry('VISUALIZATION', 'view', '1.0.0'),
        ],
        mine: [
          entry('VISUALIZATION', 'mine', '', {
            artifact: './mine',
            icon: '<i class="fa fa-x"></i>',
            published: '2020-01-01',
          }),
        ],
        echo: [
          entry('SPELL', 'echo', '1.0.0', { spell: { magic: '%echo', usage: '%echo <text>' } }),
        ],
      },
    });
    same(
      all('[role=tab]').map(({ textContent }) => textContent),
      ['VISUALIZATION2', 'SPELL1', 'INTERPRETER0', 'APPLICATION0'],
    );
    same(names(), ['view', 'mine']);
    const [view, mine] = all('.package');
    same(view!.querySelector('.package-words')!.innerHTML, 'Draws <b>maps</b>');
    check(
      view!.querySelector('.package-icon img') &&
        !view!.querySelector('.package-icon img')!.hasAttribute('onerror'),
      'the icon',
    );
    check(!(window as unknown as { hit?: unknown }).hit, 'a script of a package has run');
    check(view!.textContent!.includes('MIT') && mine!.textContent!.includes('Unknown'), 'licenses');
    check(mine!.querySelector('.package-icon svg'), 'an invisible icon has no fallback');
    same(view!.querySelector('h2 a')!.getAttribute('href'), 'https://www.npmjs.com/package/view');
    check(!mine!.querySelector('h2 a') && mine!.querySelector('.local'), 'a local package');
    check(
      words('.package-hint') === "* Local registry package's name is gray colored.",
      'the note',
    );
    const grey = (element: Element) => getComputedStyle(element).color;
    check(
      grey(mine!.querySelector('h2')!) !== grey(view!.querySelector('h2')!),
      'the name is not grey',
    );
    check(!root().querySelector('.package-order'), 'an empty order');
    await click('versions of view');
    await waitUntil(() => button('Enable view@1.0.0'), 'the other version');
    tab('SPELL').click();
    await waitUntil(() => names()[0] === 'echo', 'the spell');
    same(
      all('.package-spell dt, .package-spell dd').map(({ textContent }) => textContent),
      ['MAGIC', '%echo', 'USAGE', '%echo <text>'],
    );
    tab('APPLICATION').click();
    await waitUntil(
      () => words('.page-empty') === 'Currently there is no available package to be listed',
      'nothing',
    );
  });

  it('enables a version after confirmation, is busy meanwhile, and disables it [D3]', async () => {
    let release: (() => void) | undefined;
    await open({
      order: [],
      list: {
        view: [
          entry('VISUALIZATION', 'view', '1.1.0', { description: 'Draws <i>maps</i>' }),
          entry('VISUALIZATION', 'view', '1.0.0', { license: 'MIT' }),
        ],
      },
      before: ({ path }) =>
        /enable|disable/.test(path) && !release
          ? new Promise((resolve) => (release = () => resolve(undefined)))
          : undefined,
    });
    await click('versions of view');
    await click('Enable view@1.0.0');
    await waitUntil(dialog, 'the question');
    same(
      dialog()!.querySelector('.dialog-title')!.textContent,
      'Do you want to enable Helium Package?',
    );
    same(
      [...dialog()!.querySelectorAll('dt')].map(({ textContent }) => textContent),
      ['Artifact', 'Type', 'Description', 'License'],
    );
    same(
      [...dialog()!.querySelectorAll('dd')].map(({ textContent }) => textContent),
      ['view@1.0.0', 'VISUALIZATION', '–', 'MIT'],
    );
    await confirm('Enable');
    await waitUntil(
      () => inDialog('Enabling')?.ariaDisabled === 'true' && dialog()!.querySelector('.spinner'),
      'the spinner',
    );
    press(dialog()!, 'Escape');
    await pause(30);
    check(dialog(), 'the question closed before the answer');
    // The dialog is busy before the request arrives.
    (await waitUntil(() => release, 'the request'))();
    await waitUntil(() => !dialog() && button('Disable view@1.0.0'), 'it is on');
    same(posted(), [['/helium/enable/view', 'view@1.0.0']]);
    check(words('.package-changed').includes(t.afterReload), 'the hint about reloading');
    release = undefined;
    await click('Disable view@1.0.0');
    await waitUntil(
      () => dialog()?.textContent?.includes('Do you want to disable Helium Package?'),
      'the question',
    );
    await confirm('Disable');
    await waitUntil(() => inDialog('Disabling') && release, 'the spinner');
    release!();
    await waitUntil(() => !dialog() && button('Enable view@1.1.0'), 'it is off');
  });

  it('shows why a package could not be enabled or disabled [D58]', async () => {
    await open({
      order: [],
      list: {
        a: [entry('VISUALIZATION', 'a')],
        b: [entry('VISUALIZATION', 'b', '1.0.0', {}, true)],
      },
      before: ({ path }) =>
        /enable|disable/.test(path)
          ? refusal(500, 'The package could not be built: line 3')
          : undefined,
    });
    for (const [first, verb, title] of [
      ['Enable a@1.0.0', 'Enable', 'Error on enabling'],
      ['Disable b@1.0.0', 'Disable', 'Error on disabling'],
    ] as const) {
      await click(first);
      await confirm(verb);
      await waitUntil(() => dialog()?.querySelector('.dialog-title')?.textContent === title, title);
      same(
        dialog()!.querySelector('.dialog-text')!.textContent,
        'The package could not be built: line 3',
      );
      await confirm('Close');
      await waitUntil(() => !dialog(), 'closed');
    }
    check(button('Enable a@1.0.0') && button('Disable b@1.0.0'), 'nothing has changed');
  });

  it('explains how to install an interpreter, and never disables one', async () => {
    await open(
      {
        order: [],
        list: {
          md: [
            entry(
              'INTERPRETER',
              'md',
              '0.8.2',
              { groupId: 'org.apache.zeppelin', artifact: 'zeppelin-md@0.8.2' },
              true,
            ),
          ],
        },
      },
      '[role=tab]',
    );
    tab('INTERPRETER').click();
    await click('Enable zeppelin-md@0.8.2');
    await waitUntil(
      () =>
        dialog()?.querySelector('pre')?.textContent ===
        './bin/install-interpreter.sh --name "interpreter-name" --artifact ' +
          'org.apache.zeppelin:zeppelin-md:0.8.2',
      'the instructions',
    );
    check(
      !all('button').some(({ textContent }) => textContent === 'Disable'),
      'it can be turned off',
    );
    same(posted(), []);
  });

  it('saves settings as numbers, JSON or text; keeps values if saving fails [D32]', async () => {
    let refuses = true;
    const config = {
      size: { type: 'number', description: 'Size', defaultValue: 3 },
      rules: { type: 'json', description: 'Rules', defaultValue: {} },
      word: { type: 'string', description: 'Word', defaultValue: 'x' },
      odd: { type: 'number', description: 'Odd', defaultValue: 1 },
    };
    await open({
      order: [],
      list: {
        a: [entry('VISUALIZATION', 'a', '1.0.0', { config })],
        b: [entry('VISUALIZATION', 'b')],
      },
      before: ({ path, method, body }) => {
        if (path !== '/helium/config/a/a@1.0.0') return undefined;
        if (method === 'GET') return { confPersisted: { size: 7 }, confSpec: config };
        return refuses ? refusal(500, 'The disk is full.') : body;
      },
    });
    check(!button('Config of b'), 'a package without settings has some');
    await click('Config of a');
    const field = (name: string) =>
      all<HTMLInputElement>('input').find(({ ariaLabel }) => ariaLabel === `Value of ${name}`);
    await waitUntil(() => field('size'), 'the table');
    same(
      all('th').map(({ textContent }) => textContent),
      ['Name', 'Type', 'Description', 'Value'],
    );
    same(
      [field('size')!.value, field('size')!.placeholder, field('rules')!.value],
      ['7', '3', '{}'],
    );
    type(field('rules')!, '{"a": [1]}');
    type(field('odd')!, 'many');
    await click('Save');
    await waitUntil(
      () => words('.package-config [role=alert]') === 'The disk is full.',
      'the failure',
    );
    same(field('odd')!.value, 'many');
    refuses = false;
    await click('Save');
    await waitUntil(() => !field('size'), 'closed');
    same(posted().at(-1), [
      '/helium/config/a/a@1.0.0',
      { size: 7, rules: { a: [1] }, word: 'x', odd: 'many' },
    ]);
    await click('Config of a');
    await waitUntil(() => field('size'), 'the table again');
    all('.package-config button')
      .find(({ textContent }) => textContent === 'Close')!
      .click();
    await waitUntil(() => !field('size'), 'closed without saving');
  });

  it('reorders views with keys, asks before saving, shows why it failed [D3 D59]', async () => {
    let refuses = true;
    const on = (name: string) => [entry('VISUALIZATION', name, '1.0.0', {}, true)];
    const world: World = {
      order: ['a', 'off', 'b', 'c'],
      list: { a: on('a'), b: on('b'), c: on('c'), off: [entry('VISUALIZATION', 'off')] },
      before: ({ path, method }) =>
        path === '/helium/order/visualization' && method === 'POST' && refuses
          ? refusal(500, 'no')
          : undefined,
    };
    await open(world, '.package-order');
    check(
      words('.package-order').includes('Bundle package display order (drag and drop to reorder)'),
      'the title',
    );
    const chips = () => all('.package-chip').map(({ textContent }) => textContent);
    same(chips(), ['a', 'b', 'c']);
    check(!button('save'), 'there is nothing to save');
    const chip = all('.package-chip')[0]!;
    const key = async (code: string) => {
      chip.dispatchEvent(
        new KeyboardEvent('keydown', {
          code,
          key: code,
          bubbles: true,
          composed: true,
          cancelable: true,
        }),
      );
      await pause(80);
    };
    chip.focus();
    await key('Space');
    await key('ArrowRight');
    await key('Space');
    await waitUntil(() => chips().join() === 'b,a,c', `moved instead of ${chips().join()}`);
    for (const answer of ['Cancel', 'Save']) {
      await click('save');
      await waitUntil(
        () => dialog()?.querySelector('.dialog-title')?.textContent === 'Save changes?',
        'the question',
      );
      await confirm(answer);
      if (answer === 'Cancel') await waitUntil(() => !dialog(), 'gone');
    }
    await waitUntil(
      () => dialog()?.querySelector('.dialog-title')?.textContent === 'Error on saving order',
      'the failure',
    );
    await confirm('Close');
    await waitUntil(() => !dialog(), 'gone');
    same(chips(), ['b', 'a', 'c']);
    refuses = false;
    await click('save');
    await confirm('Save');
    await waitUntil(() => !button('save'), 'saved');
    same(world.order, ['b', 'a', 'c', 'off']);
  });

  it('paginates by ten with five links, also with ten thousand packages [D69]', async () => {
    const list = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [
        `p${n}`,
        [
          entry('VISUALIZATION', `p${n}`, '1.0.0', {
            published: new Date(1e12 - n * 1e6).toISOString(),
          }),
        ],
      ]),
    );
    await open({ order: [], list });
    same(all('.package').length, 10);
    same(
      all('.pager button')
        .map(({ textContent }) => textContent)
        .filter(Boolean),
      ['1', '2', '3', '4', '5'],
    );
    await click('Page 5');
    await waitUntil(() => names()[0] === 'p40', 'the fifth page');
    check(words('.page-foot').includes('41–50 of 10000'), words('.page-foot'));
    tab('SPELL').click();
    tab('VISUALIZATION').click();
    await waitUntil(() => names()[0] === 'p0', 'the first page again');
  });

  it('switches between types with the arrow keys', async () => {
    await open({ order: [], list: { a: [entry('VISUALIZATION', 'a')] } });
    tab('VISUALIZATION').focus();
    press(tab('VISUALIZATION'), 'ArrowLeft');
    await waitUntil(
      () => tab('APPLICATION').getAttribute('aria-selected') === 'true',
      'the last type',
    );
    check(root().activeElement === tab('APPLICATION'), 'the focus');
  });

  page.refusesWith(
    "says 'You do not have permission on this page' and leads home [D67]",
    (refused) =>
      open(
        {
          order: [],
          list: {},
          before: ({ path }) => (path === '/helium/package' ? refused : undefined),
        },
        '[role=alert]',
      ),
  );
});
