import { isOutdated } from '@tiding/client/model';
import { fill } from '../../text/fill.ts';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { staleTexts } from './texts.ts';

/** Says that a result is stale, and which paragraph is the reason. */
export function StaleMark({ because }: { because: string }) {
  const ui = useNoteUi();
  const server = useNoteState(ui, (note) => note?.paragraphs[because]?.server);
  const n = ui.note.state.order.indexOf(because) + 1;
  const input = server?.title || fill(staleTexts.number, { n });
  const reason = server && isOutdated(server) ? staleTexts.changed : staleTexts.ranLater;
  const title = fill(reason, { input });
  return (
    <span className="badge outdated" title={title}>
      {staleTexts.mark}
    </span>
  );
}
