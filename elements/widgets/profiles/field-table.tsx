/** Table of the fields of a data set profile. Each row expands to the field's details. */

import type { ProfileColumn, ProfileField, ProfileSort } from '@tiding/client/model';
import { type FieldProfile, shareOf, sparkline } from '@tiding/client/widgets';
import {
  Calendar,
  ChevronDown,
  ChevronRight,
  Clock,
  Hash,
  type LucideIcon,
  ToggleLeft,
  Type,
} from 'lucide-react';
import { type CSSProperties, memo, type ReactNode, useMemo, useState } from 'react';
import { emitEvent } from '../../runtime/define-element.ts';
import { useEvent } from '../../runtime/hooks.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { SortHeader } from '../../ui/sort-header.tsx';
import { widgetTexts } from '../texts.ts';
import { Sparkline } from './charts.tsx';
import { FieldDetail } from './field-detail.tsx';
import { count, percent } from './format.ts';
import { profilesTexts as t } from './texts.ts';
import { useRenderNearViewport } from './use-ready.ts';

const icons: ReadonlyMap<string, LucideIcon> = new Map([
  ['text', Type],
  ['numerical', Hash],
  ['date', Calendar],
  ['timestamp', Clock],
  ['boolean', ToggleLeft],
]);
const columns: readonly (readonly [
  ProfileColumn,
  keyof typeof t & ('index' | 'name' | 'type' | 'nulls' | 'distinct'),
])[] = [
  ['fieldIndex', 'index'],
  ['fieldName', 'name'],
  ['inferredProfileType', 'type'],
  ['nullCount', 'nulls'],
  ['distinctValueCount', 'distinct'],
];

interface FieldTableRow extends ProfileField {
  /** Index in the payload; two fields may have the same name. */
  readonly at: number;
  readonly profile: FieldProfile;
}

/** The displayed forms of counts, one per line; percentages also without a space. */
const displayedCounts = (
  counts: readonly (number | undefined)[],
  rowCount: number | undefined,
): string =>
  counts
    .flatMap((value) => {
      const share = percent(shareOf(value, rowCount));
      return [value === undefined ? '' : count(value), share, share.replace(' %', '%')];
    })
    .join('\n');

/** Returns a row for each field, in payload order. */
export const fieldRows = (
  fields: readonly FieldProfile[],
  rowCount: number | undefined,
): FieldTableRow[] =>
  fields.map((profile, at) => ({
    at,
    fieldIndex: profile.fieldIndex ?? at,
    fieldName: profile.fieldName,
    inferredProfileType: profile.inferredProfileType ?? '',
    nullCount: profile.nullCount,
    distinctValueCount: profile.distinctValueCount,
    displayed: displayedCounts([profile.nullCount, profile.distinctValueCount], rowCount),
    profile,
  }));

interface FieldRowProps {
  row: FieldTableRow;
  rowCount: number | undefined;
  open: boolean;
  onToggle: (row: FieldTableRow) => void;
}

const FieldRow = memo(function FieldRow({ row, rowCount, open, onToggle }: FieldRowProps) {
  const { fieldName, inferredProfileType: type, nullCount, distinctValueCount, profile } = row;
  const spark = useMemo(() => sparkline(profile), [profile]);
  const nulls = shareOf(nullCount, rowCount);
  const icon = icons.get(type.toLowerCase());
  const distinct = distinctValueCount === undefined ? '' : count(distinctValueCount);
  return (
    <>
      <tr role="row" className={open ? 'field-row open' : 'field-row'}>
        <td role="cell" className="toggle">
          <Button
            size="sm"
            icon={open ? ChevronDown : ChevronRight}
            aria-expanded={open}
            aria-label={fill(t.profileOf, { name: fieldName })}
            onClick={() => onToggle(row)}
          />
        </td>
        <td role="cell" className="numeric dim">
          {row.fieldIndex}
        </td>
        <td role="cell" className="name" dir="auto">
          {fieldName}
        </td>
        <td role="cell" className="type">
          {icon ? <Icon of={icon} size="sm" /> : null}
          {type}
        </td>
        <td role="cell" className="numeric">
          {nulls !== undefined && nulls > 0 ? (
            <span className="share" aria-hidden="true">
              <i style={{ '--share': Math.min(1, nulls) } as CSSProperties} />
            </span>
          ) : null}
          <span className={nullCount === 0 ? 'amount dim' : 'amount'}>
            {nullCount === undefined ? '' : count(nullCount)}
          </span>
          <span className="percent">{percent(nulls)}</span>
        </td>
        <td role="cell" className="numeric">
          <span className="amount">
            {profile.isApproximate && distinct ? fill(t.approximate, { n: distinct }) : distinct}
          </span>
          <span className="percent">{percent(shareOf(distinctValueCount, rowCount))}</span>
        </td>
        <td role="cell">
          <Sparkline counts={spark} />
        </td>
      </tr>
      {open ? (
        <tr role="row" className="detail">
          <td role="cell" aria-colspan={7}>
            <FieldDetail profile={profile} rowCount={rowCount} />
          </td>
        </tr>
      ) : null}
    </>
  );
});

const ROWS_PER_PART = 60;

interface FieldRowsProps {
  rows: readonly FieldTableRow[];
  atOnce: boolean;
  rowCount: number | undefined;
  opened: ReadonlySet<FieldProfile>;
  onToggle: (row: FieldTableRow) => void;
}

/**
 * A part of the table. Until it comes near the window it contains only the field names, for the
 * browser's find, and reserves its height.
 */
function FieldRows({ rows, atOnce, rowCount, opened, onToggle }: FieldRowsProps) {
  const [drawn, place] = useRenderNearViewport(atOnce);
  return (
    <tbody role="rowgroup" ref={place}>
      {drawn ? (
        rows.map((row) => (
          <FieldRow
            key={row.at}
            row={row}
            rowCount={rowCount}
            open={opened.has(row.profile)}
            onToggle={onToggle}
          />
        ))
      ) : (
        <tr role="row" className="far" style={{ '--rows': rows.length } as CSSProperties}>
          <td role="cell">{rows.map(({ fieldName }) => fieldName).join('\n')}</td>
        </tr>
      )}
    </tbody>
  );
}

interface FieldTableProps {
  rows: readonly FieldTableRow[];
  all: number;
  rowCount: number | undefined;
  sort: ProfileSort | undefined;
  onSort: (column: ProfileColumn) => void;
  filters: ReactNode;
  host: HTMLElement;
}

/** The table of fields, rendered in parts as they come near the window. */
export function FieldTable({ rows, all, rowCount, sort, onSort, filters, host }: FieldTableProps) {
  const [opened, setOpened] = useState<ReadonlySet<FieldProfile>>(() => new Set());
  const parts = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / ROWS_PER_PART) }, (_, at) =>
        rows.slice(at * ROWS_PER_PART, (at + 1) * ROWS_PER_PART),
      ),
    [rows],
  );
  const toggle = useEvent(({ profile }: FieldTableRow) => {
    const closed = opened.has(profile);
    setOpened(
      (before) =>
        new Set(closed ? [...before].filter((each) => each !== profile) : [...before, profile]),
    );
    emitEvent(
      host,
      'tiding-select',
      closed ? null : { values: { fieldName: profile.fieldName }, label: profile.fieldName },
    );
  });
  const order = { by: sort?.column ?? '', down: sort?.direction === 'descending' };
  return (
    <div className="table-card profile-table" role="region" aria-label={t.fieldsTable} tabIndex={0}>
      <table role="table" aria-rowcount={all + 2}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              <span className="visually-hidden">{widgetTexts.details}</span>
            </th>
            {columns.map(([column, label]) => (
              <SortHeader
                key={column}
                column={column}
                label={t[label]}
                order={order}
                onOrder={() => onSort(column)}
              />
            ))}
            <th role="columnheader" scope="col">
              {t.values}
            </th>
          </tr>
          {filters}
        </thead>
        {parts.map((part, at) => (
          <FieldRows
            key={at}
            rows={part}
            atOnce={at === 0}
            rowCount={rowCount}
            opened={opened}
            onToggle={toggle}
          />
        ))}
        {rows.length === 0 ? (
          <tbody role="rowgroup">
            <tr role="row" className="empty">
              <td role="cell" className="dim">
                {all === 0 ? t.noFields : t.noneShown}
              </td>
            </tr>
          </tbody>
        ) : null}
      </table>
    </div>
  );
}
