import type { DatabaseRelation } from '@tiding/client/protocol';
import { ChevronDown, ChevronRight, Database, Eye, Table } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { formatInteger } from '../result/parts/numbers.ts';
import { fill } from '../text/fill.ts';
import { Icon } from '../ui/button.tsx';
import type { SchemaRow } from './schema-rows.ts';
import { connectionTexts as t } from './texts.ts';

interface SchemaTreeProps {
  label: string;
  rows: readonly SchemaRow[];
  /** Key of the table that is shown. */
  selected: string | undefined;
  onSelect: (relation: DatabaseRelation) => void;
  onToggle: (key: string) => void;
}

/**
 * Tree of schemas, tables and columns (ARIA tree pattern, one tab stop): arrow keys move, right and
 * left expand and collapse, Enter selects a table.
 */
export function SchemaTree({ label, rows, selected, onSelect, onToggle }: SchemaTreeProps) {
  const [active, setActive] = useState<string>();
  const root = useRef<HTMLUListElement>(null);
  const stop = rows.some(({ key }) => key === active) ? active : rows[0]?.key;
  const items = (): HTMLElement[] => [
    ...(root.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
  ];
  const focus = (at: number): void => items()[at]?.focus();
  const act = (row: SchemaRow): void => {
    if (row.kind === 'relation') onSelect(row.relation);
    else if (row.kind === 'schema') onToggle(row.key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = items().indexOf(event.target as HTMLElement);
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const open = row.kind === 'column' ? undefined : row.open;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (open === false ? onToggle(row.key) : open && focus(at + 1)),
      ArrowLeft: () =>
        open
          ? onToggle(row.key)
          : focus(rows.findLastIndex(({ level }, other) => other < at && level < row.level)),
      Enter: () => act(row),
      ' ': () => act(row),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  return (
    <ul ref={root} className="schema-tree" role="tree" aria-label={label} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <li
          key={row.key}
          role="treeitem"
          className={`schema-row level-${row.level}`}
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.count}
          aria-expanded={row.kind === 'column' ? undefined : row.open}
          aria-selected={row.kind === 'relation' ? row.key === selected : undefined}
          tabIndex={row.key === stop ? 0 : -1}
          onFocus={() => setActive(row.key)}
          onClick={() => act(row)}
        >
          <RowContent row={row} onToggle={onToggle} />
        </li>
      ))}
    </ul>
  );
}

function RowContent({ row, onToggle }: { row: SchemaRow; onToggle: (key: string) => void }) {
  if (row.kind === 'column') {
    const { name, nullable, type } = row.column;
    const aside = nullable ? type : fill(t.required, { type });
    return (
      <>
        <span className="schema-name">{name}</span>
        <span className="schema-aside" title={aside}>
          {aside}
        </span>
      </>
    );
  }
  const toggle = (
    // The arrow keys do the same.
    <span
      className="schema-toggle"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle(row.key);
      }}
    >
      <Icon of={row.open ? ChevronDown : ChevronRight} size="sm" />
    </span>
  );
  if (row.kind === 'schema')
    return (
      <>
        {toggle}
        <Icon of={Database} size="sm" />
        <span className="schema-name">{row.name}</span>
      </>
    );
  const { kind, name, rows } = row.relation;
  return (
    <>
      {toggle}
      <Icon of={kind === 'view' ? Eye : Table} size="sm" />
      <span className="schema-name">{name}</span>
      <span className="schema-aside">
        {kind === 'view' ? t.view : rows === undefined ? '' : rowsText(rows)}
      </span>
    </>
  );
}

export const rowsText = (rows: number): string => fill(t.rows, { n: formatInteger(rows) });
