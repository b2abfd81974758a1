import type { Client } from 'tiding/client';
import { check, same, until } from '../result/test-kit.tsx';
import { elementClass } from '../runtime/define-element.ts';
import { complaints, frames } from '../runtime/test-complaints.ts';
import { text } from '../text/en.ts';
import { type } from '../ui/test-calls.ts';
import { refusal, restClient, type Call, type RestClient } from '../ui/test-rest.ts';
import { login } from './login.tsx';

type Shown = HTMLElement & { client: Client; returnTo?: string };

describe('the sign-in', () => {
  const heard = complaints();
  let server: RestClient;
  let shown: Shown;
  const root = () => shown.shadowRoot!;
  const words = () => root().textContent ?? '';
  const field = (label: string) =>
    until(
      () =>
        [...root().querySelectorAll('label')]
          .find((each) => each.querySelector('.label')?.textContent === label)
          ?.querySelector('input'),
      `the field ${label}`,
    );
  const button = (label: string) =>
    until(
      () => [...root().querySelectorAll('button')].find(({ textContent }) => textContent === label),
      `the button ${label}`,
    );
  const alert = (message: string) =>
    until(
      () => root().querySelector('[role=alert]')?.textContent?.includes(message),
      `'${message}' instead of '${root().querySelector('[role=alert]')?.textContent}'`,
    );

  const open = async (
    config: Record<string, unknown>,
    answer: (call: Call) => unknown = () => undefined,
  ): Promise<void> => {
    server = restClient((call) => (call.path === '/magpie/config' ? config : answer(call)), {
      users: { ann: { password: 'right', roles: [] } },
    } as never);
    shown = document.createElement('tiding-login') as Shown;
    shown.client = server.client;
    document.body.append(shown);
    await until(() => root().querySelector('input'), 'the fields');
  };
  before(() => customElements.define(login.tag, elementClass(login)));
  afterEach(async () => {
    shown.remove();
    await frames();
    server.client.close();
  });
  after(() => same(heard, [], 'complaints'));

  it('welcomes, and prompts who is there for the first time where passwords are taken', async () => {
    await open({ loginMode: 'Password', firstUse: true });
    check(words().includes(text.login.claim) && words().includes(text.login.firstUse), words());
    same((await field('User Name')).value, '');
  });

  it('has no such prompt later, nor where single sign-on is the only way', async () => {
    await open({ loginMode: 'Password', firstUse: false });
    check(words().includes(text.login.claim) && !words().includes(text.login.firstUse), words());
    shown.remove();
    server.client.close();
    await open({ loginMode: 'SsoOnly', firstUse: true });
    check(
      !words().includes(text.login.firstUse) && !root().querySelector('input[type=password]'),
      words(),
    );
  });

  it('is busy while it goes on, and says when name and password do not fit; what is wrong goes with the next key', async () => {
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
    (await button('Sign in')).click();
    const busy = await button('Signing In');
    check(busy.disabled, 'it can be pressed again');
    (await until(() => release, 'the call'))();
    await alert("The username and password that you entered don't match.");
    type(await field('Password'), 'other');
    await until(() => !root().querySelector('[role=alert]'), 'no message');
  });

  it('shows what the server says when it ends a session', async () => {
    // A ticket that the live channel does not know, and no other to be had.
    let tickets = 0;
    await open({ loginMode: 'Password' }, ({ path }) =>
      path !== '/security/ticket'
        ? undefined
        : (tickets += 1) > 1
          ? refusal(401, '')
          : { principal: 'ann', ticket: 'of before', roles: '[]' },
    );
    server.client.notes.list().catch(() => {});
    await alert('Your ticket is invalid possibly due to server restart. Please login again.');
  });

  it('asks for a link that sets a new password; what was typed is gone when that closes', async () => {
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
    (await button('Forgot password?')).click();
    await until(() => words().includes('Reset your password'), 'the other form');
    same((await field('Email')).value, 'ann@acme.org');
    (await button('Send link')).click();
    await alert('Too many requests: try again in ten minutes.');
    refused = false;
    type(await field('Email'), 'ann@acme.example');
    (await button('Send link')).click();
    await until(
      () =>
        root()
          .querySelector('[role=status]')
          ?.textContent?.includes(
            'If an active user exists with that email, we have sent a password reset link',
          ),
      'the answer',
    );
    same(
      server.calls.filter(({ path }) => path === '/magpie/password-reset').map(({ body }) => body),
      [{ username: 'ann@acme.org' }, { username: 'ann@acme.example' }],
    );
    (await button('Back to sign in')).click();
    same((await field('Password')).value, '');
    (await button('Forgot password?')).click();
    await until(() => words().includes('Reset your password'), 'the other form');
    check(!words().includes(text.login.linkSent), 'the answer of before is still there');
  });

  it('goes to single sign-on by the domain behind the at sign', async () => {
    await open({ loginMode: 'Sso' });
    (await button('Single sign-on')).click();
    type(await field('Email'), 'ann@north@acme.org');
    let address = '';
    shown.addEventListener('tiding-single-sign-on', (event) => {
      event.preventDefault();
      ({ address } = (event as CustomEvent<{ address: string }>).detail);
    });
    (await button('Single sign-on')).click();
    await until(() => address !== '', 'the address');
    const { pathname, searchParams } = new URL(address);
    same(
      [pathname.endsWith('/login/sso'), Object.fromEntries(searchParams)],
      [true, { domain: 'acme.org', email: 'ann@north@acme.org', useHttps: 'true', ref: '/' }],
    );
  });
});
