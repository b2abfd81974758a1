import { check, same, type as typeInto, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal } from '../ui/testing/test-rest.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { revisionControlElement } from './revision-control.tsx';

const text = await loadTexts();

const page = testPage(revisionControlElement);
const { all, one, button, click } = page;
const t = text.revisionControl;
const words = (selector: string) =>
  all(selector)
    .map(({ textContent }) => textContent)
    .join('|');
const field = (name: string) => one<HTMLInputElement>(`input[name=${name}]`);
const toast = (message: string) => waitUntil(() => words('.toast').includes(message), message);
const type = (name: string, value: string) => typeInto(field(name), value);
/** Times after which the shown toasts disappear, in ms. */
const toastTimes = (): { ms: number[]; restore: () => void } => {
  const { setInterval: real } = window;
  const ms: number[] = [];
  window.setInterval = ((act: () => void, every?: number) => (
    ms.push(every ?? 0), real(act, every)
  )) as typeof setInterval;
  return { ms, restore: () => void (window.setInterval = real) };
};
const badge = (word: string) => waitUntil(() => words('.badge') === word, word);

interface World {
  configuration: object;
  /** Answer to a POST instead of success, and the live event that follows. */
  post?: () => Response | undefined;
  said?: [op: string, data: object];
  get?: () => Response | undefined;
  supported?: string;
}
const given = {
  remoteUrl: 'https://git.example/notes.git',
  userName: 'ana',
  accessToken: '********',
};

const ready = 'form, .page-empty, [role=alert]';
const open = (world: World) =>
  page.open(
    ({ method, path, body }) => {
      if (path === '/magpie/revision-control/sync') {
        if (world.said) setTimeout(() => page.server.memory.push(...world.said!), 400);
        return {};
      }
      if (path !== '/magpie/revision-control') return undefined;
      if (method === 'GET') return world.get?.() ?? world.configuration;
      const refused = world.post?.();
      if (refused) return refused;
      const wanted = body as Record<string, string>;
      world.configuration =
        Object.keys(wanted).length === 0 ? {} : { ...wanted, accessToken: '********' };
      if (wanted['remoteUrl'] !== undefined && world.said)
        setTimeout(() => page.server.memory.push(...world.said!), 400);
      return {};
    },
    { ready },
  );
const posted = () => page.sent('POST').map(([, , body]) => body);
const fill = () => {
  type('remoteUrl', ' https://git.example/notes.git ');
  type('userName', 'ana');
  type('accessToken', 'secret');
};

/** Opens the page of a server whose notes keep revisions or not. */
const openWith = (isRevisionSupported: string, answer: Parameters<typeof page.open>[0]) =>
  page.open(answer, {
    ready,
    rest: {
      intercept: ({ op }) =>
        op === 'LIST_CONFIGURATIONS' &&
        (page.server.memory.push('CONFIGURATIONS_INFO', {
          configurations: { isRevisionSupported },
        }),
        true),
    },
  });

describe('<tiding-revision-control>', () => {
  it('goes from not configured through saving to configured, and back [D13 D53]', async () => {
    const world: World = { configuration: {}, said: ['REPO_SYNC_SUCCESS', {}] };
    await open(world);
    await badge(t.notConfigured);
    check(!button(t.sync) && !button(t.remove), 'the sync button is shown');
    await click(t.save);
    await waitUntil(() => words('[role=alert]') === t.blank, 'the missing fields');
    same(posted(), []);
    fill();
    same(field('accessToken').type, 'password');
    await click(t.save);
    await badge(t.saving);
    check(button(t.save)!.ariaDisabled === 'true', 'it can be saved twice');
    await toast('Change to revision control configuration was successfully applied.');
    await badge(t.configured);
    same(posted(), [
      { remoteUrl: 'https://git.example/notes.git', userName: 'ana', accessToken: 'secret' },
    ]);
    same(field('accessToken').value, '********');
    await click(t.remove);
    (await waitUntil(() => all('[role=alertdialog] button').at(-1), 'the question')).click();
    await badge(t.notConfigured);
    await toast(t.removed);
    same([posted().at(-1), field('remoteUrl').value], [{}, '']);
  });

  it('keeps the stored token while its mask is unchanged', async () => {
    await open({
      configuration: given,
      said: ['REPO_SYNC_SUCCESS', { info: 'Both versions of one paragraph are kept.' }],
    });
    await badge(t.configured);
    type('userName', 'bea');
    await click(t.save);
    await toast('Both versions of one paragraph are kept.');
    same(posted(), [{ ...given, userName: 'bea' }]);
  });

  it('shows the error of a sync; typed values outlive the configuration [D13 D52]', async () => {
    await open({
      configuration: {},
      said: ['REPO_SYNC_ERROR', { info: 'The remote refuses the token.' }],
    });
    fill();
    await click(t.save);
    await toast('There was an error applying the given revision control configuration');
    await waitUntil(() => words('.alert') === 'The remote refuses the token.', 'the reason');
    same(
      [field('remoteUrl').value.trim(), field('userName').value, field('accessToken').value],
      ['https://git.example/notes.git', 'ana', 'secret'],
    );
  });

  it('shows when it could not be read, saved or removed [D48 D49 D50]', async () => {
    let fails: Response | undefined = refusal(500, 'The disk is full.');
    const world: World = { configuration: given, get: () => fails?.clone() };
    const times = toastTimes();
    await open(world);
    await toast("We couldn't get the revision control configuration for this notebook!");
    await waitUntil(() => times.ms.includes(3_000), 'a toast of three seconds');
    check(!times.ms.includes(6_000), 'a toast of six seconds');
    fails = undefined;
    await click(text.tryAgain);
    await badge(t.configured);
    world.post = () => refusal(400, 'The address is no address of a repository.');
    type('remoteUrl', 'x');
    await click(t.save);
    await toast(
      "We couldn't save the revision control configuration for this notebook. Please try again.",
    );
    same(
      [words('.alert'), field('remoteUrl').value],
      ['The address is no address of a repository.', 'x'],
    );
    await waitUntil(() => times.ms.includes(6_000), 'a toast of six seconds');
    times.restore();
    await click(t.remove);
    (await waitUntil(() => all('[role=alertdialog] button').at(-1), 'the question')).click();
    await toast(
      "We couldn't remove the revision control configuration for this notebook. Please try again.",
    );
    await badge(t.configured);
  });

  it('gives up after 300 seconds and says that it may still be running [D13 D51 D71]', async () => {
    await open({ configuration: {} });
    fill();
    const real = window.setTimeout;
    const waits: unknown[] = [];
    // Skip the one long wait.
    window.setTimeout = ((act: () => void, ms?: number, ...more: unknown[]) => {
      if ((ms ?? 0) > 100_000) waits.push(ms);
      return real(act, (ms ?? 0) > 100_000 ? 30 : ms, ...more);
    }) as typeof setTimeout;
    try {
      await click(t.save);
      await toast(
        'The request may have timed out, and the notes may still be syncing. Please try again or ' +
          'contact support.',
      );
      same(waits, [300_000]);
      await badge(t.notConfigured);
    } finally {
      window.setTimeout = real;
    }
  });

  it('synchronises on demand and shows this result and the last one', async () => {
    const world: World = {
      configuration: {
        ...given,
        sync: { running: false, ok: false, info: 'No route.', time: '2026-11-21T10:00:00Z' },
      },
      said: ['REPO_SYNC_SUCCESS', {}],
    };
    await open(world);
    await waitUntil(() => words('.hint.error').includes('No route.'), 'the last sync');
    await click(t.sync);
    await toast(t.synced);
    world.said = ['REPO_SYNC_ERROR', { info: 'The remote is away.' }];
    await click(t.sync);
    await toast(t.notSynced);
    await waitUntil(() => words('.alert') === 'The remote is away.', 'the reason');
    await badge(t.configured);
  });

  it('follows changes made elsewhere', async () => {
    const world: World = { configuration: given };
    await open(world);
    await badge(t.configured);
    world.configuration = {};
    page.server.memory.push('REPO_SYNC_ERROR', { info: 'x' });
    await badge(t.notConfigured);
  });

  it('says that a Zeppelin keeps revisions, but takes no remote', async () => {
    await openWith('true', ({ path }) => (path === '/version' ? { version: '0.10.0' } : undefined));
    await waitUntil(() => words('.page-empty') === t.noRemote, 'the sentence');
    check(all('form').length === 0, 'a form is shown');
  });

  it('is not shown if the server keeps no revisions [D4]', async () => {
    await openWith('false', ({ path }) =>
      path === '/magpie/revision-control' ? given : undefined,
    );
    await waitUntil(() => words('.page-empty') === t.notSupported, 'the sentence');
    same(page.server.calls.length, 0);
  });
});
