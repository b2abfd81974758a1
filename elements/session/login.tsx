import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

export const login: ElementSpec = {
  tag: 'tiding-login',
  doc:
    'Signs a user in with a password, by single sign-on or with the token of a one-time ' +
    'link. Users can also request a password reset link.',
  view: lazyView(() => import('./login-view.tsx')),
  properties: {
    once: { kind: 'string', doc: 'Token of a one-time sign-in link; used immediately.' },
    returnTo: {
      kind: 'string',
      doc: "Route of the server's app to open after single sign-on; starts with a slash.",
    },
    notice: { kind: 'string', doc: 'Success message shown above the fields.' },
  },
  events: [
    { name: 'tiding-signed-in', doc: 'A user signed in.' },
    {
      name: 'tiding-single-sign-on',
      doc:
        'The browser is about to navigate to `address`. Call preventDefault() to stay on the ' +
        'page.',
    },
  ],
};
