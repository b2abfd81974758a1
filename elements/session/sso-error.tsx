import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

export const ssoError: ElementSpec = {
  tag: 'tiding-sso-error',
  doc: 'Tells the user that single sign-on failed, and links back to the start page.',
  view: lazyView(() => import('./sso-error-view.tsx')),
  properties: {},
};
