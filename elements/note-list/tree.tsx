import type { TreeFolder, TreeNode, TreeNote } from '@tiding/client/model';
import type { Right } from '@tiding/client/protocol';
import {
  ArchiveRestore,
  ChevronDown,
  ChevronRight,
  Copy,
  Ellipsis,
  Eraser,
  FileText,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { whyNot } from '../runtime/note-right.ts';
import { noteTexts } from '../text/note-texts.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu/menu-button.tsx';
import type { NoteAction } from './actions.tsx';
import { createNoteTexts } from './dialog-texts.ts';
import { noteListTexts } from './texts.ts';

/** Letters typed within this time form one search, in ms. */
const TYPING_MS = 700;

interface TreeProps {
  nodes: readonly TreeNode[];
  /** The note shown elsewhere on the page. */
  current?: string | undefined;
  /** Returns the URL of a note. */
  href: (id: string) => string;
  /** Called when a note is selected; returns `false` if the host prevented it. */
  onOpen: (id: string) => boolean;
  onAction?: ((action: NoteAction) => void) | undefined;
  /** What the user may do with each note, as far as it is known. */
  rights: ReadonlyMap<string, Right>;
  /** Called when the pointer or the focus reaches a note. */
  onReach: (id: string) => void;
  label: string;
  isOpen: (path: string) => boolean;
  onToggle: (path: string) => void;
}

/**
 * Tree of folders and notes (ARIA tree pattern, one tab stop): arrow keys move, right and left
 * expand and collapse, letters jump.
 */
export function NoteTree(props: TreeProps) {
  const root = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState<string>();
  const typed = useRef({ text: '', at: 0 });

  const items = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
  ];
  const focus = (item: HTMLElement | null | undefined) =>
    (item?.matches('.tree-item') ? item : item?.querySelector<HTMLElement>('.tree-item'))?.focus();

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const row = event.target as HTMLElement;
    if (!row.classList.contains('tree-item')) return;
    const item = row.closest<HTMLElement>('[role=treeitem]')!;
    const at = all.indexOf(item);
    const expanded = item.getAttribute('aria-expanded');
    const path = item.dataset['path'] ?? '';
    const move: Record<string, () => void> = {
      ArrowDown: () => focus(all[at + 1]),
      ArrowUp: () => focus(all[at - 1]),
      Home: () => focus(all[0]),
      End: () => focus(all.at(-1)),
      ArrowRight: () =>
        expanded === 'false'
          ? props.onToggle(path)
          : expanded === 'true'
            ? focus(all[at + 1])
            : undefined,
      ArrowLeft: () =>
        expanded === 'true'
          ? props.onToggle(path)
          : focus(
              item.closest('ul')?.closest('li')?.querySelector<HTMLElement>(':scope > .tree-item'),
            ),
      ' ': () => row.click(),
    };
    const now = Date.now();
    const going = now - typed.current.at <= TYPING_MS ? typed.current.text : '';
    // A space inside a typed name belongs to it.
    const act = event.key === ' ' && going !== '' ? undefined : move[event.key];
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === ' ') event.preventDefault();
      const wanted = (going + event.key).toLowerCase();
      typed.current = { text: wanted, at: now };
      // A single letter, also repeated, goes to the next row. Several letters may match the focused
      // row itself.
      const [letter = ''] = wanted;
      const isOne = [...wanted].every((each) => each === letter);
      const from = isOne ? at + 1 : at;
      const order = [...all.slice(from), ...all.slice(0, from)];
      const begins = (words: string) =>
        order.find((other) => other.textContent?.trim().toLowerCase().startsWith(words));
      focus(begins(wanted) ?? (isOne ? begins(letter) : undefined));
    }
  };

  const first = props.nodes[0];
  const tabStop = active ?? (first ? keyOf(first) : undefined);
  return (
    <ul
      ref={root}
      className="tree"
      role="tree"
      aria-label={props.label}
      onKeyDown={onKeyDown}
      // Menus of a row are rendered elsewhere; the row stays the focused one.
      onFocus={(event) =>
        setActive(
          (before) =>
            (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]')?.dataset['key'] ??
            before,
        )
      }
    >
      {props.nodes.map((node) => (
        <TreeRow key={keyOf(node)} node={node} level={1} tabStop={tabStop} {...props} />
      ))}
    </ul>
  );
}

const keyOf = (node: TreeNode): string =>
  node.kind === 'folder' ? `folder:${node.path}` : node.id;

function TreeRow({
  node,
  level,
  tabStop,
  ...props
}: TreeProps & { node: TreeNode; level: number; tabStop: string | undefined }) {
  const tabIndex = tabStop === keyOf(node) ? 0 : -1;
  return node.kind === 'folder' ? (
    <FolderRow {...props} node={node} level={level} tabStop={tabStop} tabIndex={tabIndex} />
  ) : (
    <NoteRow {...props} node={node} level={level} tabIndex={tabIndex} />
  );
}

interface FolderRowProps extends TreeProps {
  node: TreeFolder;
  level: number;
  tabStop: string | undefined;
  tabIndex: number;
}

function FolderRow({ node, level, tabStop, tabIndex, ...props }: FolderRowProps) {
  const id = useId();
  const open = props.isOpen(node.path);
  const trash = node.trashed && level === 1;
  const name = trash ? noteListTexts.trash : node.name;
  return (
    <li role="none" className={trash ? 'tree-trash' : undefined}>
      <div
        role="treeitem"
        aria-expanded={open}
        aria-level={level}
        aria-label={`${name} ${node.count}`}
        data-path={node.path}
        data-key={keyOf(node)}
        className="tree-item"
        tabIndex={tabIndex}
        onClick={() => props.onToggle(node.path)}
      >
        <Icon of={trash && !open ? Trash2 : open ? ChevronDown : ChevronRight} size="sm" />
        <span id={id} className="tree-name">
          {name}{' '}
        </span>
        <Actions id={id} tabIndex={tabIndex}>
          {props.onAction ? folderActions(node, trash, props.onAction) : null}
        </Actions>
        <span className="tree-count">{node.count}</span>
      </div>
      {open ? (
        <ul role="group">
          {node.children.map((child) => (
            <TreeRow
              key={keyOf(child)}
              node={child}
              level={level + 1}
              tabStop={tabStop}
              {...props}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function NoteRow({
  node,
  level,
  tabIndex,
  current,
  href,
  onOpen,
  onAction,
  rights,
  onReach,
}: TreeProps & { node: TreeNote; level: number; tabIndex: number }) {
  const id = useId();
  const selected = node.id === current;
  const reach = () => onReach(node.id);
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-selected={selected}
      data-key={node.id}
      {...(onAction ? { onPointerEnter: reach, onFocus: reach } : {})}
    >
      <a
        className={selected ? 'tree-item leaf selected' : 'tree-item leaf'}
        href={href(node.id)}
        tabIndex={tabIndex}
        aria-current={selected ? 'page' : undefined}
        onClick={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey && !onOpen(node.id))
            event.preventDefault();
        }}
      >
        <Icon of={node.trashed ? Trash2 : FileText} size="sm" />
        <span id={id} className="tree-name">
          {node.name}
        </span>
        <Actions id={id} tabIndex={tabIndex}>
          {onAction ? noteActions(node, onAction, rights.get(node.id) ?? 'owner') : null}
        </Actions>
      </a>
    </li>
  );
}

interface RowAction {
  readonly icon: typeof Pencil;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabledReason?: string | undefined;
}

/** Whether the primary pointer is a finger, which can't hover. */
const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

interface ActionsProps {
  /** Id of the name of the note or folder, which ends the names of its buttons. */
  id: string;
  children: readonly RowAction[] | null;
  tabIndex: number;
}

/**
 * Buttons of a row; on touch devices one menu with the same entries. They are visible on hover and
 * focus and are the next tab stops after the focused row. Clicking them does not click the row.
 */
function Actions({ id, children, tabIndex }: ActionsProps) {
  if (!children) return null;
  const named = (part: number | string) => ({
    id: `${id}${part}`,
    'aria-labelledby': `${id}${part} ${id}`,
  });
  const stop = (event: { stopPropagation(): void; preventDefault(): void }) => {
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps button clicks from the row
    <span className="tree-actions" onClick={stop}>
      {isTouch() ? (
        <MenuButton
          size="sm"
          icon={Ellipsis}
          label={noteListTexts.moreActions}
          tabIndex={tabIndex}
          entries={() =>
            children.flatMap<MenuEntry>(({ icon, label, onClick, disabledReason: hint }) => {
              const entry = {
                ...{ icon, label, onSelect: onClick, disabled: hint !== undefined },
                ...(hint === undefined ? {} : { hint }),
              };
              return icon === Trash2 ? ['rule', { ...entry, danger: true }] : [entry];
            })
          }
        />
      ) : (
        children.map(({ label, ...rest }, at) => (
          <Button
            key={label}
            size="sm"
            label={label}
            {...rest}
            {...named(at)}
            tabIndex={tabIndex}
          />
        ))
      )}
    </span>
  );
}

const action = (
  icon: typeof Pencil,
  label: string,
  onClick: () => void,
  disabledReason?: string,
): RowAction => ({ icon, label, onClick, disabledReason });

function noteActions(note: TreeNote, act: (action: NoteAction) => void, right: Right) {
  const own = whyNot(right, 'owner');
  if (note.trashed) {
    return [
      action(
        ArchiveRestore,
        noteListTexts.restoreNote,
        () => act({ kind: 'restore-note', note }),
        own,
      ),
      action(Trash2, noteListTexts.removeNote, () => act({ kind: 'remove-note', note }), own),
    ];
  }
  const change = whyNot(right, 'writer');
  return [
    action(Pencil, noteListTexts.rename, () => act({ kind: 'rename-note', note }), own),
    action(Copy, noteListTexts.clone, () => act({ kind: 'clone-note', note })),
    action(Eraser, noteTexts.clearAction, () => act({ kind: 'clear-note', note }), change),
    action(Trash2, noteListTexts.trashNote, () => act({ kind: 'trash-note', note }), own),
  ];
}

function folderActions(folder: TreeFolder, trash: boolean, act: (action: NoteAction) => void) {
  if (trash) {
    return [
      action(ArchiveRestore, noteListTexts.restoreAll, () => act({ kind: 'restore-all' })),
      action(Trash2, noteListTexts.emptyTrash, () => act({ kind: 'empty-trash' })),
    ];
  }
  if (folder.trashed) {
    return [
      action(ArchiveRestore, noteListTexts.restoreFolder, () =>
        act({ kind: 'restore-folder', folder }),
      ),
      action(Trash2, noteListTexts.removeFolder, () => act({ kind: 'remove-folder', folder })),
    ];
  }
  return [
    action(Plus, createNoteTexts.title, () => act({ kind: 'new-note', folder })),
    action(Pencil, noteListTexts.renameFolder, () => act({ kind: 'rename-folder', folder })),
    action(Trash2, noteListTexts.trashFolder, () => act({ kind: 'trash-folder', folder })),
  ];
}
