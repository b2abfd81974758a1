import { ChevronDown, Download, Funnel, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react';
import type { RefObject } from 'react';
import { exportFileName, toCsv, toTsv, type TableData } from 'tiding/model';
import { Button } from '../../../ui/button.tsx';
import type { DownloadFile, OwnDisplayProps } from '../../contract.ts';
import { Menu, MenuItem } from '../../menu.tsx';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { Visualization } from '../../visualizations/contract.ts';
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
  title: string;
  dateFinished: string | undefined;
  download: (file: DownloadFile) => void;
  full: boolean;
  onFull: (full: boolean) => void;
  applications: OwnDisplayProps['applications'];
}

/** The row above a table or chart: views, their option, what there is, downloads, full screen. */
export function ResultBar({ frame, table, views, chosen, onView, optionOpen, onOption, shown, title, dateFinished, download, full, onFull, applications }: ResultBarProps) {
  const save = (extension: 'csv' | 'tsv'): void =>
    download({
      name: exportFileName(title, dateFinished, extension),
      type: extension === 'csv' ? 'text/csv' : 'text/tab-separated-values',
      data: extension === 'csv' ? toCsv(table) : toTsv(table),
    });
  return (
    <div className="result-bar" role="group" aria-label={resultText.result}>
      <ViewSwitch frame={frame} views={views} chosen={chosen} isShown={!applications?.shown} onView={onView} />
      {applications?.bar}
      {!applications?.shown && chosen.option !== 'none' && (
        <Button
          size="sm"
          className="option-button"
          icon={chosen.option === 'filter' ? Funnel : SlidersHorizontal}
          label={chosen.option === 'filter' ? words.filter : words.fields}
          aria-expanded={optionOpen}
          onClick={onOption}
        >
          <span className="option-label">{chosen.option === 'filter' ? words.filter : words.fields}</span>
        </Button>
      )}
      <span className="grow" />
      <span className="result-meta" aria-live={shown === undefined ? undefined : 'polite'}>{summary(table, chosen, shown)}</span>
      <span className="split">
        <Button size="sm" icon={Download} label={words.download} onClick={() => save('csv')} />
        <Menu within={frame} trigger={<Button size="sm" icon={ChevronDown} label={words.downloadAs} />}>
          <MenuItem onClick={() => save('csv')}>{words.csv}</MenuItem>
          <MenuItem onClick={() => save('tsv')}>{words.tsv}</MenuItem>
        </Menu>
      </span>
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

function summary({ rows, columns }: TableData, chosen: Visualization, shown: number | undefined): string {
  const all = formatInteger(rows.length);
  const rowText = shown === undefined ? words.rows(all, rows.length === 1) : words.filtered(formatInteger(shown), all);
  return chosen.option === 'filter' ? `${rowText} · ${words.columns(formatInteger(columns.length), columns.length === 1)}` : rowText;
}
