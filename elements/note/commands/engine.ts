/** Commands of a note's engine, in the order of its menu. */

import { Eraser, Play, RotateCw, Square } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { fill } from '../../text/fill.ts';
import { currentEngine } from '../bar/engine.ts';
import { engineTexts as t } from '../bar/engine-texts.ts';
import { isBusy } from './busy.ts';
import { type NoteCommand, paragraphTarget } from './command.ts';
import { runFrom } from './paragraph.tsx';
import { runSeveral } from './run-several.ts';

/** Commands that restart and interrupt a note's engine, and run from a known state. */
export const engineCommands = withTexts<NoteCommand>(() => [
  {
    id: 'restart-engine',
    label: ({ ui }) => {
      const name = currentEngine(ui)?.binding.name;
      return name === undefined ? t.restartUnknown : fill(t.restart, { name });
    },
    icon: RotateCw,
    enabled: ({ ui }) => currentEngine(ui) !== undefined,
    run: async ({ ui }) => {
      const engine = currentEngine(ui);
      const { restartEngine } = await import('../bar/restart-engine.ts');
      if (engine) await restartEngine(ui, engine.binding);
    },
  },
  {
    id: 'interrupt',
    label: t.interrupt,
    icon: Square,
    right: 'runner',
    enabled: ({ note }) => isBusy(note.state),
    run: ({ note }) => note.stop(),
  },
  {
    id: 'run-from-here',
    right: 'runner',
    label: t.runFromHere,
    icon: Play,
    enabled: ({ note, ui }) => ui.focus.id !== undefined && !isBusy(note.state),
    run: async ({ ui }) => {
      const at = paragraphTarget(ui, ui.focus.id);
      if (at) await runFrom(at, 'below', true);
    },
  },
  {
    id: 'clear-run-all',
    label: t.clearAndRun,
    icon: Eraser,
    enabled: ({ note }) => !isBusy(note.state),
    run: ({ ui }) =>
      ui.dialogs.confirm(
        { title: t.confirmClearAndRun, action: t.clearAndRun, remember: 'run-all' },
        async () => {
          await ui.paragraphs.clear();
          await runSeveral(ui);
        },
      ),
  },
]);
