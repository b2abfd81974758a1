/** Paragraph commands, in the order of the paragraph menu. `keys` come from the specification. */

import { paragraphText } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import {
  ArrowDown,
  ArrowDownToLine,
  ArrowUp,
  ArrowUpToLine,
  ChevronsLeft,
  ChevronsRight,
  Code,
  CodeXml,
  Copy,
  Eraser,
  ExternalLink,
  Eye,
  EyeOff,
  Hash,
  ListPlus,
  Merge,
  Minus,
  Play,
  Plus,
  PowerOff,
  Split,
  Square,
  Tag,
  Trash2,
  Type,
  Zap,
} from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { assistantCommands } from '../assistant/commands.ts';
import { paragraphTexts as t } from '../paragraph/texts.ts';
import { collaborationTexts } from '../presence/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import {
  canRun,
  isOnTiding,
  type ParagraphCommand,
  type ParagraphTarget,
  paragraphTarget,
} from './command.ts';
import { commentParagraphCommands } from './comments.ts';
import { formatCommands } from './format.ts';
import { present } from './present.ts';
import { isRunnable, runOne } from './run-one.ts';
import { runSeveral } from './run-several.ts';
import { shareParagraphCommands } from './share.tsx';

const config = ({ state }: ParagraphTarget) => state.server.config ?? {};
const running = ({ state }: ParagraphTarget): boolean => isRunning(state.server.status);
/** Whether code and result can be shown and hidden. */
const foldable = ({ ui }: ParagraphTarget): boolean => ui.layout.look !== 'focus';
const several = ({ ui }: ParagraphTarget): boolean => !ui.single;
/** Column width of a paragraph, in twelfths. */
const width = (at: ParagraphTarget): number =>
  Math.min(12, Math.max(1, Math.round(config(at).colWidth ?? 12)));

/** Runs a paragraph and all above or below it, after confirmation unless `asked` is set. */
export async function runFrom(
  { ui, paragraph, index }: ParagraphTarget,
  side: 'above' | 'below',
  asked = false,
): Promise<void> {
  const { order } = ui.note.state;
  const paragraphs = side === 'above' ? order.slice(0, index) : order.slice(index);
  const title = side === 'above' ? t.confirmRunAbove : t.confirmRunBelow;
  if (asked || (await ui.dialogs.ask({ title, action: noteTexts.runAction, remember: 'run-all' })))
    await runSeveral(ui, { paragraphs });
  ui.focus.set(paragraph.id);
}

/** Runs a paragraph and adds one below. After the last paragraph, the server adds it. */
async function runAndInsert(at: ParagraphTarget): Promise<void> {
  const { ui, paragraph, index, count } = at;
  if (index === count - 1) return ui.pendingInput.duringRun(paragraph.id, () => runOne(at));
  await Promise.all([runOne(at), ui.paragraphs.insert(index + 1)]);
}

const configure =
  (change: (at: ParagraphTarget) => Record<string, unknown>) =>
  (at: ParagraphTarget): Promise<void> =>
    present(at.ui, at.paragraph, change(at));

/** All paragraph commands. To add a command, add an entry here. */
export const paragraphCommands = withTexts<ParagraphCommand>(() => [
  {
    id: 'run',
    right: 'runner',
    label: t.runCommand,
    icon: Play,
    keys: ['Shift+Enter'],
    shown: (at) => !running(at),
    enabled: (at) => config(at).enabled !== false && paragraphText(at.state).trim() !== '',
    run: (at) => at.ui.pendingInput.duringRun(at.paragraph.id, () => runOne(at)),
  },
  {
    id: 'run-stay',
    right: 'runner',
    label: t.runStay,
    icon: Play,
    keys: ['Ctrl+Enter', 'Meta+Enter'],
    enabled: isRunnable,
    run: (at) => {
      at.ui.pendingInput.stayed.add(at.paragraph.id);
      return runOne(at);
    },
  },
  {
    id: 'run-insert',
    right: 'runner',
    label: t.runInsert,
    icon: Play,
    keys: ['Alt+Enter'],
    shown: several,
    enabled: isRunnable,
    run: runAndInsert,
  },
  {
    id: 'cancel',
    right: 'runner',
    label: t.cancelCommand,
    icon: Square,
    keys: ['Ctrl+Alt+C'],
    shown: running,
    run: ({ paragraph }) => paragraph.cancel(),
  },
  {
    id: 'run-from',
    right: 'runner',
    label: t.runFrom,
    icon: Play,
    keys: ['Ctrl+Shift+Enter'],
    shown: several,
    run: async (at) => {
      const { RunFromDialog } = await import('../dialogs/run-from.tsx');
      at.ui.dialogs.open((close) => <RunFromDialog at={at} onClose={close} />);
    },
  },
  {
    id: 'copy-id',
    label: ({ paragraph }) => fill(t.copyId, { id: paragraph.id }),
    icon: Tag,
    reading: true,
    run: async ({ ui, paragraph }) => {
      await navigator.clipboard.writeText(paragraph.id).then(
        () => ui.messages.success(t.copied),
        () => ui.messages.error(t.notCopied),
      );
    },
  },
  {
    id: 'toggle-run-on-change',
    label: t.runOnChange,
    hint: t.runOnChangeHint,
    icon: Zap,
    shown: (at) => config(at).runOnSelectionChange !== undefined,
    checked: (at) => config(at).runOnSelectionChange !== false,
    run: configure((at) => ({ runOnSelectionChange: config(at).runOnSelectionChange === false })),
  },
  {
    id: 'move-up',
    label: t.moveUp,
    icon: ArrowUp,
    keys: ['Ctrl+Alt+K'],
    shown: (at) => several(at) && at.index > 0,
    run: (at) => at.ui.paragraphs.moveBy(at.paragraph.id, -1),
  },
  {
    id: 'move-down',
    label: t.moveDown,
    icon: ArrowDown,
    keys: ['Ctrl+Alt+J'],
    shown: (at) => several(at) && at.index < at.count - 1,
    run: (at) => at.ui.paragraphs.moveBy(at.paragraph.id, 1),
  },
  {
    id: 'move-top',
    label: t.moveTop,
    icon: ArrowUpToLine,
    shown: (at) => several(at) && at.index > 0,
    run: (at) => at.ui.paragraphs.move(at.paragraph.id, 0),
  },
  {
    id: 'move-bottom',
    label: t.moveBottom,
    icon: ArrowDownToLine,
    shown: (at) => several(at) && at.index < at.count - 1,
    run: (at) => at.ui.paragraphs.move(at.paragraph.id, at.count - 1),
  },
  {
    id: 'insert-above',
    label: t.insertAbove,
    icon: ListPlus,
    keys: ['Ctrl+Alt+A'],
    shown: several,
    run: ({ ui, index }) => ui.paragraphs.insert(index),
  },
  {
    id: 'insert-below',
    label: t.insert,
    icon: Plus,
    keys: ['Ctrl+Alt+B'],
    shown: several,
    run: ({ ui, index }) => ui.paragraphs.insert(index + 1),
  },
  {
    id: 'run-dependents',
    right: 'runner',
    label: t.runDependents,
    icon: ChevronsRight,
    shown: (at) => several(at) && isOnTiding(at),
    enabled: isRunnable,
    run: async ({ ui, paragraph }) =>
      (await import('../stale/stale.ts')).runStale(ui, paragraph.id),
  },
  {
    id: 'run-above',
    right: 'runner',
    label: t.runAbove,
    icon: ChevronsLeft,
    keys: ['Ctrl+Shift+ArrowUp'],
    shown: (at) => several(at) && at.index > 0,
    run: (at) => runFrom(at, 'above'),
  },
  {
    id: 'run-below',
    right: 'runner',
    label: t.runBelow,
    icon: ChevronsRight,
    keys: ['Ctrl+Shift+ArrowDown'],
    shown: several,
    listed: (at) => at.index < at.count - 1,
    run: (at) => runFrom(at, 'below'),
  },
  {
    id: 'clone',
    label: t.clone,
    icon: Copy,
    keys: ['Ctrl+Shift+C'],
    shown: several,
    enabled: ({ paragraph }) => paragraph.text !== '',
    run: ({ ui, paragraph }) => ui.paragraphs.copy(paragraph.id),
  },
  {
    id: 'split',
    label: collaborationTexts.split,
    icon: Split,
    keys: ['Ctrl+Alt+S'],
    shown: several,
    enabled: (at) => !running(at) && !at.state.removed && !at.state.conflict,
    run: ({ ui, paragraph }) => ui.paragraphs.split(paragraph.id),
  },
  {
    id: 'join-above',
    label: collaborationTexts.joinAbove,
    icon: Merge,
    keys: ['Ctrl+Alt+Shift+G'],
    shown: (at) => several(at) && at.index > 0,
    enabled: (at) => !running(at),
    run: ({ ui, paragraph }) => ui.paragraphs.join(paragraph.id, 'above'),
  },
  {
    id: 'join-below',
    label: collaborationTexts.joinBelow,
    icon: Merge,
    keys: ['Ctrl+Alt+G'],
    shown: (at) => several(at) && at.index < at.count - 1,
    enabled: (at) => !running(at),
    run: ({ ui, paragraph }) => ui.paragraphs.join(paragraph.id, 'below'),
  },
  {
    id: 'toggle-title',
    label: (at) => (config(at).title ? t.hideTitle : t.showTitle),
    icon: Type,
    keys: ['Ctrl+Alt+T'],
    run: configure((at) => ({ title: !config(at).title })),
  },
  {
    id: 'toggle-lines',
    right: 'reader',
    shown: foldable,
    label: (at) => (config(at).lineNumbers ? t.hideLines : t.showLines),
    icon: Hash,
    keys: ['Ctrl+Alt+M'],
    run: configure((at) => ({ lineNumbers: !config(at).lineNumbers })),
  },
  {
    id: 'toggle-run',
    label: (at) => (config(at).enabled === false ? t.enable : t.disable),
    icon: PowerOff,
    keys: ['Ctrl+Alt+R'],
    run: configure((at) => ({ enabled: config(at).enabled === false })),
  },
  {
    id: 'toggle-editor',
    right: 'reader',
    shown: foldable,
    label: (at) => (config(at).editorHide ? t.showCode : t.hideCode),
    icon: { at: (at) => (config(at).editorHide ? CodeXml : Code) },
    keys: ['Ctrl+Alt+E'],
    run: configure((at) => ({ editorHide: !config(at).editorHide })),
  },
  {
    id: 'toggle-output',
    right: 'reader',
    shown: foldable,
    label: (at) => (config(at).tableHide ? t.showOutput : t.hideOutput),
    icon: { at: (at) => (config(at).tableHide ? EyeOff : Eye) },
    keys: ['Ctrl+Alt+O'],
    run: configure((at) => ({ tableHide: !config(at).tableHide })),
  },
  {
    id: 'narrower',
    right: 'reader',
    label: t.narrower,
    icon: Minus,
    keys: ['Ctrl+Shift+-'],
    shown: several,
    enabled: (at) => width(at) > 1,
    run: configure((at) => ({ colWidth: width(at) - 1 })),
  },
  {
    id: 'wider',
    right: 'reader',
    label: t.wider,
    icon: Plus,
    keys: ['Ctrl+Shift+='],
    shown: several,
    enabled: (at) => width(at) < 12,
    run: configure((at) => ({ colWidth: width(at) + 1 })),
  },
  {
    id: 'link',
    label: t.link,
    icon: ExternalLink,
    keys: ['Ctrl+Alt+W'],
    reading: true,
    run: ({ ui, paragraph }) =>
      void window.open(
        `${ui.client.server}/#/notebook/${ui.note.id}/paragraph/${paragraph.id}?asIframe`,
        '_blank',
        'noopener,noreferrer',
      ),
  },
  ...assistantCommands,
  ...commentParagraphCommands,
  ...shareParagraphCommands,
  ...formatCommands,
  {
    id: 'clear',
    label: t.clear,
    icon: Eraser,
    keys: ['Ctrl+Alt+L'],
    enabled: (at) => !running(at),
    run: ({ ui, paragraph }) => ui.paragraphs.clear(paragraph.id),
  },
  {
    id: 'remove',
    label: t.remove,
    icon: Trash2,
    keys: ['Ctrl+Alt+D'],
    danger: true,
    shown: several,
    listed: (at) => at.count > 1,
    run: ({ ui, paragraph }) => ui.paragraphs.remove(paragraph.id),
  },
]);

/** Runs a command on a paragraph, if the paragraph exists and the command is enabled. */
export function runParagraphCommand(ui: NoteUi, id: string, commandId: string): void {
  const command = paragraphCommands.find((entry) => entry.id === commandId);
  const place = paragraphTarget(ui, id);
  if (command && place && canRun(command, place)) void ui.messages.act(() => command.run(place));
}
