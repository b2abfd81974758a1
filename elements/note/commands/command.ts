/**
 * A command is an action on a note or a paragraph. Toolbars, menus, keyboard shortcuts, the command
 * palette and the help dialog are generated from the command tables, so adding a command takes one
 * entry.
 */

import type { Note, Paragraph, ParagraphState } from '@tiding/client';
import { isTrashed } from '@tiding/client/model';
import type { Right } from '@tiding/client/protocol';
import type { LucideIcon } from 'lucide-react';
import { type ComponentType, createElement } from 'react';
import type { MenuEntry } from '../../ui/menu/menu-button.tsx';
import type { NoteUi } from '../ui/note-ui.ts';
import type { PanelId } from '../ui/panels.ts';

export interface NoteTarget {
  readonly note: Note;
  readonly ui: NoteUi;
}

/** Target of a paragraph command: a paragraph and its position. */
export interface ParagraphTarget extends NoteTarget {
  readonly paragraph: Paragraph;
  readonly state: ParagraphState;
  /** Zero-based index in the note. */
  readonly index: number;
  readonly count: number;
}

/** An entry in a command table. */
export interface NoteCommand<At extends NoteTarget = NoteTarget> {
  /** Unique id for hosts and tests, such as `run` or `move-up`. */
  readonly id: string;
  /** Label in menus and the palette, for the given target. */
  readonly label: string | ((at: At) => string);
  /** Tooltip of the menu entry. */
  readonly hint?: string;
  readonly icon?: LucideIcon | { readonly at: (at: At) => LucideIcon };
  /**
   * Keyboard shortcuts, such as `Ctrl+Alt+K`. The last part is the character that the key produces
   * without modifiers on a US keyboard.
   */
  readonly keys?: readonly string[];
  /** `editor`: while the user is typing in a field, these keys belong to the editor. */
  readonly typing?: 'editor';
  readonly danger?: boolean;
  /** Whether the command applies to the target; default: always. */
  readonly shown?: (at: At) => boolean;
  /** Whether the paragraph menu lists the command; default: yes. Its shortcut works in any case. */
  readonly listed?: (at: At) => boolean;
  /** Whether the command can run now. If not, it is shown disabled. */
  readonly enabled?: (at: At) => boolean;
  /**
   * Whether the command is also available if the note can't be changed: in report layout, in a
   * revision, in the trash.
   */
  readonly reading?: boolean;
  /**
   * Whether the command is also available in report layout, where notes can't be changed
   * (specification).
   */
  readonly report?: boolean;
  /** Whether the toggled state is on. */
  readonly checked?: (at: At) => boolean;
  /** Submenu entries to show instead of running the command. */
  readonly entries?: (at: At) => readonly MenuEntry[];
  /** Right that the command needs on the note; default: `none` for `reading`, else `writer`. */
  readonly right?: Right | ((at: At) => Right);
  /** Runs the command. Rejections are shown to the user. */
  readonly run: (at: At) => unknown;
}

/** A command of a paragraph. */
export type ParagraphCommand = NoteCommand<ParagraphTarget>;

/** Whether the page is that of a note on this server, and not of a revision. */
export const isOnTiding = ({ note, ui }: NoteTarget): boolean =>
  note.revision === undefined && ui.client.state.server?.tiding !== undefined;

/** The parts of a command with the id of the panel that it opens and closes. */
export const ofPanel = (panel: PanelId) => ({
  id: panel,
  report: true,
  checked: ({ ui }: NoteTarget) => ui.panels.state.get().right === panel,
  run: ({ ui }: NoteTarget) => ui.panels.toggle(panel),
});

/** Returns a `run` that loads a dialog and opens it. */
export const opensDialog =
  (load: () => Promise<ComponentType<{ onClose: () => void }>>): NoteCommand['run'] =>
  async ({ ui }) => {
    const View = await load();
    ui.dialogs.open((close) => createElement(View, { onClose: close }));
  };

/** Whether a command can run on a target, no matter how it is triggered. */
export function canRun<At extends NoteTarget>(command: NoteCommand<At>, at: At): boolean {
  return (
    isShown(command, at) &&
    (command.enabled?.(at) ?? true) &&
    whyNotAllowed(command, at) === undefined
  );
}

/** Returns why the user may not use a command, or `undefined` if they may. */
export function whyNotAllowed<At extends NoteTarget>(
  { reading, right = reading ? 'none' : 'writer' }: NoteCommand<At>,
  at: At,
): string | undefined {
  return at.ui.rights.whyNot(typeof right === 'function' ? right(at) : right);
}

/** Runs a command, or shows why the user may not use it. */
export function runOrExplain<At extends NoteTarget>(command: NoteCommand<At>, at: At): void {
  const { messages } = at.ui;
  const reason = isShown(command, at) ? whyNotAllowed(command, at) : undefined;
  if (reason !== undefined) messages.info(reason);
  else if (canRun(command, at)) void messages.act(() => command.run(at));
}

/** Whether a command is offered for a target. */
export function isShown<At extends NoteTarget>(command: NoteCommand<At>, at: At): boolean {
  const { ui } = at;
  const isReport =
    command.report === true && ui.layout.look === 'report' && !isTrashed(ui.note.path);
  return (
    (command.reading === true || ui.layout.editable || isReport) && (command.shown?.(at) ?? true)
  );
}

export function labelOf<At extends NoteTarget>(command: NoteCommand<At>, at: At): string {
  return typeof command.label === 'string' ? command.label : command.label(at);
}

export function iconOf<At extends NoteTarget>(
  { icon }: NoteCommand<At>,
  at: At,
): LucideIcon | undefined {
  return icon && 'at' in icon ? icon.at(at) : icon;
}

/**
 * Creates the menu entry of a command. With `marked`, the entry shows whether the toggled state is
 * on.
 */
export function menuEntryOf<At extends NoteTarget>(
  command: NoteCommand<At>,
  at: At,
  onSelect: () => void,
  marked: boolean,
): MenuEntry {
  const icon = iconOf(command, at);
  const shown = { label: labelOf(command, at), ...(icon ? { icon } : {}) };
  if (command.entries) return { ...shown, entries: command.entries(at) };
  const hint = whyNotAllowed(command, at) ?? command.hint;
  return {
    ...shown,
    ...(command.keys?.[0] ? { keys: command.keys[0] } : {}),
    danger: command.danger === true,
    disabled: !canRun(command, at),
    ...(marked && command.checked ? { checked: command.checked(at) } : {}),
    ...(hint ? { hint } : {}),
    onSelect,
  };
}

/**
 * Returns the command target for a paragraph. Returns `undefined` if it was removed, and in
 * revisions, whose paragraphs can't be changed.
 */
export function paragraphTarget(ui: NoteUi, id: string | undefined): ParagraphTarget | undefined {
  const paragraph = ui.note.revision === undefined ? ui.paragraphs.get(id) : undefined;
  return (
    paragraph && {
      note: ui.note,
      ui,
      paragraph,
      state: paragraph.state,
      index: paragraph.index,
      count: ui.note.state.order.length,
    }
  );
}
