import { textArea } from '../../text/areas.ts';

/** Texts of snapshots: notes and paragraphs as static HTML. */
export const snapshotTexts = textArea('snapshot', {
  unavailable: 'This is a saved copy. The live content is not available.',
  scripted: 'This result is drawn by a script, which does not run here.',
  widget: 'This result can only be shown in Tiding.',
});
