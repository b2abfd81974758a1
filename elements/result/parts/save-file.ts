import type { Download } from '@tiding/client';
import type { DownloadFile } from '../contract.ts';

/** Reads a file that is downloaded from the server. */
export const readDownload = async (download: Download): Promise<DownloadFile> => ({
  name: download.name,
  type: download.contentType,
  data: new Uint8Array(await download.response.arrayBuffer()),
});

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
