import { exportFileName } from '@tiding/client/model';
import { MenuItem, MenuRule } from '../../parts/menu.tsx';
import { chartTexts } from '../../visualizations/chart/texts.ts';
import type { MakePicture } from '../../visualizations/contract.ts';
import type { ExportMenuProps } from './export-menu.tsx';

const types = { png: 'image/png', svg: 'image/svg+xml' } as const;

type ChartExportsProps = { make: MakePicture } & Pick<
  ExportMenuProps,
  'title' | 'dateFinished' | 'download' | 'onFailed' | 'onDescribe'
>;

/** Entries of the download menu that save the chart as an image. */
export function ChartExports({
  make,
  title,
  dateFinished,
  download,
  onFailed,
  onDescribe,
}: ChartExportsProps) {
  const save = async (format: 'png' | 'svg'): Promise<void> => {
    try {
      const data = await make(format);
      download({ name: exportFileName(title, dateFinished, format), type: types[format], data });
    } catch (error) {
      onFailed(`${chartTexts.exportFailed} ${error instanceof Error ? error.message : ''}`.trim());
    }
  };
  const copy = async (): Promise<void> => {
    try {
      // Safari allows only a promise here: what is awaited first is no longer a click.
      const image = make('png').then((data) => new Blob([data], { type: types.png }));
      await navigator.clipboard.write([new ClipboardItem({ [types.png]: image })]);
    } catch {
      onFailed(chartTexts.copyFailed);
    }
  };
  return (
    <>
      <MenuRule />
      <MenuItem onClick={() => void copy()}>{chartTexts.copyImage}</MenuItem>
      <MenuItem onClick={() => void save('png')}>{chartTexts.png}</MenuItem>
      <MenuItem onClick={() => void save('svg')}>{chartTexts.svg}</MenuItem>
      {onDescribe && <MenuItem onClick={onDescribe}>{chartTexts.describe}</MenuItem>}
    </>
  );
}
