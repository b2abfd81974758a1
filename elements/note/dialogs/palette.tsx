import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { LucideIcon } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useOverlayContainer } from '../../runtime/hooks.ts';
import { Icon } from '../../ui/button.tsx';
import { useReturnFocus } from '../../ui/return-focus.ts';
import {
  canRun,
  iconOf,
  labelOf,
  type NoteCommand,
  type NoteTarget,
  paragraphTarget,
} from '../commands/command.ts';
import { paragraphCommands } from '../commands/paragraph.tsx';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';
import { paletteTexts } from './palette-texts.ts';

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly icon: LucideIcon | undefined;
  readonly keys: string | undefined;
  readonly run: () => unknown;
}

/** Entries of the commands that are available now. `kind` begins their values. */
const entriesOf = <At extends NoteTarget>(
  kind: string,
  commands: readonly NoteCommand<At>[],
  at: At,
): Entry[] =>
  commands
    .filter((command) => command.id !== 'palette' && canRun(command, at))
    .map((command) => ({
      value: `${kind}:${command.id}`,
      label: labelOf(command, at),
      icon: iconOf(command, at),
      keys: command.keys?.[0],
      run: () => command.run(at),
    }));

/** Lists the commands available now, for the focused paragraph and for the note. */
function groupsOf(ui: NoteUi, commands: readonly NoteCommand[]) {
  const target = paragraphTarget(ui, ui.focus.id);
  return [
    {
      value: paletteTexts.paragraph,
      items: target ? entriesOf('paragraph', paragraphCommands, target) : [],
    },
    { value: paletteTexts.note, items: entriesOf('note', commands, { note: ui.note, ui }) },
  ].filter(({ items }) => items.length > 0);
}

/** Command palette: type to filter, arrow keys to select, Enter to run. */
export function CommandPalette({
  commands,
  onClose,
}: {
  commands: readonly NoteCommand[];
  onClose: () => void;
}) {
  const ui = useNoteUi();
  const container = useOverlayContainer();
  const groups = useMemo(() => groupsOf(ui, commands), [ui, commands]);
  /** Whether the chosen command moves the focus itself, so that closing must not restore it. */
  const movesFocus = useRef(false);
  const returnFocus = useReturnFocus();
  const choose = (entry: Entry) => {
    onClose();
    void ui.messages.act(entry.run);
    movesFocus.current = ui.pendingInput.ahead.active;
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className="dialog palette"
          aria-label={paletteTexts.title}
          finalFocus={() => !movesFocus.current && returnFocus()}
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
                placeholder={paletteTexts.placeholder}
                aria-label={paletteTexts.title}
              />
            </span>
            <Autocomplete.Empty className="hint">{paletteTexts.none}</Autocomplete.Empty>
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
