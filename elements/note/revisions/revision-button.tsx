import { ChevronDown, History } from 'lucide-react';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import type { RevisionPopover } from './revision-popover.tsx';
import { currentName } from './revisions.ts';
import { revisionTexts } from './texts.ts';

let loaded: ComponentType<ComponentProps<typeof RevisionPopover>> | undefined;
const load = () =>
  import('./revision-popover.tsx').then((module) => (loaded = module.RevisionPopover));

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
  const label = fill(revisionTexts.label, { revision: name });
  if (loaded) {
    const List = loaded;
    return <List {...{ label, name, open }} onOpen={setOpen} />;
  }
  const warm = () => void (loaded ?? load());
  return (
    <Button
      icon={History}
      label={label}
      className="revision-button"
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() =>
        void load().then(() => {
          setOpen(true);
          refresh((n) => n + 1);
        })
      }
    >
      <span className="revision-name">{name}</span>
      <Icon of={ChevronDown} size="sm" className="dim" />
    </Button>
  );
}
