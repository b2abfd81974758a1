import type { TableData } from '@tiding/client/model';
import { Funnel, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { BuiltInDisplayProps } from '../../contract.ts';
import { formatInteger } from '../../parts/numbers.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { resultText } from '../../texts.ts';
import type { BuiltInVisualization } from '../../visualizations/contract.ts';
import { networkTexts } from '../../visualizations/network/texts.ts';
import { ViewSwitch } from './view-switch.tsx';

const uiText = resultText.table;

interface ResultBarProps {
  frame: RefObject<HTMLElement | null>;
  table: TableData;
  views: readonly BuiltInVisualization[];
  chosen: BuiltInVisualization;
  onView: (id: string) => void;
  optionOpen: boolean;
  onOption: () => void;
  /** Number of rows that pass the view's filter. */
  shown: number | undefined;
  source: RowSource;
  /** Receives the element into which a view renders its own buttons. */
  tools?: (place: HTMLElement | null) => void;
  /** These buttons, in a snapshot. */
  children?: ReactNode;
  /** The download menu. */
  exports: ReactNode;
  full: boolean;
  onFull: (full: boolean) => void;
  applications: BuiltInDisplayProps['applications'];
}

/** Toolbar above a table or chart: view selector, options, row count, downloads and full screen. */
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
  children,
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
      <span ref={tools} className="result-tools">
        {children}
      </span>
      <span className="grow" />
      <span className="result-meta truncate" aria-live={shown === undefined ? undefined : 'polite'}>
        {chosen.summary?.(table) ?? summary(source, chosen, shown)}
      </span>
      {exports}
      <Button
        size="sm"
        className="full-button"
        icon={full ? Minimize2 : Maximize2}
        label={full ? uiText.leaveFullScreen : uiText.fullScreen}
        onClick={() => onFull(!full)}
      />
    </div>
  );
}

const optionName = ({ option }: BuiltInVisualization): string =>
  option === 'filter'
    ? uiText.filter
    : option === 'settings'
      ? networkTexts.settings
      : uiText.fields;

function summary(
  { length, columns }: Pick<RowSource, 'length' | 'columns'>,
  chosen: BuiltInVisualization,
  shown: number | undefined,
): string {
  const all = formatInteger(length);
  const rowText =
    shown === undefined
      ? uiText.rows(all, length === 1)
      : uiText.filtered(formatInteger(shown), all);
  return chosen.option === 'filter'
    ? `${rowText} · ${uiText.columns(formatInteger(columns.length), columns.length === 1)}`
    : rowText;
}
