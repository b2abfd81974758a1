import type { DownloadFile } from '../contract.ts';

/** Makes the browser download a file. */
export function saveFile({ name, type, data }: DownloadFile): void {
  const url = URL.createObjectURL(
    new Blob([data], { type: typeof data === 'string' ? `${type};charset=utf-8` : type }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the download holds its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
