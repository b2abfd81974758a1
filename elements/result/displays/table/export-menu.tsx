import { ChevronDown, Download } from 'lucide-react';
import { useState, type ReactNode, type RefObject } from 'react';
import { exportFileName } from 'tiding/model';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import type { DownloadFile } from '../../contract.ts';
import { Menu, MenuGroup, MenuItem, MenuRule } from '../../menu.tsx';
import { resultText } from '../../text.ts';
import type { Arranged } from '../../visualizations/contract.ts';
import type { RowSource } from '../../visualizations/table/row-source.ts';
import type { FileFormat } from './exports.ts';

const formats: readonly FileFormat[] = ['csv', 'tsv', 'xlsx', 'arrow'];

interface ExportMenuProps {
  frame: RefObject<HTMLElement | null>;
  source: RowSource;
  /** What the view shows of the rows; null where it shows them all as they came. */
  arranged: Arranged | null;
  title: string;
  dateFinished: string | undefined;
  download: (file: DownloadFile) => void;
  onFailed: (words: string) => void;
  /** Further entries: pictures of a chart. */
  children?: ReactNode;
}

/** Downloads of a table: CSV by the button, all formats by the menu, of what is shown and of everything. */
export function ExportMenu({
  frame,
  source,
  arranged,
  title,
  dateFinished,
  download,
  onFailed,
  children,
}: ExportMenuProps) {
  const words = texts.grid;
  const [busy, setBusy] = useState(false);
  const save = (format: FileFormat, visible: boolean): void => {
    setBusy(true);
    void (async () => {
      try {
        const { everything, excelRows, writeFile } = await import('./exports.ts');
        const what = visible && arranged ? arranged : everything(source);
        if (format === 'xlsx' && (what.order ? what.order.length : what.source.length) >= excelRows)
          onFailed(words.tooManyForExcel);
        download(
          await writeFile(format, what, exportFileName(title, dateFinished, format), words.sheet),
        );
      } catch (error) {
        onFailed(`${words.exportFailed} ${error instanceof Error ? error.message : ''}`.trim());
      } finally {
        setBusy(false);
      }
    })();
  };
  const entries = (visible: boolean) =>
    formats.map((format) => (
      <MenuItem key={format} onClick={() => save(format, visible)}>
        {words.formatsOfFiles[format]}
      </MenuItem>
    ));
  return (
    <span className="split">
      <Button
        size="sm"
        icon={Download}
        label={resultText.table.download}
        busy={busy}
        onClick={() => save('csv', false)}
      />
      <Menu
        within={frame}
        trigger={<Button size="sm" icon={ChevronDown} label={resultText.table.downloadAs} />}
      >
        <MenuGroup label={words.exportAll}>{entries(false)}</MenuGroup>
        {arranged && <MenuGroup label={words.exportVisible}>{entries(true)}</MenuGroup>}
        {children && <MenuRule />}
        {children}
      </Menu>
    </span>
  );
}
