/** Downloads something stored on the server: progress, error and file name. */

import type { Download } from '@tiding/client';
import { useEffect, useRef, useState } from 'react';
import { readDownload, saveFile } from '../../result/parts/save-file.ts';
import { serverMessageOf } from '../../ui/page.tsx';

/** Whether a download is running, why it failed, or the name of the file that was saved. */
export interface DownloadState {
  readonly busy: boolean;
  readonly error?: string;
  readonly saved?: string;
}

/**
 * `get` starts the download. `failed` is the message if the server gives none. Unmounting aborts
 * it.
 */
export function useDownload(get: (signal: AbortSignal) => Promise<Download>, failed: string) {
  const [state, setState] = useState<DownloadState>({ busy: false });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    running.current?.abort();
    const mine = (running.current = new AbortController());
    setState({ busy: true });
    try {
      const file = await readDownload(await get(mine.signal));
      if (mine.signal.aborted) return;
      saveFile(file);
      setState({ busy: false, saved: file.name });
    } catch (error) {
      if (!mine.signal.aborted) setState({ busy: false, error: serverMessageOf(error, failed) });
    }
  };
  return { ...state, start: () => void start() };
}
