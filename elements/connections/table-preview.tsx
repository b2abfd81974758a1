import type { Client } from '@tiding/client';
import type { DatabaseRelation } from '@tiding/client/protocol';
import { Copy, FilePlus, TextCursorInput } from 'lucide-react';
import { useEffect } from 'react';
import { formatInteger } from '../result/parts/numbers.ts';
import { appUrl } from '../runtime/app-url.ts';
import { emitEvent } from '../runtime/define-element.ts';
import { createLazyValue } from '../runtime/lazy-value.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { WhenLoaded } from '../ui/lazy.tsx';
import { LoadProblem, serverMessageOf, useLoaded } from '../ui/page.tsx';
import { rowsText } from './schema-tree.tsx';
import { connectionTexts as t } from './texts.ts';

const QUERY_ROWS = 100;
/** The server stops after 12 s. */
const PREVIEW_MS = 20_000;
const grid = createLazyValue(() => import('./preview-grid.tsx'));

interface TablePreviewProps {
  client: Client;
  host: HTMLElement;
  connection: string;
  relation: DatabaseRelation;
  insertable: boolean;
  toast: (kind: 'danger' | 'success' | 'info', message: string) => void;
}

/** The first rows of a table, and its query to use elsewhere. */
export function TablePreview(props: TablePreviewProps) {
  const { client, connection, host, insertable, relation, toast } = props;
  const { name, reference, rows, schema } = relation;
  const loaded = useLoaded(client, ({ connections }) =>
    connections.preview(connection, name, { schema, timeout: PREVIEW_MS }),
  );
  const { busy, run } = useAction();
  const query = `select * from ${reference} limit ${QUERY_ROWS}`;
  const text = `%${connection}\n${query}`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(query);
      toast('success', t.copied);
    } catch {
      toast('info', fill(t.notCopied, { query }));
    }
  };
  const createNote = async (): Promise<void> => {
    try {
      const noteId = await createQueryNote(client, `${connection} ${name}`, connection, text);
      if (emitEvent(host, 'tiding-open-note', { noteId }))
        location.assign(`${appUrl(client)}#/notebook/${noteId}`);
    } catch (error) {
      toast('danger', serverMessageOf(error, t.noteFailed));
    }
  };
  // The code of the grid comes while the database answers.
  useEffect(() => {
    grid.load().catch(() => {});
  }, []);
  const { value } = loaded;
  return (
    <section className="table-preview" aria-label={fill(t.preview, { name })}>
      <header>
        <h3>{reference}</h3>
        <span className="secondary-text">
          {value ? shownText(value.rows.length, value.more) : null}
          {value?.more && rows !== undefined ? ` (${rowsText(rows)})` : null}
        </span>
        <span className="grow" />
        <Button icon={Copy} onClick={() => void copy()}>
          {t.copy}
        </Button>
        {insertable ? (
          <Button
            kind="secondary"
            icon={TextCursorInput}
            onClick={() => emitEvent(host, 'tiding-insert-query', { connection, query, text })}
          >
            {t.insert}
          </Button>
        ) : (
          <Button kind="secondary" icon={FilePlus} busy={busy} onClick={() => void run(createNote)}>
            {t.newNote}
          </Button>
        )}
      </header>
      {value && value.rows.length > 0 ? (
        <WhenLoaded of={grid}>
          {({ default: Grid }) => <Grid preview={value} title={fill(t.preview, { name })} />}
        </WhenLoaded>
      ) : value ? (
        <p className="element-note">{t.noRows}</p>
      ) : (
        <LoadProblem host={host} loaded={loaded} fallback={t.previewFailed} />
      )}
    </section>
  );
}

const shownText = (rows: number, more: boolean): string =>
  rows === 0
    ? ''
    : rows === 1 && !more
      ? t.oneRow
      : fill(more ? t.shown : t.all, { n: formatInteger(rows) });

async function createQueryNote(
  client: Client,
  path: string,
  interpreter: string,
  text: string,
): Promise<string> {
  // A slash would make a folder.
  const flat = path.replaceAll('/', '-');
  const id = await client.notes.create({ path: flat, interpreter, onConflict: 'number' });
  const note = await client.open(id);
  try {
    note.paragraphs[0]!.edit(text);
    await note.commit();
  } finally {
    note.close();
  }
  return id;
}
