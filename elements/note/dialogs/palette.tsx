import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { LucideIcon } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { usePortal } from '../../runtime/hooks.ts';
import { text } from '../../text/en.ts';
import { Icon } from '../../ui/button.tsx';
import { canRun, iconOf, labelOf, placeOf } from '../commands/contract.ts';
import { noteCommands } from '../commands/note.tsx';
import { paragraphCommands } from '../commands/paragraph.tsx';
import type { NoteView } from '../view.tsx';

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly icon: LucideIcon | undefined;
  readonly keys: string | undefined;
  readonly run: () => unknown;
}

/** Everything that can be done now, on the focused paragraph and on the note. */
function entriesOf(view: NoteView): { value: string; items: Entry[] }[] {
  const place = placeOf(view, view.state.get().focused);
  const at = { view };
  const paragraph = !place
    ? []
    : paragraphCommands
        .filter((command) => canRun(command, place))
        .map(
          (command): Entry => ({
            value: `paragraph:${command.id}`,
            label: labelOf(command, place),
            icon: iconOf(command, place),
            keys: command.keys?.[0],
            run: () => command.run(place),
          }),
        );
  const note = noteCommands
    .filter((command) => command.id !== 'palette' && canRun(command, at))
    .map(
      (command): Entry => ({
        value: `note:${command.id}`,
        label: labelOf(command, at),
        icon: iconOf(command, at),
        keys: command.keys?.[0],
        run: () => command.run(at),
      }),
    );
  return [
    { value: text.palette.paragraph, items: paragraph },
    { value: text.palette.note, items: note },
  ].filter(({ items }) => items.length > 0);
}

/** All commands by name: typed, chosen by arrows, done by Enter. */
export function Palette({ view, onClose }: { view: NoteView; onClose: () => void }) {
  const portal = usePortal();
  const groups = useMemo(() => entriesOf(view), [view]);
  /** The command has taken the focus to where it leads. */
  const leadsOn = useRef(false);
  const choose = (entry: Entry) => {
    onClose();
    void view.act(entry.run);
    leadsOn.current = view.leading.ahead.active;
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={portal}>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className="dialog palette"
          aria-label={text.palette.title}
          finalFocus={() => !leadsOn.current}
        >
          <Autocomplete.Root<Entry>
            items={groups as unknown as readonly Entry[]}
            open
            inline
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(entry) => entry.label}
          >
            <span className="input lg">
              <Autocomplete.Input
                placeholder={text.palette.placeholder}
                aria-label={text.palette.title}
              />
            </span>
            <Autocomplete.Empty className="hint">{text.palette.none}</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: { value: string; items: Entry[] }) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="menu-heading">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.value}
                        value={entry}
                        className="menu-item"
                        onClick={() => choose(entry)}
                      >
                        {entry.icon ? <Icon of={entry.icon} /> : <span className="icon" />}
                        {entry.label}
                        {entry.keys ? <span className="key">{entry.keys}</span> : null}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
