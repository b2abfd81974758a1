/**
 * A command: something a person can do with a note or a paragraph. Bars, menus, keys, the palette and the help dialog are
 * made from the tables of commands, so adding one is one row.
 */
import type { LucideIcon } from 'lucide-react';
import type { Paragraph, ParagraphState } from 'tiding/client';
import { isTrashed } from 'tiding/model';
import type { MenuEntry } from '../../ui/menu-button.tsx';
import type { NoteView } from '../view.tsx';

/** What a command acts on. */
export interface NotePlace {
  readonly view: NoteView;
}

/** A paragraph, and where it stands. */
export interface ParagraphPlace extends NotePlace {
  readonly paragraph: Paragraph;
  readonly state: ParagraphState;
  /** From 0. */
  readonly index: number;
  /** How many paragraphs the note has. */
  readonly count: number;
}

/** One row of a table of commands. */
export interface Command<At extends NotePlace = NotePlace> {
  /** Unique, for hosts and tests: `run`, `move-up`. */
  readonly id: string;
  /** As menus and the palette show it, for the place it would act on. */
  readonly label: string | ((at: At) => string);
  /** More about it, as a tooltip of its menu entry. */
  readonly hint?: string;
  readonly icon?: LucideIcon | { readonly at: (at: At) => LucideIcon };
  /** `Ctrl+Alt+K`; the key is what it says without modifiers on a US keyboard. Several do the same. */
  readonly keys?: readonly string[];
  /** `editor`: while something is typed into, its keys are the editor's own. */
  readonly typing?: 'editor';
  readonly danger?: boolean;
  /** Where it makes sense at all; left out: everywhere. */
  readonly shown?: (at: At) => boolean;
  /** Whether the menu of a paragraph has it where it makes sense; its keys do it anyway. Left out: it has. */
  readonly listed?: (at: At) => boolean;
  /** Shown, and cannot be done now. */
  readonly enabled?: (at: At) => boolean;
  /** Also possible where the note cannot be changed: in report look, in a revision, in the trash. */
  readonly reading?: boolean;
  /** Also in report look, where nothing can be changed and notes are run all the same (specification). */
  readonly report?: boolean;
  /** Whether what it switches is on. */
  readonly checked?: (at: At) => boolean;
  /** What its place in a menu opens, instead of doing it at once. */
  readonly entries?: (at: At) => readonly MenuEntry[];
  /** Does it. What it rejects with is shown. */
  readonly run: (at: At) => unknown;
}

/** Whether a command can be done at a place, whatever asks. */
export function canRun<At extends NotePlace>(command: Command<At>, at: At): boolean {
  return isShown(command, at) && (command.enabled?.(at) ?? true);
}

/** Whether a command is offered at a place. */
export function isShown<At extends NotePlace>(command: Command<At>, at: At): boolean {
  const { view } = at;
  const isReport =
    command.report === true && view.state.get().look === 'report' && !isTrashed(view.note.path);
  return (command.reading === true || view.editable || isReport) && (command.shown?.(at) ?? true);
}

/** The label of a command at a place. */
export function labelOf<At extends NotePlace>(command: Command<At>, at: At): string {
  return typeof command.label === 'string' ? command.label : command.label(at);
}

/** The icon of a command at a place. */
export function iconOf<At extends NotePlace>(
  { icon }: Command<At>,
  at: At,
): LucideIcon | undefined {
  return icon && 'at' in icon ? icon.at(at) : icon;
}

/** A command as an entry of a menu; `onSelect` does it. `marked`: says whether what it switches is on. */
export function entryOf<At extends NotePlace>(
  command: Command<At>,
  at: At,
  onSelect: () => void,
  marked: boolean,
): MenuEntry {
  const icon = iconOf(command, at);
  const shown = { label: labelOf(command, at), ...(icon ? { icon } : {}) };
  if (command.entries) return { ...shown, entries: command.entries(at) };
  return {
    ...shown,
    ...(command.keys?.[0] ? { keys: command.keys[0] } : {}),
    danger: command.danger === true,
    disabled: !canRun(command, at),
    ...(marked && command.checked ? { checked: command.checked(at) } : {}),
    ...(command.hint ? { hint: command.hint } : {}),
    onSelect,
  };
}

/** The place of a paragraph; `undefined` when it is gone, and in a revision: nothing is done to its paragraphs. */
export function placeOf(view: NoteView, id: string | undefined): ParagraphPlace | undefined {
  const paragraph = view.note.revision === undefined ? view.paragraph(id) : undefined;
  return (
    paragraph && {
      view,
      paragraph,
      state: paragraph.state,
      index: paragraph.index,
      count: view.note.state.order.length,
    }
  );
}
