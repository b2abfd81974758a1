import { Popover } from '@base-ui/react/popover';
import { ChevronDown, History } from 'lucide-react';
import { useOverlayContainer } from '../../runtime/hooks.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { revisionTexts } from './texts.ts';
import { VersionControl } from './version-control.tsx';

interface PopoverProps {
  label: string;
  name: string;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The revision button with its popover; loaded on demand. */
export function RevisionPopover({ label, name, open, onOpen }: PopoverProps) {
  const container = useOverlayContainer();
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Trigger
        render={
          <Button icon={History} label={label} className="revision-button">
            <span className="revision-name">{name}</span>
            <Icon of={ChevronDown} size="sm" className="dim" />
          </Button>
        }
      />
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
