/** What can be done with a note. The order is that of the palette. */
import {
  CalendarClock,
  Code,
  CodeXml,
  Command,
  Copy,
  Download,
  Eraser,
  Eye,
  EyeOff,
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
} from 'lucide-react';
import type { NoteState } from 'tiding/client';
import { cronLabel, isAnonymous, isRunning, isTrashed, nextCloneName } from 'tiding/model';
import { tell } from '../../runtime/define-element.ts';
import { chooseKeys, keyChoice, keySets } from '../../editor/index.ts';
import { editorText } from '../../text/editor.ts';
import { fill, text } from '../../text/en.ts';
import { together } from '../../text/together.ts';
import { findText } from '../../text/find.ts';
import { withTexts } from '../../text/table.ts';
import { exportNote } from '../export.ts';
import type { StepName } from '../undo.ts';
import { currentName } from '../revisions/revisions.ts';
import { distrust, isTrusted } from '../trust.tsx';
import type { NoteView } from '../view.tsx';
import type { Command as NoteCommand, NotePlace } from './contract.ts';
import { runSeveral } from './run-several.ts';

const t = text.note;

const stepLabel = (long: string, short: string, name: StepName | undefined): string =>
  name === undefined ? short : fill(long, { step: together.steps[name] });

/** Whether anything of the note runs. */
export function isBusy(note: NoteState | undefined): boolean {
  return (
    note !== undefined &&
    (note.sequential ||
      Object.values(note.paragraphs).some((paragraph) => isRunning(paragraph.server.status)))
  );
}

/** Whether every paragraph has its code, or its output, hidden. */
export function allHidden(note: NoteState | undefined, key: 'editorHide' | 'tableHide'): boolean {
  const paragraphs = Object.values(note?.paragraphs ?? {});
  return (
    paragraphs.length > 0 &&
    paragraphs.every((paragraph) => paragraph.server.config?.[key] === true)
  );
}

const hideAll =
  (key: 'editorHide' | 'tableHide') =>
  ({ view: { note } }: NotePlace) => {
    const hide = !allHidden(note.state, key);
    return Promise.all(
      note.paragraphs
        .filter(({ state }) => (state.server.config?.[key] === true) !== hide)
        .map((paragraph) => paragraph.configure({ [key]: hide })),
    );
  };
const isPersonal = (view: NoteView): boolean => view.note.state.config.personalizedMode === 'true';
const goHome = ({ view }: NotePlace) =>
  void tell(view.host, 'tiding-note-left', { noteId: view.note.noteId });

/** Opens another note: the page is asked, and goes there itself when it does not. */
export function openNote(view: NoteView, noteId: string): void {
  if (tell(view.host, 'tiding-open-note', { noteId }))
    location.assign(`${view.client.server}/#/notebook/${noteId}`);
}

async function trash(at: NotePlace): Promise<void> {
  const { client, note } = at.view;
  if (isTrashed(note.path)) {
    if (
      !(await at.view.ask({
        title: text.list.confirmRemoveNote,
        text: text.list.cannotUndo,
        action: text.list.remove,
        danger: true,
      }))
    )
      return;
    await client.notes.remove(note.id);
  } else {
    if (!(await at.view.ask({ title: text.list.confirmTrashNote, action: text.list.move }))) return;
    await client.notes.trash(note.id);
  }
  goHome(at);
}

/** All of them; adding one is one row here. */
export const noteCommands: readonly NoteCommand[] = withTexts<NoteCommand>(() => [
  {
    id: 'run-all',
    report: true,
    label: t.run,
    icon: Play,
    shown: ({ view }) => !isBusy(view.note.state),
    run: ({ view }) => view.confirm({ title: t.confirmRun, action: t.run }, () => runSeveral(view)),
  },
  {
    id: 'run-all-parallel',
    label: t.runParallel,
    icon: Play,
    shown: ({ view }) => !isBusy(view.note.state),
    run: ({ view }) =>
      view.confirm({ title: t.confirmRun, text: t.runParallelText, action: t.run }, () =>
        runSeveral(view, { parallel: true }),
      ),
  },
  {
    id: 'stop-all',
    label: t.stop,
    icon: Square,
    reading: true,
    shown: ({ view }) => isBusy(view.note.state),
    run: ({ view }) => view.note.stop(),
  },
  {
    id: 'toggle-all-code',
    label: ({ view }) => (allHidden(view.note.state, 'editorHide') ? t.showCode : t.hideCode),
    icon: { at: ({ view }) => (allHidden(view.note.state, 'editorHide') ? CodeXml : Code) },
    run: hideAll('editorHide'),
  },
  {
    id: 'toggle-all-output',
    label: ({ view }) => (allHidden(view.note.state, 'tableHide') ? t.showOutput : t.hideOutput),
    icon: { at: ({ view }) => (allHidden(view.note.state, 'tableHide') ? EyeOff : Eye) },
    run: hideAll('tableHide'),
  },
  {
    id: 'clear-all',
    label: t.clear,
    icon: Eraser,
    enabled: ({ view }) => !isBusy(view.note.state),
    run: ({ view }) =>
      view.confirm({ title: t.confirmClear, action: t.clearAction }, () => view.clear()),
  },
  {
    id: 'find',
    label: findText.open,
    icon: Search,
    keys: ['Ctrl+Alt+F'],
    reading: true,
    checked: ({ view }) => view.find.state.get().open,
    run: ({ view }) => view.find.toggle(),
  },
  {
    id: 'clone-note',
    label: t.clone,
    icon: Copy,
    run: async ({ view }) => {
      const { NameDialog } = await import('../../notes/name-dialog.tsx');
      view.open((close) => (
        <NameDialog
          title={text.clone.title}
          action={text.clone.action}
          value={nextCloneName(
            view.note.path,
            view.client.state.notes?.map((entry) => entry.path) ?? [],
          )}
          onClose={(name) => {
            close();
            if (name)
              void view.act(async () =>
                openNote(view, await view.client.notes.clone(view.note.id, name)),
              );
          }}
        />
      ));
    },
  },
  {
    id: 'export-note',
    label: t.export,
    icon: Download,
    run: ({ view }) => exportNote(view.client, view.note),
  },
  { id: 'print', label: findText.print, icon: Printer, reading: true, run: () => window.print() },
  {
    id: 'trash-note',
    label: ({ view }) => (isTrashed(view.note.path) ? text.list.removeNote : t.trash),
    icon: Trash2,
    danger: true,
    reading: true,
    shown: ({ view }) => view.note.revision === undefined && view.state.get().look !== 'report',
    run: trash,
  },
  {
    id: 'schedule',
    label: ({ view }) =>
      fill(text.schedule.label, { schedule: cronLabel(view.note.state.config.cron) }),
    icon: CalendarClock,
    shown: ({ view }) => view.note.state.config.isZeppelinNotebookCronEnable === true,
    run: async ({ view }) => {
      const { ScheduleDialog } = await import('../schedule/schedule-dialog.tsx');
      view.open((close) => <ScheduleDialog view={view} onClose={close} />);
    },
  },
  {
    id: 'personal',
    label: ({ view }) =>
      `${isPersonal(view) ? text.personal.toShared : text.personal.toPersonal} ${text.personal.owner}`,
    icon: { at: ({ view }) => (isPersonal(view) ? User : Users) },
    shown: ({ view }) => !isAnonymous(view.client.session.current?.principal),
    checked: ({ view }) => isPersonal(view),
    run: ({ view }) =>
      view.confirm(
        {
          title: text.personal.title,
          text: isPersonal(view) ? text.personal.collaborate : text.personal.personalize,
          action: text.personal.action,
        },
        () => view.note.setPersonalized(!isPersonal(view)),
      ),
  },
  {
    id: 'bindings',
    report: true,
    label: text.bindings.title,
    icon: Plug,
    checked: ({ view }) => view.state.get().panel === 'bindings',
    run: ({ view }) => view.toggle('bindings'),
  },
  {
    id: 'permissions',
    report: true,
    label: text.permissions.title,
    icon: Lock,
    checked: ({ view }) => view.state.get().panel === 'permissions',
    run: ({ view }) =>
      isAnonymous(view.client.session.current?.principal)
        ? view.alert(text.permissions.anonymousTitle, text.permissions.anonymousText)
        : view.toggle('permissions'),
  },
  {
    id: 'undo',
    label: ({ view }) => stepLabel(together.undoStep, together.undo, view.steps.state.get().undo),
    icon: Undo2,
    keys: ['Ctrl+Z', 'Meta+Z'],
    typing: 'editor',
    enabled: ({ view }) => view.steps.state.get().undo !== undefined,
    run: ({ view }) => view.undo(),
  },
  {
    id: 'redo',
    label: ({ view }) => stepLabel(together.redoStep, together.redo, view.steps.state.get().redo),
    icon: Redo2,
    keys: ['Ctrl+Shift+Z', 'Ctrl+Y', 'Shift+Meta+Z'],
    typing: 'editor',
    enabled: ({ view }) => view.steps.state.get().redo !== undefined,
    run: ({ view }) => view.redo(),
  },
  {
    id: 'revisions',
    label: ({ view }) => fill(text.revisions.label, { revision: currentName(view) }),
    icon: History,
    reading: true,
    shown: ({ view }) => view.state.get().revisions !== undefined,
    run: async ({ view }) => {
      const { VersionControlDialog } = await import('../revisions/version-control.tsx');
      view.open((close) => <VersionControlDialog view={view} onClose={close} />);
    },
  },
  {
    id: 'compare',
    label: text.revisions.compare,
    icon: GitCompare,
    reading: true,
    shown: ({ view }) => view.state.get().revisions !== undefined,
    checked: ({ view }) => view.state.get().panel === 'compare',
    run: ({ view }) => view.toggle('compare'),
  },
  {
    id: 'distrust',
    label: text.trust.withdraw,
    icon: ShieldOff,
    reading: true,
    shown: ({ view }) => isTrusted(view) === true,
    run: ({ view }) => distrust(view),
  },
  {
    id: 'toggle-left',
    label: t.panel,
    icon: PanelLeft,
    reading: true,
    run: ({ view }) => view.state.set({ left: !view.state.get().left }),
  },
  {
    id: 'palette',
    label: text.palette.title,
    icon: SquareTerminal,
    keys: ['Ctrl+Alt+P', 'F1'],
    reading: true,
    run: async ({ view }) => {
      const { Palette } = await import('../dialogs/palette.tsx');
      view.open((close) => <Palette view={view} onClose={close} />);
    },
  },
  {
    id: 'editor-keys',
    label: editorText.keys,
    icon: Command,
    reading: true,
    entries: () =>
      keySets.map((keys) => ({
        label: editorText.keySets[keys],
        checked: keyChoice.get().keys === keys,
        onSelect: () => chooseKeys(keys),
      })),
    // Where there is no menu, the next set.
    run: ({ view }) => {
      const keys = keySets[(keySets.indexOf(keyChoice.get().keys) + 1) % keySets.length]!;
      chooseKeys(keys);
      view.say(fill(editorText.keysNow, { keys: editorText.keySets[keys] }));
    },
  },
  {
    id: 'shortcuts',
    label: t.shortcuts,
    icon: Keyboard,
    reading: true,
    shown: ({ view }) => view.note.revision === undefined,
    run: async ({ view }) => {
      const { ShortcutsDialog } = await import('../dialogs/shortcuts.tsx');
      view.open((close) => <ShortcutsDialog onClose={close} />);
    },
  },
]);
