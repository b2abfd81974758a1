import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { login } from './login.tsx';

const text = await loadTexts();

describe('<tiding-login>', () => {
  const page = testPage(login);
  const { root, click, field, textShown, words } = page;
  const alert = (message: string) => textShown(message, '[role=alert]');
  const open = (
    config: Record<string, unknown>,
    answer: (call: StubbedCall) => unknown = () => undefined,
  ) =>
    page.open((call) => (call.path === '/magpie/config' ? config : answer(call)), {
      ready: 'input',
      rest: { users: { ann: { password: 'right', roles: [] } } } as never,
    });

  it('welcomes users and shows the first-time hint if passwords are accepted [W13]', async () => {
    await open({ loginMode: 'Password', firstUse: true });
    check(words().includes(text.login.claim) && words().includes(text.login.firstUse), words());
    same((await field('User Name')).value, '');
  });

  it('shows no hint later, or if single sign-on is the only method [W13]', async () => {
    await open({ loginMode: 'Password', firstUse: false });
    check(words().includes(text.login.claim) && !words().includes(text.login.firstUse), words());
    check(words().includes(text.login.firstTime), words());
    page.close();
    await open({ loginMode: 'SsoOnly', firstUse: true });
    check(
      !words().includes('First time here?') && !root().querySelector('input[type=password]'),
      words(),
    );
  });

  it('is busy while signing in, shows errors, clears them on a key [D15 D54]', async () => {
    let release: (() => void) | undefined;
    await open({ loginMode: 'Password' }, ({ path }) =>
      path === '/login'
        ? new Promise(
            (resolve) =>
              (release = () =>
                resolve(refusal(403, "The username and password that you entered don't match."))),
          )
        : undefined,
    );
    type(await field('User Name'), 'ann');
    type(await field('Password'), 'wrong');
    await click('Sign in');
    const busy = await waitUntil(() => page.button('Signing In'), 'the busy button');
    // Not disabled, because it would lose the focus.
    busy.focus();
    busy.click();
    check(
      busy.getAttribute('aria-disabled') === 'true' && root().activeElement === busy,
      'the button takes clicks',
    );
    (await waitUntil(() => release, 'the call'))();
    await alert("The username and password that you entered don't match.");
    type(await field('Password'), 'other');
    await waitUntil(() => !root().querySelector('[role=alert]'), 'no message');
  });

  it("shows the server's message when it ends a session [D55]", async () => {
    // A ticket that the live channel rejects, without a way to get another.
    let tickets = 0;
    await open({ loginMode: 'Password' }, ({ path }) =>
      path !== '/security/ticket'
        ? undefined
        : (tickets += 1) > 1
          ? refusal(401, '')
          : { principal: 'ann', ticket: 'of before', roles: '[]' },
    );
    page.server.client.notes.list().catch(() => {});
    await alert('Your ticket is invalid possibly due to server restart. Please login again.');
  });

  it('requests a reset link; the typed address is cleared on close [W14 D56]', async () => {
    let refused = true;
    await open({ loginMode: 'Password' }, ({ path }) =>
      path !== '/magpie/password-reset'
        ? undefined
        : refused
          ? refusal(429, 'Too many requests: try again in ten minutes.')
          : {},
    );
    type(await field('User Name'), 'ann@acme.org');
    type(await field('Password'), 'half a pass');
    await click('Forgot password?');
    await textShown('Reset your password');
    same((await field('Email')).value, 'ann@acme.org');
    await click('Send link');
    await alert('Too many requests: try again in ten minutes.');
    refused = false;
    type(await field('Email'), 'ann@acme.example');
    await click('Send link');
    await textShown(
      'If an active user exists with that email, we have sent a password reset link',
      '[role=status]',
    );
    same(
      page
        .sent()
        .filter(([, path]) => path === '/magpie/password-reset')
        .map(([, , body]) => body),
      [{ username: 'ann@acme.org' }, { username: 'ann@acme.example' }],
    );
    await click('Back to sign in');
    same((await field('Password')).value, '');
    await click('Forgot password?');
    await textShown('Reset your password');
    check(!words().includes(text.login.linkSent), 'the old answer is still shown');
  });

  it('starts single sign-on with the domain after the at sign [D31]', async () => {
    await open({ loginMode: 'Sso' });
    await click('Single sign-on');
    type(await field('Email'), 'ann@north@acme.org');
    let address = '';
    page.shown.addEventListener('tiding-single-sign-on', (event) => {
      event.preventDefault();
      ({ address } = (event as CustomEvent<{ address: string }>).detail);
    });
    await click('Single sign-on');
    await waitUntil(() => address !== '', 'the address');
    const { pathname, searchParams } = new URL(address);
    same(
      [pathname.endsWith('/login/sso'), Object.fromEntries(searchParams)],
      [true, { domain: 'acme.org', email: 'ann@north@acme.org', useHttps: 'true', ref: '/' }],
    );
  });
});
