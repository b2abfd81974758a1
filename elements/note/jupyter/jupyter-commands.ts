/**
 * Commands of Jupyter's keys. Two keys after each other are separated by a space. Keys that are not
 * listed keep their meaning in the note.
 */
import type { Paragraph } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { engineTexts } from '../bar/engine-texts.ts';
import type { NoteCommand, ParagraphTarget } from '../commands/command.ts';
import { present } from '../commands/present.ts';
import { isRunnable, runOne } from '../commands/run-one.ts';
import { shortcutTexts } from '../dialogs/shortcut-texts.ts';
import { collaborationTexts } from '../presence/texts.ts';
import { toCode, toMarkdown } from './change-language.ts';
import { selectAdded } from './select-added.ts';
import { jupyterTexts } from './texts.ts';

/** A command under keys of Jupyter. They are listed outside notes too, so no label needs one. */
type JupyterCommand = NoteCommand<ParagraphTarget> & { readonly label: string };

const select =
  (places: number): JupyterCommand['run'] =>
  ({ ui, index }) => {
    const id = ui.note.state.order[index + places];
    if (id !== undefined) ui.focus.select(id);
  };

/** Moves the cursor into the code, and shows the code if it is hidden. */
export async function enterCode({ ui, paragraph, state }: ParagraphTarget): Promise<void> {
  const editor = ui.editors.get(paragraph.id);
  // The cursor of an open editor stays where it was.
  if (editor) return editor.focus(editor.selection() ? undefined : 'end');
  ui.pendingInput.reveal(paragraph.id);
  if (state.server.config?.editorHide) await present(ui, paragraph, { editorHide: false });
}

/** Runs a paragraph and selects the next one. After the last one, a new paragraph is edited. */
async function runAndSelect(at: ParagraphTarget): Promise<void> {
  const { ui, paragraph, index, count } = at;
  const runs = isRunnable(at);
  if (index === count - 1 && !ui.single) {
    if (runs) return ui.pendingInput.duringRun(paragraph.id, () => runOne(at));
    if (ui.rights.allows('writer')) await ui.paragraphs.insert(count);
    return;
  }
  const ran = runs ? runOne(at) : undefined;
  select(1)(at);
  await ran;
}

/** The paragraph that was copied or cut last. Every note on the page can paste it. */
let copied: { readonly text: string; readonly title: string; readonly titled: boolean } | undefined;

const copy = ({ paragraph, state }: ParagraphTarget): void => {
  const { title = '', config } = state.server;
  copied = { text: paragraph.text, title, titled: config?.title === true };
};

const paste =
  (offset: 0 | 1): JupyterCommand['run'] =>
  async (at) => {
    if (!copied) return;
    const { text, title, titled } = copied;
    const added: Paragraph = await selectAdded(at, at.index + offset, text);
    if (title !== '') await added.setTitle(title);
    if (titled) await added.configure({ title: true });
  };

/** Commands of Jupyter's keys, by where the cursor is. */
export interface JupyterCommands {
  /** In command mode and in the code. */
  readonly shared: readonly JupyterCommand[];
  /** In command mode: a paragraph is selected, and its code has no cursor. */
  readonly command: readonly JupyterCommand[];
  /** In the code. */
  readonly edit: readonly JupyterCommand[];
}

/** Returns the commands of Jupyter's keys. `known`: the commands of a note and its paragraphs. */
export function jupyterCommands(known: readonly NoteCommand<ParagraphTarget>[]): JupyterCommands {
  const t = jupyterTexts;
  /** A known command under other keys, with some of its parts replaced. */
  const command = (
    id: string,
    keys: string[],
    change: Partial<JupyterCommand> = {},
  ): JupyterCommand => {
    const found = known.find((one) => one.id === id);
    if (!found) throw new Error(`There is no command ${id}.`);
    const label = change.label ?? found.label;
    if (typeof label !== 'string') throw new Error(`The label of ${id} needs a note.`);
    return { ...found, ...change, keys, label };
  };
  return {
    shared: [
      command('run', ['Shift+Enter'], {
        label: t.runAndSelect,
        shown: () => true,
        enabled: () => true,
        run: runAndSelect,
      }),
      command('run-stay', ['Ctrl+Enter', 'Meta+Enter'], {
        run: async (at) => {
          at.ui.focus.select(at.paragraph.id);
          at.ui.pendingInput.stayed.add(at.paragraph.id);
          await runOne(at);
        },
      }),
      command('run-insert', ['Alt+Enter']),
    ],
    command: [
      { id: 'enter-code', label: t.enter, keys: ['Enter'], reading: true, run: enterCode },
      { id: 'select-above', label: t.up, keys: ['ArrowUp', 'K'], reading: true, run: select(-1) },
      {
        id: 'select-below',
        label: t.down,
        keys: ['ArrowDown', 'J'],
        reading: true,
        run: select(1),
      },
      command('insert-above', ['A'], { run: (at) => selectAdded(at, at.index) }),
      command('insert-below', ['B'], { run: (at) => selectAdded(at, at.index + 1) }),
      command('remove', ['D D']),
      command('undo', ['Z'], { label: collaborationTexts.undo }),
      command('redo', ['Shift+Z'], { label: collaborationTexts.redo }),
      { id: 'to-markdown', label: t.markdown, keys: ['M'], enabled: isIdle, run: toMarkdown },
      { id: 'to-code', label: t.code, keys: ['Y'], enabled: isIdle, run: toCode },
      {
        id: 'copy-paragraph',
        label: t.copy,
        keys: ['C'],
        reading: true,
        run: (at) => {
          copy(at);
          at.ui.messages.success(t.copied);
        },
      },
      command('remove', ['X'], {
        label: t.cut,
        run: (at) => {
          copy(at);
          return at.ui.paragraphs.remove(at.paragraph.id);
        },
      }),
      command('insert-below', ['V'], { label: t.pasteBelow, run: paste(1) }),
      command('insert-above', ['Shift+V'], { label: t.pasteAbove, run: paste(0) }),
      command('join-below', ['Shift+M']),
      command('toggle-output', ['O'], { label: shortcutTexts.toggleOutput }),
      command('toggle-lines', ['L'], { label: shortcutTexts.toggleLines }),
      command('interrupt', ['I I']),
      command('restart-engine', ['0 0'], { label: engineTexts.restartUnknown }),
      { id: 'save', label: t.save, keys: ['S'], run: ({ note }) => note.commit() },
      command('find', ['F']),
      command('palette', ['P']),
      command('shortcuts', ['H']),
    ],
    edit: [
      {
        id: 'leave-code',
        label: t.leave,
        keys: ['Escape'],
        reading: true,
        run: ({ ui, paragraph }) => ui.focus.select(paragraph.id),
      },
      command('split', ['Ctrl+Shift+-']),
    ],
  };
}

/** Whether the paragraph is not running. */
const isIdle = ({ state }: ParagraphTarget): boolean => !isRunning(state.server.status);
