import { ChevronDown, History } from 'lucide-react';
import { useState, type ComponentProps, type ComponentType } from 'react';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useViewState, type NoteView } from '../view.tsx';
import type { RevisionPopover } from './revision-popover.tsx';
import { currentName } from './revisions.ts';

let loaded: ComponentType<ComponentProps<typeof RevisionPopover>> | undefined;
const load = () =>
  import('./revision-popover.tsx').then((module) => (loaded = module.RevisionPopover));

/** Says which revision is shown, and opens the version control. Its code is fetched when the pointer or the focus comes near. */
export function RevisionButton({ view }: { view: NoteView }) {
  const there = useViewState(view, (state) => state.revisions !== undefined);
  const name = useViewState(view, () => currentName(view));
  const [open, setOpen] = useState(false);
  const [, refresh] = useState(0);
  if (!there) return null;
  const label = fill(text.revisions.label, { revision: name });
  if (loaded) {
    const List = loaded;
    return <List {...{ view, label, name, open }} onOpen={setOpen} />;
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
      <>
        <span className="revision-name">{name}</span>
        <Icon of={ChevronDown} size="sm" className="dim" />
      </>
    </Button>
  );
}
