import { exportFileName } from '@tiding/client/model';
import { ChevronDown, Download } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { DownloadFile } from '../../contract.ts';
import { Menu, MenuGroup, MenuItem } from '../../parts/menu.tsx';
import type { RowSource } from '../../rows/row-source.ts';
import { resultText } from '../../texts.ts';
import type { Arranged, MakePicture } from '../../visualizations/contract.ts';
import { gridTexts } from '../../visualizations/table/texts.ts';
import { ChartExports } from './chart-exports.tsx';
import type { FileFormat } from './export-files.ts';

const formats: readonly FileFormat[] = ['csv', 'tsv', 'xlsx', 'arrow'];

export interface ExportMenuProps {
  frame: RefObject<HTMLElement | null>;
  source: RowSource;
  /** Whether the rows to save are on their way. */
  pending: boolean | undefined;
  /** The rows as sorted and filtered by the view; null if it shows all rows unchanged. */
  arranged: Arranged | null;
  title: string;
  dateFinished: string | undefined;
  download: (file: DownloadFile) => void;
  onFailed: (words: string) => void;
  /** Draws the view as an image, if it is a chart. */
  makePicture?: MakePicture | undefined;
  /** Describes the chart in words. */
  onDescribe?: (() => void) | undefined;
}

/** Download button (CSV) with a menu of all formats, for all rows and for the visible ones. */
export function ExportMenu({
  frame,
  source,
  pending,
  arranged,
  title,
  dateFinished,
  download,
  onFailed,
  makePicture,
  onDescribe,
}: ExportMenuProps) {
  const [busy, setBusy] = useState(false);
  const save = (format: FileFormat, visible: boolean): void => {
    setBusy(true);
    void (async () => {
      try {
        const { allRows, loadedRows, writeFile } = await import('./export-files.ts');
        const { notices = [], ...file } = await writeFile(
          format,
          await loadedRows(visible && arranged ? arranged : allRows(source)),
          exportFileName(title, dateFinished, format),
          gridTexts.sheet,
        );
        if (notices.length > 0) onFailed(notices.join(' '));
        download(file);
      } catch (error) {
        onFailed(`${gridTexts.exportFailed} ${error instanceof Error ? error.message : ''}`.trim());
      } finally {
        setBusy(false);
      }
    })();
  };
  const entries = (visible: boolean) =>
    formats.map((format) => (
      <MenuItem key={format} onClick={() => save(format, visible)}>
        {gridTexts.formatsOfFiles[format]}
      </MenuItem>
    ));
  return (
    <span className="split">
      <Button
        size="sm"
        icon={Download}
        label={resultText.table.download}
        busy={busy || pending}
        onClick={() => save('csv', false)}
      />
      <Menu
        within={frame}
        trigger={
          <Button
            size="sm"
            icon={ChevronDown}
            label={resultText.table.downloadAs}
            disabled={pending}
          />
        }
      >
        <MenuGroup label={gridTexts.exportAll}>{entries(false)}</MenuGroup>
        {arranged && <MenuGroup label={gridTexts.exportVisible}>{entries(true)}</MenuGroup>}
        {makePicture && (
          <ChartExports
            make={makePicture}
            {...{ title, dateFinished, download, onFailed, onDescribe }}
          />
        )}
      </Menu>
    </span>
  );
}
