import { Fragment, useMemo, useState } from 'react';
import { editorMode, magicOf } from 'tiding/model';
import { highlightLines, type Piece } from '../../editor/highlight.ts';
import { loadedLanguage } from '../../editor/languages.ts';
import { fill, text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import {
  foldRows,
  markedPieces,
  MAX_LINES,
  type DiffPart,
  type DiffRow,
  type TextDiff,
} from './diff.ts';

const t = text.revisions;
/** Rows that are drawn at once; the next follow when asked for. */
const STEP = 200;
/** A longer line is cut where it is shown, after so many characters. */
const MAX_LINE = 2_000;
/** Longer texts are not coloured. */
const MAX_COLOURED = 20_000;
/** Cells of a row that are drawn. */
const MAX_CELLS = 50;

/** What a language colours in a text; nothing where it is not loaded. */
export function coloursOf(source: string | undefined): Piece[][] {
  if (source === undefined || source === '') return [];
  const mode = magicOf(source) ? editorMode(source, 'text') : undefined;
  return highlightLines(
    source,
    source.length > MAX_COLOURED ? null : (loadedLanguage(mode)?.language ?? null),
  );
}

interface RowsProps {
  diff: TextDiff;
  /** Draws the rows that are shown of one part. */
  children: (rows: readonly DiffRow[]) => React.ReactNode;
}

/** Rows of a difference, in steps: long ones never stop the page, and what did not change is folded. */
export function DiffRows({ diff, children }: RowsProps) {
  const parts = useMemo(() => foldRows(diff.rows), [diff]);
  const [opened, setOpened] = useState<ReadonlySet<DiffPart>>(new Set());
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
const said = { same: '', added: t.addedLine, removed: t.removedLine } as const;
/** Whether a row begins a place of changes: buttons go from one to the next. */
const begins = (rows: readonly DiffRow[], index: number): boolean =>
  rows[index]!.kind !== 'same' && (index === 0 || rows[index - 1]!.kind === 'same');

interface LinesProps {
  diff: TextDiff;
  label: string;
  /** Colours of the first text and of the second, by line; absent: plain. */
  colours?: readonly [Piece[][], Piece[][]];
}

/** Lines with their numbers in both texts. */
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
                {said[row.kind] ? <span className="visually-hidden">{said[row.kind]}</span> : null}
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

/** Rows of a table: lines of tab-separated cells. A row that changed has its other cells marked. */
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
                      {said[row.kind] ? (
                        <span className="visually-hidden">{said[row.kind]}</span>
                      ) : null}
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

/** Removed rows and the added ones in their place, where there are as many of both. */
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
