import { Funnel, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import type { TableData } from 'tiding/model';
import { networkText } from '../../../text/network.ts';
import { Button } from '../../../ui/button.tsx';
import type { OwnDisplayProps } from '../../contract.ts';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { Visualization } from '../../visualizations/contract.ts';
import type { RowSource } from '../../visualizations/table/row-source.ts';
import { ViewSwitch } from './view-switch.tsx';

const words = resultText.table;

interface ResultBarProps {
  frame: RefObject<HTMLElement | null>;
  table: TableData;
  views: readonly Visualization[];
  chosen: Visualization;
  onView: (id: string) => void;
  optionOpen: boolean;
  onOption: () => void;
  /** Rows the view shows after its own filter. */
  shown: number | undefined;
  /** All rows, where the table holds only the first ones. */
  source: RowSource | undefined;
  /** Takes the place where a view puts buttons of its own. */
  tools: (place: HTMLElement | null) => void;
  /** The downloads. */
  exports: ReactNode;
  full: boolean;
  onFull: (full: boolean) => void;
  applications: OwnDisplayProps['applications'];
}

/** The row above a table or chart: views, their option, what there is, downloads, full screen. */
export function ResultBar({
  frame,
  table,
  views,
  chosen,
  onView,
  optionOpen,
  onOption,
  shown,
  source,
  tools,
  exports,
  full,
  onFull,
  applications,
}: ResultBarProps) {
  return (
    <div className="result-bar" role="group" aria-label={resultText.result}>
      <ViewSwitch
        frame={frame}
        views={views}
        chosen={chosen}
        isShown={!applications?.shown}
        onView={onView}
      />
      {applications?.bar}
      {!applications?.shown && chosen.option !== 'none' && (
        <Button
          size="sm"
          className="option-button"
          icon={chosen.option === 'filter' ? Funnel : SlidersHorizontal}
          label={optionName(chosen)}
          aria-expanded={optionOpen}
          onClick={onOption}
        >
          <span className="option-label">{optionName(chosen)}</span>
        </Button>
      )}
      <span ref={tools} className="result-tools" />
      <span className="grow" />
      <span className="result-meta" aria-live={shown === undefined ? undefined : 'polite'}>
        {chosen.summary?.(table) ??
          summary(source ?? { length: table.rows.length, columns: table.columns }, chosen, shown)}
      </span>
      {exports}
      <Button
        size="sm"
        className="full-button"
        icon={full ? Minimize2 : Maximize2}
        label={full ? words.leaveFullScreen : words.fullScreen}
        onClick={() => onFull(!full)}
      />
    </div>
  );
}

const optionName = ({ option }: Visualization): string =>
  option === 'filter' ? words.filter : option === 'settings' ? networkText.settings : words.fields;

function summary(
  { length, columns }: Pick<RowSource, 'length'> & { columns: readonly unknown[] },
  chosen: Visualization,
  shown: number | undefined,
): string {
  const all = formatInteger(length);
  const rowText =
    shown === undefined ? words.rows(all, length === 1) : words.filtered(formatInteger(shown), all);
  return chosen.option === 'filter'
    ? `${rowText} · ${words.columns(formatInteger(columns.length), columns.length === 1)}`
    : rowText;
}
