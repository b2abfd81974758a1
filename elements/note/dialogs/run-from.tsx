import { Dialog } from '@base-ui/react/dialog';
import { usePortal } from '../../runtime/hooks.ts';
import { text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import type { ParagraphPlace } from '../commands/contract.ts';
import { runFrom } from '../commands/paragraph.tsx';

/** Which paragraphs to run, from one of them. The choice is the answer: nothing more is asked. */
export function RunFromDialog({ at, onClose }: { at: ParagraphPlace; onClose: () => void }) {
  const portal = usePortal();
  const choose = (side: 'above' | 'below') => () => {
    onClose();
    void at.view.act(() => runFrom(at, side, true));
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={portal}>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog small">
          <Dialog.Title className="dialog-title">{text.paragraph.runFromTitle}</Dialog.Title>
          <div className="dialog-actions">
            <Button kind="secondary" onClick={onClose}>{text.close}</Button>
            <Button kind="secondary" disabled={at.index === 0} onClick={choose('above')}>{text.paragraph.runAllAbove}</Button>
            <Button kind="primary" onClick={choose('below')} autoFocus>{text.paragraph.runAllBelow}</Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
