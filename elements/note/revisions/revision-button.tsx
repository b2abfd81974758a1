import { ChevronDown, History } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { createLazyValue } from '../../runtime/lazy-value.ts';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { currentName } from './revisions.ts';
import { revisionTexts } from './texts.ts';

const code = createLazyValue(() => import('./revision-popover.tsx'));

/**
 * Shows which revision is open and opens the revision popover. The popover's code is loaded on
 * hover or focus.
 */
export function RevisionButton() {
  const ui = useNoteUi();
  const there = useViewStore(ui.revisions, (state) => state.list !== undefined);
  const name = useViewStore(ui.revisions, () => currentName(ui));
  const [open, setOpen] = useState(false);
  const [, refresh] = useState(0);
  if (!there) return null;
  const button = (props: Partial<ComponentProps<typeof Button>>) => (
    <Button
      icon={History}
      label={fill(revisionTexts.label, { revision: name })}
      className="revision-button"
      {...props}
    >
      <span className="revision-name">{name}</span>
      <Icon of={ChevronDown} size="sm" className="dim" />
    </Button>
  );
  const Popover = code.now()?.RevisionPopover;
  if (Popover) return <Popover open={open} trigger={button({})} onOpen={setOpen} />;
  const warm = () => void code.load();
  return button({
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: warm,
    onFocus: warm,
    onClick: () =>
      void code.load().then(() => {
        setOpen(true);
        refresh((n) => n + 1);
      }),
  });
}
