import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

export const passwordReset: ElementSpec = {
  tag: 'tiding-password-reset',
  doc: 'Sets a new password with the token of a password reset link.',
  view: lazyView(() => import('./password-reset-view.tsx')),
  properties: { resetToken: { kind: 'string', doc: 'Token of the password reset link.' } },
  events: [
    {
      name: 'tiding-password-set',
      doc: 'The new password was set; `message` is a text for the user.',
    },
  ],
};
