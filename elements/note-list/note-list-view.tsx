import { type Client, isTidingError } from '@tiding/client';
import {
  buildTree,
  filterNotes,
  isTrashed,
  type TreeNode,
  type TreeNote,
} from '@tiding/client/model';
import { ListFilter, ListTree, RefreshCw } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { appUrl } from '../runtime/app-url.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, useSelect } from '../runtime/hooks.ts';
import { toggled } from '../runtime/toggled.ts';
import { useNoteRights } from '../runtime/use-note-rights.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { LoadFailed } from '../ui/loading.tsx';
import { serverMessageOf } from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useNoteActions } from './actions.tsx';
import sheet from './note-list.css';
import { noteListTexts } from './texts.ts';
import { NoteTree } from './tree.tsx';

/**
 * Number of rows shown first on the home page: as many of 20 px as fit the window (specification).
 */
const firstPage = () => Math.floor(window.innerHeight / 20);
/** Number of rows shown first in a side panel, and added with each step (specification). */
const ROWS_PER_STEP = 10;

interface ListProps {
  client: Client;
  current?: string | undefined;
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
  /** For a side panel: no heading and no actions. */
  plain?: boolean;
}

function folderPaths(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) =>
    node.kind === 'folder' ? [node.path, ...folderPaths(node.children)] : [],
  );
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

const holds = (node: TreeNode, id: string | undefined): boolean =>
  node.kind === 'note' ? node.id === id : node.children.some((child) => holds(child, id));
const isTrash = (node: TreeNode): boolean =>
  node.kind === 'folder' && node.trashed && !node.path.includes('/');
const countNotes = (
  nodes: readonly TreeNode[],
  fits: (note: TreeNote) => boolean = () => true,
): number =>
  nodes.reduce(
    (sum, node) =>
      sum + (node.kind === 'folder' ? countNotes(node.children, fits) : Number(fits(node))),
    0,
  );

/** Number of rows of a tree: a closed folder is one row. */
const countRows = (nodes: readonly TreeNode[], open: ReadonlySet<string>): number =>
  nodes.reduce(
    (sum, node) =>
      sum + (node.kind === 'folder' && open.has(node.path) ? countRows(node.children, open) : 0),
    nodes.length,
  );

/**
 * Limits a tree to the first `limit` rows. Each level comes before the folders that are open in it,
 * so that opening a folder hides nothing behind it; an open folder shows at least one step. The
 * trash and the note `current` are always included.
 */
function cut(
  nodes: readonly TreeNode[],
  limit: number,
  open: ReadonlySet<string>,
  current: string | undefined,
): TreeNode[] {
  const kept = nodes.filter(
    (node, index) => index < limit || isTrash(node) || holds(node, current),
  );
  let left = limit - kept.length;
  return kept.map((node) => {
    if (node.kind === 'note' || !open.has(node.path)) return node;
    const children = cut(node.children, Math.max(left, ROWS_PER_STEP), open, current);
    left -= countRows(children, open);
    return { ...node, children };
  });
}

/** The list of notes: filter, tree, trash and actions. */
export function NoteList({ client, current, href, onOpen, plain }: ListProps) {
  const notes = useSelect(client, (state) => state.notes, undefined);
  const [filter, setFilter] = useState('');
  const term = useDeferredValue(filter.trim());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(plain ? ROWS_PER_STEP : firstPage);
  const [busy, setBusy] = useState(false);
  const [toast, toasts] = useToasts();
  const fail = (message: string) => toast('danger', message);
  const [act, dialogs] = useNoteActions(
    client,
    fail,
    (id) => onOpen(id) && location.assign(href(id)),
  );

  const [rights, onReach] = useNoteRights(client);
  const [problem, setProblem] = useState<unknown>();
  const load = useCallback(() => {
    setProblem(undefined);
    if (!client.state.notes)
      client.notes
        .list()
        .catch((error: unknown) => isTidingError(error, 'signed-out') || setProblem(error));
  }, [client]);
  useEffect(load, [load]);
  const tree = useMemo(() => buildTree(notes ?? []), [notes]);
  const found = useMemo(
    () => (term === '' || !notes ? undefined : filterNotes(notes, term)),
    [notes, term],
  );
  const shown = useMemo(
    () => (found ? found.slice(0, limit) : cut(tree, limit, open, current)),
    [found, tree, limit, open, current],
  );
  // On first render, open folders with few notes and the folder of the current note.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later list changes open no folder
  useEffect(() => {
    const path = notes?.find((note) => note.id === current)?.path;
    const few =
      (notes?.length ?? 0) <= 30 && !plain
        ? folderPaths(tree).filter((folder) => !isTrashed(folder))
        : [];
    setOpen((before) => new Set([...before, ...few, ...(path ? parents(path) : [])]));
  }, [notes === undefined, current]);

  if (!notes && problem !== undefined)
    return (
      <LoadFailed onRetry={load}>
        <span>{serverMessageOf(problem, noteListTexts.notLoaded)}</span>
      </LoadFailed>
    );
  if (!notes)
    return (
      <div className="list-loading" aria-busy="true">
        {[1, 2, 3, 4].map((n) => (
          <span key={n} className="skeleton" />
        ))}
      </div>
    );
  const live = notes.filter((note) => !isTrashed(note.path)).length;
  const all = found?.length ?? live;
  const count = countNotes(shown, ({ trashed }) => found !== undefined || !trashed);
  const isMore = countNotes(shown) < (found ?? notes).length;
  const anyOpen = folderPaths(tree).some((path) => open.has(path));
  const reload = async () => {
    setBusy(true);
    await client.notes.reload().catch((error: Error) => fail(error.message));
    setBusy(false);
  };
  return (
    <section
      className={plain ? 'note-list plain' : 'note-list'}
      aria-label={noteListTexts.title}
      part="list"
    >
      <div className="list-head">
        <label className="input grow">
          <Icon of={ListFilter} size="sm" className="dim" />
          <input
            placeholder={plain ? noteListTexts.filterShort : noteListTexts.filter}
            aria-label={noteListTexts.filter}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        {plain ? null : (
          <>
            <Button
              icon={ListTree}
              label={anyOpen ? noteListTexts.collapse : noteListTexts.expand}
              onClick={() => setOpen(anyOpen ? new Set() : new Set(folderPaths(tree)))}
            />
            <Button
              icon={RefreshCw}
              label={noteListTexts.reload}
              busy={busy}
              onClick={() => void reload()}
            />
          </>
        )}
      </div>
      {all === 0 && shown.length === 0 ? (
        <div className="list-empty" role="status">
          <b>{found ? fill(noteListTexts.noMatch, { term }) : noteListTexts.none}</b>
          {found ? null : <span>{noteListTexts.noneHint}</span>}
        </div>
      ) : (
        <NoteTree
          nodes={shown}
          label={noteListTexts.title}
          current={current}
          href={href}
          onOpen={onOpen}
          onAction={plain ? undefined : act}
          rights={rights}
          onReach={onReach}
          isOpen={(path) => open.has(path)}
          onToggle={(path) => setOpen((before) => toggled(before, path))}
        />
      )}
      {plain && !isMore ? null : (
        <div className="list-foot">
          <span>{fill(noteListTexts.shown, { shown: count, all })}</span>
          {isMore ? (
            <Button size="sm" onClick={() => setLimit(limit + ROWS_PER_STEP)}>
              {noteListTexts.loadMore}
            </Button>
          ) : null}
        </div>
      )}
      {dialogs}
      {toasts}
    </section>
  );
}

export default function NoteListView(props: ViewProps) {
  const client = useHostClient(props);
  const { current } = props.values as { current?: string };
  if (!client) return <p className="element-note">{commonTexts.noServer}</p>;
  return (
    <HostContext value={props.host}>
      <NoteList
        client={client}
        current={current}
        href={(id) => `${appUrl(client)}#/notebook/${id}`}
        onOpen={(noteId) => emitEvent(props.host, 'tiding-open-note', { noteId })}
      />
    </HostContext>
  );
}

export const noteListSheets = [sheet];

export const sheets = noteListSheets;
