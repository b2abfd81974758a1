/** Having something saved that a server keeps: whether it goes on, why it failed, and as what it was saved. */
import { useEffect, useRef, useState } from 'react';
import type { Download } from 'tiding/client';
import { saveFile } from '../../result/download.ts';
import { messageOf } from '../../ui/page.tsx';

/** What is there of a download. */
export interface DownloadState {
  readonly busy: boolean;
  /** As a sentence. */
  readonly error: string | undefined;
  readonly saved: string | undefined;
  readonly start: () => void;
}

/** `get` is asked when it is started; where its failure has no words of the server, `failed` says it. Leaving the page ends it. */
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
      const { name, contentType, response } = await get(mine.signal);
      const data = new Uint8Array(await response.arrayBuffer());
      if (mine.signal.aborted) return;
      saveFile({ name, type: contentType, data });
      setState({ busy: false, error: undefined, saved: name });
    } catch (error) {
      if (!mine.signal.aborted)
        setState({ busy: false, error: messageOf(error, failed), saved: undefined });
    }
  };
  return { ...state, start: () => void start() };
}
