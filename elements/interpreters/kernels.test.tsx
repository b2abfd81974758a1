import { same, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal } from '../ui/testing/test-rest.ts';
import { interpretersElement } from './interpreters.tsx';
import { type SettingsServer, setting, settingsServer } from './test-server.ts';

const ir = {
  name: 'ir',
  displayName: 'R',
  language: 'R',
  version: '4.2.2',
  magics: ['%ir', '%r'],
  place: '/usr/share/jupyter/kernels/ir',
};
const remote = {
  name: 'python3',
  displayName: 'Python 3',
  language: 'python',
  magics: ['%lab(kernel=python3)'],
  place: 'http://lab.example:8888',
  remote: true,
};

describe('kernels of <tiding-interpreters>', () => {
  const opened = testPage(interpretersElement);
  const { all } = opened;
  const show = async (prepare: (server: SettingsServer) => void, zeppelin?: string) => {
    const server = await settingsServer([setting('sql')], 'ann', zeppelin);
    prepare(server);
    opened.close();
    await opened.show(server.client, {}, '.setting');
    return {
      server,
      all,
      texts: (selector: string) => all(selector).map(({ textContent }) => textContent),
    };
  };

  it('shows kernels, where they were found, and commands for missing languages', async () => {
    const page = await show((server) => {
      server.kernels = {
        kernels: [ir, remote],
        problems: [{ place: '/opt/kernels/torn', reason: 'argv must be a list.' }],
        folders: ['/usr/share/jupyter'],
      };
    });
    await waitUntil(() => page.all('.kernel').length > 0, 'kernels');
    same(page.texts('.kernel-name'), ['R4.2.2', 'Python 3pythonRemote', 'Bash', 'Julia', 'Scala']);
    same(page.texts('.kernel-magics'), ['%ir %r', '%lab(kernel=python3)']);
    same(page.texts('.kernel-place'), [ir.place, remote.place]);
    same(page.texts('.kernel-problem'), ['/opt/kernels/torn is left out: argv must be a list.']);
    same(
      page.texts('.kernel-commands').map((text) => text!.split('\n').length),
      [2, 2, 2],
    );
  });

  it('looks again, and shows the new setting too', async () => {
    const page = await show(() => undefined);
    await waitUntil(
      () => page.texts('.kernels p').includes('No Jupyter kernel was found in /usr/share/jupyter.'),
      'no kernel',
    );
    page.server.kernels = { ...page.server.kernels, kernels: [ir] };
    page.server.settings = [setting('sql'), setting('ir')];
    page.all('.kernels-head button')[0]!.click();
    await waitUntil(() => page.texts('.kernel-place').includes(ir.place), 'the kernel');
    await waitUntil(() => page.texts('.setting-name').includes('ir'), 'its setting');
  });

  it('shows why the kernels could not be listed, and what TIDING_KERNELS=none means', async () => {
    const page = await show((server) => {
      server.kernels = { kernels: [], problems: [], folders: [] };
      server.instead = ({ path }) =>
        path === '/interpreter/kernel' ? refusal(500, 'The disk is gone.') : undefined;
    });
    await waitUntil(() => page.texts('.kernels [role=alert]').length > 0, 'the reason');
    same(page.texts('.kernels [role=alert]'), ['The disk is gone.Try again']);
    page.server.instead = undefined;
    page.all('.kernels [role=alert] button')[0]!.click();
    await waitUntil(
      () => page.texts('.kernels p').some((text) => text!.includes('TIDING_KERNELS is none')),
      'the explanation',
    );
    same(page.all('.kernels [role=alert]'), []);
    same(page.all('.kernel-commands'), []);
  });

  it('is hidden from users without permission, and in front of a Zeppelin', async () => {
    const refused = await show((server) => {
      server.instead = ({ path }) =>
        path === '/interpreter/kernel' ? refusal(403, 'no') : undefined;
    });
    await waitUntil(
      () => refused.server.calls.some(({ path }) => path === '/interpreter/kernel'),
      'the call',
    );
    await waitUntil(() => refused.all('.kernels').length === 0, 'no kernels');
    const zeppelin = await show(() => undefined, '0.10.1');
    same(zeppelin.all('.kernels'), []);
    same(
      zeppelin.server.calls.filter(({ path }) => path === '/interpreter/kernel'),
      [],
    );
  });
});
