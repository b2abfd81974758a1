import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.tsx';

/** `<tiding-configuration>` */
export const configuration: ElementSpec = {
  tag: 'tiding-configuration',
  doc: "The server's configuration, to read, and the storages of notes with what may be set of them.",
  view: lazyView(() => import('./configuration-view.tsx')),
  properties: {},
  events: [
    {
      name: 'tiding-home-wanted',
      doc: 'Its reader may not see it, and has been told so for three seconds.',
    },
  ],
};
