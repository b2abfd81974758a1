/** The menu of a paragraph: at most twelve entries, in groups; related ones share a submenu. */
import {
  ArrowUpDown,
  ChevronsRight,
  CodeXml,
  Columns2,
  ExternalLink,
  Eye,
  type LucideIcon,
  Type,
} from 'lucide-react';
import { type MenuEntry, withRules } from '../../ui/menu/menu-button.tsx';
import {
  isShown,
  menuEntryOf,
  type ParagraphTarget,
  paragraphTarget,
} from '../commands/command.ts';
import { paragraphCommands, runParagraphCommand } from '../commands/paragraph.tsx';
import type { NoteUi } from '../ui/note-ui.ts';
import { paragraphTexts } from './texts.ts';
import type { ParagraphActions } from './use-paragraph.ts';

/** A submenu of commands; a single one that applies is shown without the submenu. */
interface Submenu {
  readonly label: keyof typeof paragraphTexts.menu;
  readonly icon: LucideIcon;
  readonly ids: readonly string[];
}

/** Ids of commands, submenus of them, and the two measures, in groups. */
const groups: readonly (readonly (string | Submenu)[])[] = [
  [
    'insert-below',
    'clone',
    {
      label: 'move',
      icon: ArrowUpDown,
      ids: ['move-up', 'move-down', 'move-top', 'move-bottom'],
    },
    {
      label: 'code',
      icon: CodeXml,
      ids: [
        'assistant-write',
        'assistant-explain',
        'assistant-fix',
        'format-code',
        'split',
        'join-above',
        'join-below',
      ],
    },
  ],
  [
    {
      label: 'run',
      icon: ChevronsRight,
      ids: ['run-dependents', 'run-above', 'run-below', 'toggle-run'],
    },
    'toggle-run-on-change',
    {
      label: 'show',
      icon: Eye,
      ids: ['toggle-title', 'toggle-lines', 'toggle-editor', 'toggle-output'],
    },
    'width',
    'font-size',
  ],
  [
    'comment',
    { label: 'link', icon: ExternalLink, ids: ['link', 'share-paragraph', 'copy-id'] },
    'clear',
    'remove',
  ],
];

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

export function paragraphMenu(ui: NoteUi, id: string, actions: ParagraphActions): MenuEntry[] {
  const at = paragraphTarget(ui, id);
  if (!at) return [];
  const config = at.state.server.config ?? {};
  const choice = (key: 'colWidth' | 'fontSize', values: readonly number[], now: number) =>
    values.map((value) => ({
      label: String(value),
      checked: value === now,
      onSelect: () => actions.configure({ [key]: value }),
    }));
  const measures: Readonly<Record<string, MenuEntry | undefined>> = {
    width: ui.single
      ? undefined
      : {
          label: paragraphTexts.width,
          icon: Columns2,
          entries: choice('colWidth', numbers(1, 12), config.colWidth ?? 12),
        },
    'font-size': {
      label: paragraphTexts.fontSize,
      icon: Type,
      entries: choice('fontSize', numbers(9, 20), config.fontSize ?? 9),
    },
  };
  const one = (item: string): MenuEntry[] =>
    Object.hasOwn(measures, item)
      ? ui.layout.editable && measures[item]
        ? [measures[item]]
        : []
      : commandEntry(at, item);
  return withRules(
    groups.map((group) =>
      group.flatMap((item) => {
        if (typeof item === 'string') return one(item);
        const entries = item.ids.flatMap(one);
        return entries.length < 2
          ? entries
          : [{ label: paragraphTexts.menu[item.label], icon: item.icon, entries }];
      }),
    ),
  );
}

/** The entry of a command, if it applies to the paragraph. */
function commandEntry(at: ParagraphTarget, id: string): MenuEntry[] {
  const command = paragraphCommands.find((each) => each.id === id)!;
  if (!isShown(command, at) || command.listed?.(at) === false) return [];
  const { ui, paragraph } = at;
  return [menuEntryOf(command, at, () => runParagraphCommand(ui, paragraph.id, id), true)];
}
