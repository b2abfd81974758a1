import type { Client } from '@tiding/client';
import type { DatabaseRelation } from '@tiding/client/protocol';
import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatInteger } from '../result/parts/numbers.ts';
import { toggled } from '../runtime/toggled.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { FilterField, LoadProblem, useLoaded } from '../ui/page.tsx';
import { relationKey, schemaRows } from './schema-rows.ts';
import { SchemaTree } from './schema-tree.tsx';
import { TablePreview } from './table-preview.tsx';
import { connectionTexts as t } from './texts.ts';

const SEARCH_MS = 250;
/** The server stops after 12 s. */
const SCHEMA_MS = 20_000;

interface ExplorerProps {
  client: Client;
  host: HTMLElement;
  connection: string;
  insertable: boolean;
  toast: (kind: 'danger' | 'success' | 'info', message: string) => void;
}

/** Tables of a connection beside the first rows of one of them. */
export function Explorer(props: ExplorerProps) {
  const { client, connection, host } = props;
  const [term, setTerm] = useState('');
  const [selected, setSelected] = useState<DatabaseRelation>();
  /** Rows that the user opened or closed. */
  const [opposite, setOpposite] = useState<ReadonlySet<string>>(new Set());
  /** Of a database with many tables, the server searches. */
  const asked = useRef('');
  const hasMore = useRef(false);
  const loaded = useLoaded(client, ({ connections }) =>
    connections.schema(connection, {
      timeout: SCHEMA_MS,
      ...(asked.current === '' ? {} : { search: asked.current }),
    }),
  );
  const { loading, reload, value } = loaded;
  if (value && asked.current === '') hasMore.current = value.more;
  const needle = term.trim().toLowerCase();
  useEffect(() => {
    if (!hasMore.current || asked.current === needle) return;
    asked.current = needle;
    void reload();
  }, [needle, reload]);
  const rows = useMemo(
    () => schemaRows(value?.relations ?? [], needle, opposite),
    [value, needle, opposite],
  );
  const toggle = (key: string): void => setOpposite((before) => toggled(before, key));
  return (
    <section className="card explorer" aria-label={fill(t.tablesOf, { name: connection })}>
      <div className="explorer-side">
        <h2>{fill(t.tablesOf, { name: connection })}</h2>
        {value ? (
          <>
            <div className="explorer-tools">
              <FilterField label={t.search} value={term} delay={SEARCH_MS} onValue={setTerm} />
              <Button
                icon={RefreshCw}
                label={t.refresh}
                busy={loading}
                onClick={() => void reload()}
              />
            </div>
            {rows.length === 0 ? (
              <p className="element-note" role="status">
                {needle === '' ? t.noTables : fill(t.noTablesFound, { term: term.trim() })}
              </p>
            ) : (
              <SchemaTree
                label={fill(t.tablesOf, { name: connection })}
                rows={rows}
                selected={selected && relationKey(selected)}
                onSelect={setSelected}
                onToggle={toggle}
              />
            )}
            {value.more ? (
              <p className="hint">{fill(t.more, { n: formatInteger(value.relations.length) })}</p>
            ) : null}
          </>
        ) : (
          <LoadProblem host={host} loaded={loaded} fallback={t.tablesFailed} />
        )}
      </div>
      <div className="explorer-main">
        {selected ? (
          <TablePreview key={relationKey(selected)} {...props} relation={selected} />
        ) : (
          <p className="element-note">{value && rows.length > 0 ? t.choose : ''}</p>
        )}
      </div>
    </section>
  );
}
