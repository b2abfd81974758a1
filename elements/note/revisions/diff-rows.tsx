import { editorMode, magicOf } from '@tiding/client/model';
import { Fragment, useMemo, useState } from 'react';
import { loadedLanguage } from '../../editor/languages/languages.ts';
import { highlightLines, type Piece } from '../../editor/marks/highlight.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import {
  type DiffRow,
  type DiffSection,
  foldRows,
  MAX_LINES,
  markedPieces,
  type TextDiff,
} from './diff.ts';
import { revisionTexts as t } from './texts.ts';

/** Number of rows rendered at once; a button shows more. */
const STEP = 200;
/** Longer lines are cut for display, in characters. */
const MAX_LINE = 2_000;
/** Longer texts get no syntax highlighting, in characters. */
const MAX_COLOURED = 20_000;
/** Maximum number of cells rendered per row. */
const MAX_CELLS = 50;

/** Syntax-highlighted lines of a text; not highlighted if the language is not loaded. */
export function highlightedLines(source: string | undefined): Piece[][] {
  if (source === undefined || source === '') return [];
  const mode = magicOf(source) ? editorMode(source, 'text') : undefined;
  return highlightLines(
    source,
    source.length > MAX_COLOURED ? null : (loadedLanguage(mode, source)?.language ?? null),
  );
}

interface RowsProps {
  diff: TextDiff;
  /** Renders the visible rows of one part. */
  children: (rows: readonly DiffRow[]) => React.ReactNode;
}

/**
 * Rows of a diff, rendered in steps so that long diffs do not block the page. Unchanged rows are
 * folded.
 */
function DiffRows({ diff, children }: RowsProps) {
  const parts = useMemo(() => foldRows(diff.rows), [diff]);
  const [opened, setOpened] = useState<ReadonlySet<DiffSection>>(new Set());
  const [limit, setLimit] = useState(STEP);
  let left = limit;
  let hidden = 0;
  const shown = parts.map((part, index) => {
    if (part.folded && !opened.has(part)) {
      if (left <= 0) return null;
      return (
        <Button
          key={index}
          size="sm"
          className="diff-fold"
          onClick={() => setOpened(new Set([...opened, part]))}
        >
          {fill(t.unchanged, { count: part.rows.length })}
        </Button>
      );
    }
    const rows = part.rows.slice(0, Math.max(0, left));
    left -= rows.length;
    hidden += part.rows.length - rows.length;
    return rows.length === 0 ? null : <Fragment key={index}>{children(rows)}</Fragment>;
  });
  return (
    <>
      {shown}
      {hidden > 0 ? (
        <Button size="sm" className="diff-fold" onClick={() => setLimit(limit + STEP)}>
          {fill(t.showMore, { count: Math.min(STEP, hidden) })}
        </Button>
      ) : null}
      {diff.cut ? (
        <p className="hint diff-cut">
          {fill(t.tooLong, { count: MAX_LINES.toLocaleString('en') })}
        </p>
      ) : null}
    </>
  );
}

const sign = { same: ' ', added: '+', removed: '-' } as const;
const classes = { same: 'dl', added: 'dl add', removed: 'dl del' } as const;
/** What a screen reader says before a line. */
const spoken = (kind: DiffRow['kind']) =>
  kind === 'same' ? null : (
    <span className="visually-hidden">{kind === 'added' ? t.addedLine : t.removedLine}</span>
  );
/** Whether a row is the first of a change; the previous and next buttons stop there. */
const begins = (rows: readonly DiffRow[], index: number): boolean =>
  rows[index]!.kind !== 'same' && (index === 0 || rows[index - 1]!.kind === 'same');

interface LinesProps {
  diff: TextDiff;
  label: string;
  /** Highlighted lines of the first and the second text; plain text if absent. */
  colours?: readonly [Piece[][], Piece[][]];
}

/** A diff as lines, with line numbers of both texts. */
export function DiffLines({ diff, label, colours }: LinesProps) {
  const piecesOf = (row: DiffRow): readonly Piece[] => {
    const line =
      row.after !== undefined ? colours?.[1][row.after - 1] : colours?.[0][row.before! - 1];
    return line ?? [{ text: row.text, className: '' }];
  };
  return (
    <div className="code diff" role="group" aria-label={label} tabIndex={0} dir="ltr">
      <DiffRows diff={diff}>
        {(rows) =>
          rows.map((row, index) => (
            <div
              key={`${row.kind}${row.before ?? ''},${row.after ?? ''}`}
              className={classes[row.kind]}
              data-change={begins(rows, index) || undefined}
            >
              <span className="ln" aria-hidden="true">
                {row.before}
              </span>
              <span className="ln" aria-hidden="true">
                {row.after}
              </span>
              <span className="sg" aria-hidden="true">
                {sign[row.kind]}
              </span>
              <span className="ct">
                {spoken(row.kind)}
                {markedPieces(
                  row.text.length > MAX_LINE
                    ? [{ text: `${row.text.slice(0, MAX_LINE)}…`, className: '' }]
                    : piecesOf(row),
                  row.marks,
                ).map((piece, at) =>
                  piece.marked ? (
                    <mark key={at} className={piece.className || undefined}>
                      {piece.text}
                    </mark>
                  ) : piece.className ? (
                    <span key={at} className={piece.className}>
                      {piece.text}
                    </span>
                  ) : (
                    piece.text
                  ),
                )}
                {'\n'}
              </span>
            </div>
          ))
        }
      </DiffRows>
    </div>
  );
}

/** A diff of tab-separated rows as a table. In changed rows, the cells that differ are marked. */
export function DiffTable({ diff, label }: LinesProps) {
  const partner = useMemo(() => partners(diff.rows), [diff]);
  return (
    <div className="diff diff-table" role="region" aria-label={label} tabIndex={0}>
      <DiffRows diff={diff}>
        {(rows) => (
          <table>
            <tbody>
              {rows.map((row, index) => {
                const other = partner.get(row)?.text.split('\t');
                return (
                  <tr
                    key={`${row.kind}${row.before ?? ''},${row.after ?? ''}`}
                    className={classes[row.kind]}
                    data-change={begins(rows, index) || undefined}
                  >
                    <td className="sg">
                      {spoken(row.kind)}
                      <span aria-hidden="true">{sign[row.kind]}</span>
                    </td>
                    {row.text.split('\t', MAX_CELLS).map((cell, at) => {
                      const shown = cell.length > MAX_LINE ? `${cell.slice(0, MAX_LINE)}…` : cell;
                      const content = other && other[at] !== cell ? <mark>{shown}</mark> : shown;
                      return (row.after ?? row.before) === 1 ? (
                        <th key={at} scope="col">
                          {content}
                        </th>
                      ) : (
                        <td key={at}>{content}</td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </DiffRows>
    </div>
  );
}

/** Maps removed rows to the added rows that replace them, where there are equally many. */
function partners(rows: readonly DiffRow[]): Map<DiffRow, DiffRow> {
  const found = new Map<DiffRow, DiffRow>();
  for (let at = 0; at < rows.length; ) {
    let middle = at;
    while (rows[middle]?.kind === 'removed') middle += 1;
    let end = middle;
    while (rows[end]?.kind === 'added') end += 1;
    if (middle - at > 0 && end - middle === middle - at) {
      for (let index = at; index < middle; index += 1) {
        found.set(rows[index]!, rows[index + middle - at]!);
        found.set(rows[index + middle - at]!, rows[index]!);
      }
    }
    at = Math.max(end, at + 1);
  }
  return found;
}
