import { Popover } from '@base-ui/react/popover';
import type { ReactElement } from 'react';
import { useOverlayContainer } from '../../runtime/hooks.ts';
import { revisionTexts } from './texts.ts';
import { VersionControl } from './version-control.tsx';

interface PopoverProps {
  trigger: ReactElement;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The revision button with its popover; loaded on demand. */
export function RevisionPopover({ trigger, open, onOpen }: PopoverProps) {
  const container = useOverlayContainer();
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal container={container}>
        <Popover.Positioner align="end" sideOffset={4} className="menu-positioner">
          <Popover.Popup className="menu version-popup" aria-label={revisionTexts.title}>
            {open ? <VersionControl onClose={() => onOpen(false)} /> : null}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
