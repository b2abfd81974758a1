import { lazy, Suspense, useMemo } from 'react';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { useCopy } from '../../copy.ts';
import type { ColumnView } from './columns.ts';
import { cellText } from './copy-cells.ts';
import { isMarkup, markupOf } from './markup.ts';
import { Popover } from './popover.tsx';
import type { RowSource } from './row-source.ts';

const FrameView = lazy(async () => ({
  default: (await import('../../displays/frame-view.tsx')).FrameView,
}));
/** A panel holds so much text; the whole is copied. */
const panelLength = 50_000;

interface CellPanelProps {
  source: RowSource;
  column: ColumnView;
  row: number;
  /** Address of the page markup is drawn in; empty where there is none. */
  frameUrl: string;
  anchor: () => DOMRect | undefined;
  onClose: () => void;
}

/** A cell as a whole: long and nested values as they are, bytes as hex, markup in a frame that can reach nothing. */
export function CellPanel({ source, column, row, frameUrl, anchor, onClose }: CellPanelProps) {
  const words = texts.grid;
  const [label, copy] = useCopy();
  const value = source.value(row, column.index);
  const markup = isMarkup(value) ? markupOf(value) : null;
  const text = useMemo(
    () => (value === null ? resultText.table.null : cellText(source, row, column.index)),
    [value, source, row, column.index],
  );
  const title = words.cell(column.name, formatInteger(row + 1));
  const output = useMemo(() => ({ type: 'HTML', chunks: [markup ?? ''], count: 1 }), [markup]);
  return (
    <Popover
      anchor={anchor}
      label={title}
      className={markup === null ? 'cell' : 'cell markup'}
      onClose={onClose}
    >
      <div className="grid-panel-head">
        <b>{title}</b>
        {value instanceof Uint8Array && (
          <span className="dim">{words.bytes(formatInteger(value.length))}</span>
        )}
        <span className="grow" />
        <Button size="sm" data-autofocus="" onClick={() => copy(text)}>
          {label}
        </Button>
      </div>
      {markup !== null ? (
        <Suspense fallback={<p className="dim">{resultText.loading}</p>}>
          <FrameView html={markup} url={frameUrl} title={title} output={output} />
        </Suspense>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
        <pre tabIndex={0}>{text.slice(0, panelLength)}</pre>
      )}
      {markup === null && text.length > panelLength && (
        <p className="dim">
          {words.longCell(formatInteger(panelLength), formatInteger(text.length))}
        </p>
      )}
    </Popover>
  );
}
