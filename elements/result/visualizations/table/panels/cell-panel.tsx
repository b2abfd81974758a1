import { cellText } from '@tiding/client/model';
import { useMemo } from 'react';
import { CodeBoundary, lazyCode } from '../../../../runtime/lazy-code.tsx';
import { Button } from '../../../../ui/button.tsx';
import { indentedJson } from '../../../displays/json/json-source.ts';
import { formatInteger } from '../../../parts/numbers.ts';
import { useCopy } from '../../../parts/use-copy.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { resultText } from '../../../texts.ts';
import { htmlOfCell, isHtmlCell } from '../grid/cell-html.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { Popover } from './popover.tsx';

const FrameView = lazyCode(
  async () => (await import('../../../displays/frame-view.tsx')).FrameView,
);
/** Maximum length of the shown text. The copy button always copies the whole value. */
const MAX_SHOWN_CHARACTERS = 50_000;

interface CellPanelProps {
  source: RowSource;
  column: ColumnView;
  row: number;
  /** URL of the sandboxed page that renders HTML; empty if none is available. */
  frameUrl: string;
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/**
 * Panel with the full value of a cell. Nested values are shown as indented JSON, bytes as ASCII
 * with escapes, and HTML in a sandboxed frame.
 */
export function CellPanel({ source, column, row, frameUrl, anchor, onClose }: CellPanelProps) {
  const [label, copy] = useCopy();
  const value = source.value(row, column.index);
  const markup = isHtmlCell(value) ? htmlOfCell(value) : null;
  const text = useMemo(
    () => (value === null ? resultText.table.null : cellText(source, row, column.index)),
    [value, source, row, column.index],
  );
  const { kind, meaning } = column.column;
  const isJson =
    (meaning === 'json' || kind === 'list' || kind === 'struct') &&
    text.length <= MAX_SHOWN_CHARACTERS;
  const title = gridTexts.cell(column.name, formatInteger(row + 1));
  const output = useMemo(() => ({ type: 'HTML', chunks: [markup ?? ''], count: 1 }), [markup]);
  return (
    <Popover
      anchor={anchor}
      label={title}
      className={markup === null ? 'cell' : 'cell markup'}
      onClose={onClose}
    >
      <div className="grid-panel-head in-row">
        <b>{title}</b>
        {value instanceof Uint8Array && (
          <span className="dim">{gridTexts.bytes(formatInteger(value.length))}</span>
        )}
        <span className="grow" />
        <Button size="sm" data-autofocus="" onClick={() => copy(text)}>
          {label}
        </Button>
      </div>
      {markup !== null ? (
        <CodeBoundary fallback={<p className="dim">{resultText.loading}</p>}>
          <FrameView html={markup} url={frameUrl} title={title} output={output} />
        </CodeBoundary>
      ) : (
        // Focusable so that it can be scrolled with the keyboard.
        <pre tabIndex={0}>
          {(isJson ? indentedJson(text) : text).slice(0, MAX_SHOWN_CHARACTERS)}
        </pre>
      )}
      {markup === null && text.length > MAX_SHOWN_CHARACTERS && (
        <p className="dim">
          {gridTexts.longCell(formatInteger(MAX_SHOWN_CHARACTERS), formatInteger(text.length))}
        </p>
      )}
    </Popover>
  );
}
