import { textArea } from '../../text/areas.ts';

/** Texts about results that are older than what they use. */
export const staleTexts = textArea('stale', {
  run: 'Run what is stale',
  mark: 'Stale',
  ranLater: 'Stale: {input} ran later',
  changed: 'Stale: {input} changed',
  number: 'paragraph {n}',
});
