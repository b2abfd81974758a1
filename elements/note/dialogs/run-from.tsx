import { text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { ContentDialog } from '../../ui/dialogs.tsx';
import type { ParagraphTarget } from '../commands/command.ts';
import { runFrom } from '../commands/paragraph.tsx';

/**
 * Dialog that asks whether to run the paragraphs above or below. There is no further confirmation.
 */
export function RunFromDialog({ at, onClose }: { at: ParagraphTarget; onClose: () => void }) {
  const choose = (side: 'above' | 'below') => () => {
    onClose();
    void at.ui.messages.act(() => runFrom(at, side, true));
  };
  return (
    <ContentDialog title={text.paragraph.runFromTitle} size="small" onClose={onClose}>
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
    </ContentDialog>
  );
}
