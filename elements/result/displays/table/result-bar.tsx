import { ChevronDown, Download, Funnel, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react';
import type { RefObject } from 'react';
import { exportFileName, toCsv, toTsv, type TableData } from 'tiding/model';
import { networkText } from '../../../text/network.ts';
import { Button } from '../../../ui/button.tsx';
import type { DownloadFile } from '../../contract.ts';
import { Menu, MenuItem } from '../../menu.tsx';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { MakePicture, Visualization } from '../../visualizations/contract.ts';
import { ChartExports } from './chart-exports.tsx';
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
  /** Of the chart that is shown. */
  picture: MakePicture | undefined;
  full: boolean;
  onFull: (full: boolean) => void;
}

/** The row above a table or chart: views, their option, what there is, downloads, full screen. */
export function ResultBar({ frame, table, views, chosen, onView, optionOpen, onOption, shown, title, dateFinished, download, picture, full, onFull }: ResultBarProps) {
  const save = (extension: 'csv' | 'tsv'): void =>
    download({
      name: exportFileName(title, dateFinished, extension),
      type: extension === 'csv' ? 'text/csv' : 'text/tab-separated-values',
      data: extension === 'csv' ? toCsv(table) : toTsv(table),
    });
  return (
    <div className="result-bar" role="group" aria-label={resultText.result}>
      <ViewSwitch frame={frame} views={views} chosen={chosen} onView={onView} />
      {chosen.option !== 'none' && (
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
      <span className="grow" />
      <span className="result-meta" aria-live={shown === undefined ? undefined : 'polite'}>{summary(table, chosen, shown)}</span>
      <span className="split">
        <Button size="sm" icon={Download} label={words.download} onClick={() => save('csv')} />
        <Menu within={frame} trigger={<Button size="sm" icon={ChevronDown} label={words.downloadAs} />}>
          <MenuItem onClick={() => save('csv')}>{words.csv}</MenuItem>
          <MenuItem onClick={() => save('tsv')}>{words.tsv}</MenuItem>
          {picture && <ChartExports make={picture} title={title} dateFinished={dateFinished} download={download} />}
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

const optionName = ({ option }: Visualization): string => (option === 'filter' ? words.filter : option === 'settings' ? networkText.settings : words.fields);

function summary(table: TableData, chosen: Visualization, shown: number | undefined): string {
  const { rows, columns } = table;
  const own = chosen.summary?.(table);
  if (own !== undefined) return own;
  const all = formatInteger(rows.length);
  const rowText = shown === undefined ? words.rows(all, rows.length === 1) : words.filtered(formatInteger(shown), all);
  return chosen.option === 'filter' ? `${rowText} · ${words.columns(formatInteger(columns.length), columns.length === 1)}` : rowText;
}
