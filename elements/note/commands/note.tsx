/** Note commands, in the order of the palette. */

import type { NoteState } from '@tiding/client';
import { cronLabel, isAnonymous, isTrashed, nextCloneName } from '@tiding/client/model';
import {
  CalendarClock,
  Code,
  CodeXml,
  Copy,
  Download,
  Eraser,
  Eye,
  EyeOff,
  Files,
  GitCompare,
  History,
  Keyboard,
  Lock,
  PanelLeft,
  Play,
  Plug,
  Printer,
  Redo2,
  Search,
  ShieldOff,
  Square,
  SquareTerminal,
  Trash2,
  Undo2,
  User,
  Users,
  Variable,
} from 'lucide-react';
import { cloneNoteTexts } from '../../note-list/dialog-texts.ts';
import { noteListTexts } from '../../note-list/texts.ts';
import { emitEvent } from '../../runtime/define-element.ts';
import { withTexts } from '../../text/areas.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts as t } from '../../text/note-texts.ts';
import { paletteTexts } from '../dialogs/palette-texts.ts';
import { findTexts } from '../find/texts.ts';
import {
  bindingTexts,
  fileTexts,
  permissionTexts,
  personalTexts,
  variableTexts,
} from '../panels/texts.ts';
import { collaborationTexts } from '../presence/texts.ts';
import { currentName } from '../revisions/revisions.ts';
import { revisionTexts } from '../revisions/texts.ts';
import { hasStale, runStale } from '../stale/stale.ts';
import { staleTexts } from '../stale/texts.ts';
import { trustTexts } from '../texts.ts';
import { distrust, isTrusted } from '../trust.tsx';
import type { NoteUi } from '../ui/note-ui.ts';
import type { StepName } from '../undo-stack.ts';
import { isBusy } from './busy.ts';
import { choiceCommands } from './choices.ts';
import { isOnTiding, type NoteCommand, type NoteTarget, ofPanel, opensDialog } from './command.ts';
import { commentNoteCommands } from './comments.ts';
import { engineCommands } from './engine.ts';
import { present } from './present.ts';
import { printNote } from './print.ts';
import { runSeveral } from './run-several.ts';
import { shareNoteCommands } from './share.tsx';

const stepLabel = (long: string, short: string, name: StepName | undefined): string =>
  name === undefined ? short : fill(long, { step: collaborationTexts.steps[name] });

/** Whether the code, or the output, of every paragraph is hidden. */
function allHidden(note: NoteState | undefined, key: 'editorHide' | 'tableHide'): boolean {
  const paragraphs = Object.values(note?.paragraphs ?? {});
  return (
    paragraphs.length > 0 &&
    paragraphs.every((paragraph) => paragraph.server.config?.[key] === true)
  );
}

const hideAll =
  (key: 'editorHide' | 'tableHide') =>
  ({ note, ui }: NoteTarget) => {
    const hide = !allHidden(note.state, key);
    return Promise.all(
      note.paragraphs
        .filter(({ state }) => (state.server.config?.[key] === true) !== hide)
        .map((paragraph) => present(ui, paragraph, { [key]: hide })),
    );
  };
const isPersonal = (ui: NoteUi): boolean => ui.note.state.config.personalizedMode === 'true';

/** Opens another note: emits `tiding-open-note` and navigates unless the event is prevented. */
function openNote(ui: NoteUi, noteId: string): void {
  if (emitEvent(ui.host, 'tiding-open-note', { noteId }))
    location.assign(`${ui.client.server}/#/notebook/${noteId}`);
}

function trash({ ui }: NoteTarget): Promise<void> {
  const { client, host, note } = ui;
  const isGone = isTrashed(note.path);
  const question = isGone
    ? {
        title: noteListTexts.confirmRemoveNote,
        text: noteListTexts.cannotUndo,
        action: noteListTexts.remove,
        danger: true,
      }
    : { title: noteListTexts.confirmTrashNote, action: noteListTexts.move };
  return ui.dialogs.confirm(question, async () => {
    await (isGone ? client.notes.remove(note.id) : client.notes.trash(note.id));
    emitEvent(host, 'tiding-note-left', { noteId: note.noteId });
  });
}

/** All note commands. To add a command, add an entry here. */
export const noteCommands = withTexts<NoteCommand>(() => [
  {
    id: 'run-all',
    right: 'runner',
    label: t.run,
    icon: Play,
    shown: ({ note }) => !isBusy(note.state),
    run: ({ ui }) =>
      ui.dialogs.confirm({ title: t.confirmRun, action: t.run, remember: 'run-all' }, () =>
        runSeveral(ui),
      ),
  },
  {
    id: 'run-all-parallel',
    right: 'runner',
    label: t.runParallel,
    icon: Play,
    shown: ({ note }) => !isBusy(note.state),
    run: ({ ui }) =>
      ui.dialogs.confirm(
        { title: t.confirmRun, text: t.runParallelText, action: t.run, remember: 'run-all' },
        () => runSeveral(ui, { parallel: true }),
      ),
  },
  {
    id: 'run-stale',
    right: 'runner',
    label: staleTexts.run,
    icon: Play,
    shown: isOnTiding,
    enabled: ({ note, ui }) => !isBusy(note.state) && hasStale(ui),
    run: ({ ui }) => runStale(ui),
  },
  {
    id: 'stop-all',
    label: t.stop,
    icon: Square,
    reading: true,
    right: 'runner',
    shown: ({ note }) => isBusy(note.state),
    run: ({ note }) => note.stop(),
  },
  ...engineCommands,
  {
    id: 'toggle-all-code',
    right: 'reader',
    label: ({ note }) => (allHidden(note.state, 'editorHide') ? t.showCode : t.hideCode),
    icon: { at: ({ note }) => (allHidden(note.state, 'editorHide') ? CodeXml : Code) },
    run: hideAll('editorHide'),
  },
  {
    id: 'toggle-all-output',
    right: 'reader',
    label: ({ note }) => (allHidden(note.state, 'tableHide') ? t.showOutput : t.hideOutput),
    icon: { at: ({ note }) => (allHidden(note.state, 'tableHide') ? EyeOff : Eye) },
    run: hideAll('tableHide'),
  },
  {
    id: 'clear-all',
    label: t.clear,
    icon: Eraser,
    enabled: ({ note }) => !isBusy(note.state),
    // A server that restores outputs needs no question: the message offers to undo.
    run: ({ note, ui }) =>
      note.canRestore
        ? ui.paragraphs.clear()
        : ui.dialogs.confirm(
            { title: t.confirmClear, action: t.clearAction, remember: 'clear-all' },
            () => ui.paragraphs.clear(),
          ),
  },
  {
    id: 'find',
    label: findTexts.open,
    icon: Search,
    keys: ['Ctrl+Alt+F'],
    reading: true,
    checked: ({ ui }) => ui.find.state.get().open,
    run: ({ ui }) => ui.find.toggle(),
  },
  {
    id: 'clone-note',
    right: 'reader',
    label: t.clone,
    icon: Copy,
    run: async ({ note, ui }) => {
      const [{ NameDialog }, { notePaths }] = await Promise.all([
        import('../../notes/name-dialog.tsx'),
        import('../../note-list/taken-name.tsx'),
      ]);
      ui.dialogs.open((close) => (
        <NameDialog
          title={cloneNoteTexts.title}
          action={cloneNoteTexts.action}
          value={nextCloneName(note.path, notePaths(ui.client))}
          taken={notePaths(ui.client)}
          onClose={(name) => {
            close();
            if (name) void ui.messages.act(async () => openNote(ui, await note.clone(name)));
          }}
        />
      ));
    },
  },
  {
    id: 'export-note',
    right: 'reader',
    label: t.export,
    icon: Download,
    run: opensDialog(async () => (await import('../dialogs/export.tsx')).ExportDialog),
  },
  { id: 'print', label: findTexts.print, icon: Printer, reading: true, run: printNote },
  {
    id: 'trash-note',
    right: 'owner',
    label: ({ note }) => (isTrashed(note.path) ? noteListTexts.removeNote : t.trash),
    icon: Trash2,
    danger: true,
    reading: true,
    shown: ({ note, ui }) => note.revision === undefined && ui.layout.look !== 'report',
    run: trash,
  },
  {
    id: 'schedule',
    // On a Zeppelin, writers may set a schedule.
    right: ({ ui }) => (ui.client.state.server?.tiding === undefined ? 'writer' : 'owner'),
    label: ({ note }) => fill(t.schedule, { schedule: cronLabel(note.state.config.cron) }),
    icon: CalendarClock,
    shown: ({ note }) => note.state.config.isZeppelinNotebookCronEnable === true,
    run: opensDialog(async () => (await import('../schedule/schedule-dialog.tsx')).ScheduleDialog),
  },
  {
    id: 'personal',
    right: 'owner',
    label: ({ ui }) =>
      `${isPersonal(ui) ? personalTexts.toShared : personalTexts.toPersonal} ` +
      `${personalTexts.owner}`,
    icon: { at: ({ ui }) => (isPersonal(ui) ? User : Users) },
    shown: ({ ui }) => !isAnonymous(ui.client.session.current?.principal),
    checked: ({ ui }) => isPersonal(ui),
    run: ({ note, ui }) =>
      ui.dialogs.confirm(
        {
          title: personalTexts.title,
          text: isPersonal(ui) ? personalTexts.collaborate : personalTexts.personalize,
          action: personalTexts.action,
        },
        () => note.setPersonalized(!isPersonal(ui)),
      ),
  },
  {
    right: 'reader',
    label: bindingTexts.title,
    icon: Plug,
    ...ofPanel('bindings'),
  },
  {
    right: 'runner',
    label: variableTexts.title,
    icon: Variable,
    shown: isOnTiding,
    ...ofPanel('variables'),
  },
  {
    right: 'reader',
    label: fileTexts.title,
    icon: Files,
    shown: isOnTiding,
    ...ofPanel('files'),
  },
  {
    right: 'reader',
    label: permissionTexts.title,
    icon: Lock,
    ...ofPanel('permissions'),
    run: ({ ui }) =>
      isAnonymous(ui.client.session.current?.principal)
        ? ui.dialogs.alert(permissionTexts.anonymousTitle, permissionTexts.anonymousText)
        : ui.panels.toggle('permissions'),
  },
  ...commentNoteCommands,
  ...shareNoteCommands,
  {
    id: 'undo',
    label: ({ ui }) =>
      stepLabel(collaborationTexts.undoStep, collaborationTexts.undo, ui.undo.state.get().undo),
    icon: Undo2,
    keys: ['Ctrl+Z', 'Meta+Z'],
    typing: 'editor',
    enabled: ({ ui }) => ui.undo.state.get().undo !== undefined,
    run: ({ ui }) => ui.paragraphs.undo(),
  },
  {
    id: 'redo',
    label: ({ ui }) =>
      stepLabel(collaborationTexts.redoStep, collaborationTexts.redo, ui.undo.state.get().redo),
    icon: Redo2,
    keys: ['Ctrl+Shift+Z', 'Ctrl+Y', 'Shift+Meta+Z'],
    typing: 'editor',
    enabled: ({ ui }) => ui.undo.state.get().redo !== undefined,
    run: ({ ui }) => ui.paragraphs.redo(),
  },
  {
    id: 'revisions',
    label: ({ ui }) => fill(revisionTexts.label, { revision: currentName(ui) }),
    icon: History,
    reading: true,
    shown: ({ ui }) => ui.revisions.get().list !== undefined,
    run: opensDialog(
      async () => (await import('../revisions/version-control.tsx')).VersionControlDialog,
    ),
  },
  {
    label: revisionTexts.compare,
    icon: GitCompare,
    reading: true,
    shown: ({ ui }) => ui.revisions.get().list !== undefined,
    ...ofPanel('compare'),
  },
  {
    id: 'distrust',
    label: trustTexts.withdraw,
    icon: ShieldOff,
    reading: true,
    shown: ({ ui }) => isTrusted(ui) === true,
    run: ({ ui }) => distrust(ui),
  },
  {
    id: 'toggle-left',
    label: t.panel,
    icon: PanelLeft,
    reading: true,
    run: ({ ui }) => ui.panels.toggleLeft(),
  },
  {
    id: 'palette',
    label: paletteTexts.title,
    icon: SquareTerminal,
    keys: ['Ctrl+Alt+P', 'F1'],
    reading: true,
    run: async ({ ui }) => {
      const { CommandPalette } = await import('../dialogs/palette.tsx');
      ui.dialogs.open((close) => <CommandPalette commands={noteCommands} onClose={close} />);
    },
  },
  ...choiceCommands,
  {
    id: 'shortcuts',
    label: t.shortcuts,
    icon: Keyboard,
    reading: true,
    shown: ({ note }) => note.revision === undefined,
    run: opensDialog(async () => (await import('../dialogs/shortcuts.tsx')).ShortcutsDialog),
  },
]);
