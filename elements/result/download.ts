import type { DownloadFile } from './contract.ts';

/** Has the browser save a file. */
export function saveFile({ name, type, data }: DownloadFile): void {
  const url = URL.createObjectURL(
    new Blob([data], { type: typeof data === 'string' ? `${type};charset=utf-8` : type }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
