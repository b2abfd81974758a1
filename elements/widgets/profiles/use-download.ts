/** Downloads something stored on the server: progress, error and file name. */

import type { Download } from '@tiding/client';
import { useEffect, useRef, useState } from 'react';
import { readDownload, saveFile } from '../../result/parts/save-file.ts';
import { serverMessageOf } from '../../ui/page.tsx';

export interface DownloadState {
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly saved: string | undefined;
  readonly start: () => void;
}

/**
 * `get` starts the download. `failed` is the message if the server gives none. Unmounting aborts
 * it.
 */
export function useDownload(
  get: (signal: AbortSignal) => Promise<Download>,
  failed: string,
): DownloadState {
  const [state, setState] = useState<Omit<DownloadState, 'start'>>({
    busy: false,
    error: undefined,
    saved: undefined,
  });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    running.current?.abort();
    const mine = (running.current = new AbortController());
    setState({ busy: true, error: undefined, saved: undefined });
    try {
      const file = await readDownload(await get(mine.signal));
      if (mine.signal.aborted) return;
      saveFile(file);
      setState({ busy: false, error: undefined, saved: file.name });
    } catch (error) {
      if (!mine.signal.aborted)
        setState({ busy: false, error: serverMessageOf(error, failed), saved: undefined });
    }
  };
  return { ...state, start: () => void start() };
}
