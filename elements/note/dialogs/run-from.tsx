import { text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { PlainDialog } from '../../ui/dialogs.tsx';
import type { ParagraphPlace } from '../commands/contract.ts';
import { runFrom } from '../commands/paragraph.tsx';

/** Which paragraphs to run, from one of them. The choice is the answer: nothing more is asked. */
export function RunFromDialog({ at, onClose }: { at: ParagraphPlace; onClose: () => void }) {
  const choose = (side: 'above' | 'below') => () => {
    onClose();
    void at.view.act(() => runFrom(at, side, true));
  };
  return (
    <PlainDialog title={text.paragraph.runFromTitle} size="small" onClose={onClose}>
      <div className="dialog-actions">
        <Button kind="secondary" onClick={onClose}>
          {text.close}
        </Button>
        <Button kind="secondary" disabled={at.index === 0} onClick={choose('above')}>
          {text.paragraph.runAllAbove}
        </Button>
        <Button kind="primary" onClick={choose('below')} autoFocus>
          {text.paragraph.runAllBelow}
        </Button>
      </div>
    </PlainDialog>
  );
}
