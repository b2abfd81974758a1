import { ListFilter, ListTree, RefreshCw } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { isTidingError, type Client } from 'tiding/client';
import { buildTree, filterNotes, isTrashed, type TreeFolder, type TreeNode } from 'tiding/model';
import { tell, type ElementSpec, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, useClient, useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useNoteActions } from './actions.tsx';
import sheet from './note-list.css';
import { NoteTree } from './tree.tsx';

/** Notes shown at first: as many as 20 px rows fit the window; then steps of 10 (specification). */
const firstPage = () => Math.max(10, Math.floor(window.innerHeight / 20));
const STEP = 10;

interface ListProps {
  client: Client;
  current?: string | undefined;
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
  /** In a side panel: no head of its own, no actions. */
  plain?: boolean;
}

function folderPaths(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.kind === 'folder' ? [node.path, ...folderPaths(node.children)] : []));
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Cuts a tree after `limit` notes, in the order in which they are shown. Folders count by what is shown of them. */
function cut(nodes: readonly TreeNode[], limit: number): { nodes: TreeNode[]; used: number } {
  let used = 0;
  const kept: TreeNode[] = [];
  for (const node of nodes) {
    if (used >= limit && !(node.kind === 'folder' && node.trashed)) continue;
    if (node.kind === 'note') {
      kept.push(node);
      used += 1;
    } else {
      const inner = cut(node.children, Math.max(limit - used, node.trashed ? STEP : 0));
      kept.push({ ...node, children: inner.nodes } satisfies TreeFolder);
      used += inner.used;
    }
  }
  return { nodes: kept, used };
}

/** The list of notes: filter, tree, trash, actions. */
export function NoteList({ client, current, href, onOpen, plain }: ListProps) {
  const notes = useSelect(client, (state) => state.notes, undefined);
  const [filter, setFilter] = useState('');
  const term = useDeferredValue(filter.trim());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(firstPage);
  const [busy, setBusy] = useState(false);
  const [toast, toasts] = useToasts(6_000, 'corner');
  const fail = (message: string) => toast('danger', message);
  const [act, dialogs] = useNoteActions(client, fail, (id) => onOpen(id) && location.assign(href(id)));

  useEffect(() => {
    if (!client.state.notes) client.notes.list().catch((error: unknown) => isTidingError(error, 'signed-out') || fail(String((error as Error).message)));
  }, [client]);
  const tree = useMemo(() => buildTree(notes ?? []), [notes]);
  // The first look shows what is there: folders with few notes stand open, and the one of the current note.
  useEffect(() => {
    const path = notes?.find((note) => note.id === current)?.path;
    const few = (notes?.length ?? 0) <= 30 && !plain ? folderPaths(tree).filter((folder) => !isTrashed(folder)) : [];
    setOpen((before) => new Set([...before, ...few, ...(path ? parents(path) : [])]));
  }, [notes === undefined, current]);

  if (!notes) return <div className="list-loading" aria-busy="true">{[1, 2, 3, 4].map((n) => <span key={n} className="skeleton" />)}</div>;
  const found: TreeNode[] | undefined = term === '' ? undefined : filterNotes(notes, term);
  const live = notes.filter((note) => !isTrashed(note.path)).length;
  const all = found?.length ?? live;
  const shown = found ? found.slice(0, limit) : cut(tree, limit).nodes;
  const count = Math.min(all, limit);
  const anyOpen = folderPaths(tree).some((path) => open.has(path));
  const reload = async () => {
    setBusy(true);
    await client.notes.reload().catch((error: Error) => fail(error.message));
    setBusy(false);
  };
  return (
    <section className={plain ? 'note-list plain' : 'note-list'} aria-label={text.list.title} part="list">
      <div className="list-head">
        <label className="input grow">
          <Icon of={ListFilter} size="sm" className="dim" />
          <input placeholder={plain ? text.list.filterShort : text.list.filter} aria-label={text.list.filter} value={filter} onChange={(event) => setFilter(event.target.value)} />
        </label>
        {plain ? null : (
          <>
            <Button icon={ListTree} label={anyOpen ? text.list.collapse : text.list.expand} onClick={() => setOpen(anyOpen ? new Set() : new Set(folderPaths(tree)))} />
            <Button icon={RefreshCw} label={text.list.reload} busy={busy} onClick={() => void reload()} />
          </>
        )}
      </div>
      {shown.length === 0 ? (
        <div className="list-empty" role="status">
          <b>{found ? fill(text.list.noMatch, { term }) : text.list.none}</b>
          {found ? null : <span>{text.list.noneHint}</span>}
        </div>
      ) : (
        <NoteTree
          nodes={shown} label={text.list.title} current={current} href={href} onOpen={onOpen} onAction={plain ? undefined : act}
          isOpen={(path) => open.has(path)}
          onToggle={(path) => setOpen((before) => {
            const next = new Set(before);
            if (!next.delete(path)) next.add(path);
            return next;
          })}
        />
      )}
      {plain && all <= limit ? null : (
        <div className="list-foot">
          <span>{fill(text.list.shown, { shown: count, all })}</span>
          {all > limit ? <Button size="sm" onClick={() => setLimit(limit + STEP)}>{text.list.loadMore}</Button> : null}
        </div>
      )}
      {dialogs}
      {toasts}
    </section>
  );
}

function NoteListView(props: ViewProps) {
  const client = useClient(props);
  const { current } = props.values as { current?: string };
  if (!client) return <p className="element-note">{text.noServer}</p>;
  return (
    <HostContext value={props.host}>
      <NoteList client={client} current={current} href={(id) => `${pageOf(client)}#/notebook/${id}`} onOpen={(noteId) => tell(props.host, 'tiding-open-note', { noteId })} />
    </HostContext>
  );
}

/** Address of the page with the reference app: this one, where the app itself is, else the server's. */
export function pageOf(client: Client): string {
  return client.server === location.origin + location.pathname.replace(/\/+$/, '') ? '' : `${client.server}/`;
}

/** Sheets of the list. */
export const noteListSheets = [sheet];

/** `<tiding-note-list>` */
export const noteList: ElementSpec = {
  tag: 'tiding-note-list',
  doc: 'The notes a person may read, as a tree with filter and trash.',
  view: NoteListView,
  properties: { current: { kind: 'string', doc: 'Id of the note to mark.' } },
  events: [{ name: 'tiding-open-note', doc: 'A note was chosen; detail {noteId}. Prevent it to keep the page.' }],
  sheets: noteListSheets,
};
