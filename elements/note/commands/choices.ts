/** Note commands that change how the page reacts to this reader: keys, completion, questions. */

import { Command, MessageCircleQuestionMark, TextCursorInput } from 'lucide-react';
import { chooseCompletion, chooseKeys, keyChoice, keySets } from '../../editor/index.ts';
import { editorTexts } from '../../editor/texts.ts';
import { withTexts } from '../../text/areas.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts as t } from '../../text/note-texts.ts';
import { askAgain, isAnyConfirmed } from '../ui/confirmed.ts';
import type { NoteCommand } from './command.ts';

/** Commands for choices that are stored in this browser. */
export const choiceCommands = withTexts<NoteCommand>(() => [
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
    id: 'complete-typing',
    label: editorTexts.completeTyping,
    icon: TextCursorInput,
    reading: true,
    checked: () => keyChoice.get().completesTyping,
    run: () => chooseCompletion(!keyChoice.get().completesTyping),
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
]);
