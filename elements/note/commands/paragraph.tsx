/** What can be done with a paragraph. The order is that of its menu; `keys` are the specification's. */
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
  Tag,
  ListPlus,
  Merge,
  Minus,
  Play,
  Plus,
  PowerOff,
  Split,
  Square,
  Trash2,
  Type,
  Zap,
} from 'lucide-react';
import { paragraphText, type Paragraph, type RunResult } from 'tiding/client';
import { isRunning, magicOf } from 'tiding/model';
import { packagesOf } from '../../result/packages/store.ts';
import { fill, text } from '../../text/en.ts';
import { together } from '../../text/together.ts';
import { withTexts } from '../../text/table.ts';
import type { Command, NotePlace, ParagraphPlace } from './contract.ts';
import { runSeveral } from './run-several.ts';

const t = text.paragraph;

/** Languages whose paragraphs show their result alone once they have run (markdown). */
const proseMagics: ReadonlySet<string> = new Set(['md', 'markdown', 'angular']);
/** Whether a paragraph is prose: its editor is hidden after a run and comes back by a double click. */
export const isProse = ({ state }: Pick<ParagraphPlace, 'state'>): boolean =>
  state.server.config?.editorSetting?.editOnDblClick ??
  proseMagics.has(magicOf(paragraphText(state)) ?? '');

const config = ({ state }: ParagraphPlace) => state.server.config ?? {};
const running = ({ state }: ParagraphPlace): boolean => isRunning(state.server.status);
/** Whether code and result can be shown and hidden. */
const foldable = ({ view }: ParagraphPlace): boolean => view.state.get().look !== 'focus';
const several = ({ view }: ParagraphPlace): boolean => !view.single;
/** Width of the column a paragraph takes, in twelfths. */
const width = (at: ParagraphPlace): number =>
  Math.min(12, Math.max(1, Math.round(config(at).colWidth ?? 12)));

/** Whether a run can be asked for: enabled, with a text, and not running already. */
export const isRunnable = (at: ParagraphPlace): boolean =>
  config(at).enabled !== false && paragraphText(at.state).trim() !== '' && !running(at);

/** Runs a paragraph where its magic says: by a spell of a package in this page, else at the server. */
export async function runHere(
  view: NotePlace['view'],
  paragraph: Paragraph,
  chosen?: Readonly<Record<string, unknown>>,
): Promise<RunResult> {
  const store = packagesOf(view.client);
  // Before the list is there, only a text that names something has to wait for it.
  if (!store.state.get().asked && paragraph.text.trimStart().startsWith('%')) await store.ready();
  if (store.spellOf(paragraph.text)) {
    const { runBySpell } = await import('../../result/packages/spells.ts');
    const run = runBySpell(view.client, paragraph);
    if (run) return run;
  }
  return paragraph.run(await view.runParams(chosen));
}

/** Runs a paragraph, with values of its forms where some were chosen. */
export async function runOne(
  at: ParagraphPlace,
  chosen?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { paragraph } = at;
  if (running(at) || paragraph.text.trim() === '') return;
  const result = await runHere(at.view, paragraph, chosen);
  const now = paragraph.state;
  if (result.status === 'FINISHED' && isProse({ state: now }) && !now.server.config?.editorHide)
    await paragraph.configure({ editorHide: true, tableHide: false });
}

/** Runs this one and those above or below it, asked for first unless the dialog with the choice was the question. */
export async function runFrom(
  { view, paragraph, index }: ParagraphPlace,
  side: 'above' | 'below',
  asked = false,
): Promise<void> {
  const { order } = view.note.state;
  const paragraphs = side === 'above' ? order.slice(0, index) : order.slice(index);
  const title = side === 'above' ? t.confirmRunAbove : t.confirmRunBelow;
  if (asked || (await view.ask({ title, action: text.note.runAction })))
    await runSeveral(view, { paragraphs });
  view.focus(paragraph.id);
}

const configure =
  (change: (at: ParagraphPlace) => Record<string, unknown>) =>
  (at: ParagraphPlace): Promise<void> =>
    at.paragraph.configure(change(at));

/** All of them; adding one is one row here. */
export const paragraphCommands: readonly Command<ParagraphPlace>[] = withTexts<
  Command<ParagraphPlace>
>(() => [
  {
    id: 'run',
    label: t.runCommand,
    icon: Play,
    keys: ['Shift+Enter'],
    shown: (at) => !running(at),
    enabled: (at) => config(at).enabled !== false && paragraphText(at.state).trim() !== '',
    run: (at) => at.view.leading.byRun(at.paragraph.id, () => runOne(at)),
  },
  {
    id: 'cancel',
    label: t.cancelCommand,
    icon: Square,
    keys: ['Ctrl+Alt+C'],
    shown: running,
    run: ({ paragraph }) => paragraph.cancel(),
  },
  {
    id: 'run-from',
    label: t.runFrom,
    icon: Play,
    keys: ['Ctrl+Shift+Enter'],
    shown: several,
    run: async (at) => {
      const { RunFromDialog } = await import('../dialogs/run-from.tsx');
      at.view.open((close) => <RunFromDialog at={at} onClose={close} />);
    },
  },
  {
    id: 'copy-id',
    label: ({ paragraph }) => fill(t.copyId, { id: paragraph.id }),
    icon: Tag,
    reading: true,
    run: async ({ view, paragraph }) => {
      await navigator.clipboard.writeText(paragraph.id).then(
        () => view.say(t.copied),
        () => view.fail(t.notCopied),
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
    run: (at) => at.view.moveBy(at.paragraph.id, -1),
  },
  {
    id: 'move-down',
    label: t.moveDown,
    icon: ArrowDown,
    keys: ['Ctrl+Alt+J'],
    shown: (at) => several(at) && at.index < at.count - 1,
    run: (at) => at.view.moveBy(at.paragraph.id, 1),
  },
  {
    id: 'move-top',
    label: t.moveTop,
    icon: ArrowUpToLine,
    shown: (at) => several(at) && at.index > 0,
    run: (at) => at.view.move(at.paragraph.id, 0),
  },
  {
    id: 'move-bottom',
    label: t.moveBottom,
    icon: ArrowDownToLine,
    shown: (at) => several(at) && at.index < at.count - 1,
    run: (at) => at.view.move(at.paragraph.id, at.count - 1),
  },
  {
    id: 'insert-above',
    label: t.insertAbove,
    icon: ListPlus,
    keys: ['Ctrl+Alt+A'],
    shown: several,
    run: ({ view, index }) => view.insert(index),
  },
  {
    id: 'insert-below',
    label: t.insert,
    icon: Plus,
    keys: ['Ctrl+Alt+B'],
    shown: several,
    run: ({ view, index }) => view.insert(index + 1),
  },
  {
    id: 'run-above',
    label: t.runAbove,
    icon: ChevronsLeft,
    keys: ['Ctrl+Shift+ArrowUp'],
    shown: (at) => several(at) && at.index > 0,
    run: (at) => runFrom(at, 'above'),
  },
  {
    id: 'run-below',
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
    run: ({ view, paragraph }) => view.copy(paragraph.id),
  },
  {
    id: 'split',
    label: together.split,
    icon: Split,
    keys: ['Ctrl+Alt+S'],
    shown: several,
    enabled: (at) => !running(at) && !at.state.removed && !at.state.conflict,
    run: ({ view, paragraph }) => view.split(paragraph.id),
  },
  {
    id: 'join-above',
    label: together.joinAbove,
    icon: Merge,
    keys: ['Ctrl+Alt+Shift+G'],
    shown: (at) => several(at) && at.index > 0,
    enabled: (at) => !running(at),
    run: ({ view, paragraph }) => view.join(paragraph.id, 'above'),
  },
  {
    id: 'join-below',
    label: together.joinBelow,
    icon: Merge,
    keys: ['Ctrl+Alt+G'],
    shown: (at) => several(at) && at.index < at.count - 1,
    enabled: (at) => !running(at),
    run: ({ view, paragraph }) => view.join(paragraph.id, 'below'),
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
    shown: foldable,
    label: (at) => (config(at).editorHide ? t.showCode : t.hideCode),
    icon: { at: (at) => (config(at).editorHide ? CodeXml : Code) },
    keys: ['Ctrl+Alt+E'],
    run: configure((at) => ({ editorHide: !config(at).editorHide })),
  },
  {
    id: 'toggle-output',
    shown: foldable,
    label: (at) => (config(at).tableHide ? t.showOutput : t.hideOutput),
    icon: { at: (at) => (config(at).tableHide ? EyeOff : Eye) },
    keys: ['Ctrl+Alt+O'],
    run: configure((at) => ({ tableHide: !config(at).tableHide })),
  },
  {
    id: 'narrower',
    label: t.narrower,
    icon: Minus,
    keys: ['Ctrl+Shift+-'],
    shown: several,
    enabled: (at) => width(at) > 1,
    run: configure((at) => ({ colWidth: width(at) - 1 })),
  },
  {
    id: 'wider',
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
    run: ({ view, paragraph }) =>
      void window.open(
        `${view.client.server}/#/notebook/${view.note.id}/paragraph/${paragraph.id}?asIframe`,
        '_blank',
        'noopener,noreferrer',
      ),
  },
  {
    id: 'clear',
    label: t.clear,
    icon: Eraser,
    keys: ['Ctrl+Alt+L'],
    enabled: (at) => !running(at),
    run: ({ view, paragraph }) => view.clear(paragraph.id),
  },
  {
    id: 'remove',
    label: t.remove,
    icon: Trash2,
    keys: ['Ctrl+Alt+D'],
    danger: true,
    shown: several,
    listed: (at) => at.count > 1,
    run: ({ view, paragraph }) => view.remove(paragraph.id),
  },
]);
