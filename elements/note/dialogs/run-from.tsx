import { Button } from '../../ui/button.tsx';
import { CloseAction, ContentDialog } from '../../ui/dialogs.tsx';
import type { ParagraphTarget } from '../commands/command.ts';
import { runFrom } from '../commands/paragraph.tsx';
import { paragraphTexts } from '../paragraph/texts.ts';

/**
 * Dialog that asks whether to run the paragraphs above or below. There is no further confirmation.
 */
export function RunFromDialog({ at, onClose }: { at: ParagraphTarget; onClose: () => void }) {
  const choose = (side: 'above' | 'below') => () => {
    onClose();
    void at.ui.messages.act(() => runFrom(at, side, true));
  };
  return (
    <ContentDialog title={paragraphTexts.runFromTitle} size="small" onClose={onClose}>
      <CloseAction onClose={onClose}>
        <Button kind="secondary" disabled={at.index === 0} onClick={choose('above')}>
          {paragraphTexts.runAllAbove}
        </Button>
        <Button kind="primary" onClick={choose('below')} autoFocus>
          {paragraphTexts.runAllBelow}
        </Button>
      </CloseAction>
    </ContentDialog>
  );
}
