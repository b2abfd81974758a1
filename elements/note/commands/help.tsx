/** Note commands about commands: the palette, the key set, and the list of shortcuts. */

import { Command, Keyboard, MessageCircleQuestionMark, SquareTerminal } from 'lucide-react';
import { chooseKeys, keyChoice, keySets } from '../../editor/index.ts';
import { fill } from '../../text/fill.ts';
import { editorTexts } from '../../text/note/editor.ts';
import { noteTexts } from '../../text/note/note.ts';
import { panelTexts } from '../../text/note/panels.ts';
import { withTexts } from '../../text/set-texts.ts';
import { askAgain, isAnyConfirmed } from '../ui/confirmed.ts';
import type { NoteCommand } from './command.ts';

const t = noteTexts;

/** The last commands of the palette. */
export const helpCommands: readonly NoteCommand[] = withTexts<NoteCommand>(() => [
  {
    id: 'palette',
    label: panelTexts.palette.title,
    icon: SquareTerminal,
    keys: ['Ctrl+Alt+P', 'F1'],
    reading: true,
    run: async ({ ui }) => {
      const { CommandPalette } = await import('../dialogs/palette.tsx');
      ui.dialogs.open((close) => <CommandPalette onClose={close} />);
    },
  },
  {
    id: 'editor-keys',
    label: editorTexts.keys,
    icon: Command,
    reading: true,
    entries: () =>
      keySets.map((keys) => ({
        label: editorTexts.keySets[keys],
        checked: keyChoice.get().keys === keys,
        onSelect: () => chooseKeys(keys),
      })),
    // Without a menu (palette), switch to the next key set.
    run: ({ ui }) => {
      const keys = keySets[(keySets.indexOf(keyChoice.get().keys) + 1) % keySets.length]!;
      chooseKeys(keys);
      ui.messages.success(fill(editorTexts.keysNow, { keys: editorTexts.keySets[keys] }));
    },
  },
  {
    id: 'ask-again',
    label: t.askAgain,
    icon: MessageCircleQuestionMark,
    reading: true,
    shown: isAnyConfirmed,
    run: ({ ui }) => {
      askAgain();
      ui.messages.success(t.asksAgain);
    },
  },
  {
    id: 'shortcuts',
    label: t.shortcuts,
    icon: Keyboard,
    reading: true,
    shown: ({ note }) => note.revision === undefined,
    run: async ({ ui }) => {
      const { ShortcutsDialog } = await import('../dialogs/shortcuts.tsx');
      ui.dialogs.open((close) => <ShortcutsDialog onClose={close} />);
    },
  },
]);
