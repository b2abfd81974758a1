import { useEffect, useRef, useState } from 'react';
import type { TokenSource } from '../../runtime/clients.ts';
import { emitEvent, type ViewProps } from '../../runtime/define-element.ts';
import { commonTexts } from '../../text/common.ts';
import sheet from './paragraph-frame.css';

export const sheets = [sheet];

const INITIAL_HEIGHT_PX = 120;
const MIN_HEIGHT_PX = 40;
const MAX_HEIGHT_PX = 20_000;

/**
 * Shows a paragraph in an iframe with a page from the server, so that it shares nothing with the
 * host page. The height follows the content.
 */
export default function FrameView({ host, values }: ViewProps) {
  const { server, token, note, paragraph, title } = values as Record<string, string | undefined> & {
    token?: TokenSource;
  };
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(INITIAL_HEIGHT_PX);
  const address =
    server && note && paragraph && URL.canParse(server, document.baseURI)
      ? new URL(server, document.baseURI).href.replace(/\/+$/, '')
      : undefined;
  const newest = useRef(token);
  newest.current = token;

  useEffect(() => {
    if (!address) return undefined;
    const { origin } = new URL(address);
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return;
      if (event.data === 'tiding-token-wanted') {
        // The frame has another origin and gets no cookies of the server, so the token is sent by
        // message.
        void Promise.resolve(
          typeof newest.current === 'function' ? newest.current() : newest.current,
        ).then((value) => {
          if (value !== undefined)
            frame.current?.contentWindow?.postMessage(
              { type: 'tiding-token', token: value },
              origin,
            );
        });
        return;
      }
      const wanted = readHeight(event.data);
      if (wanted === undefined) return;
      setHeight(Math.min(MAX_HEIGHT_PX, Math.max(MIN_HEIGHT_PX, Math.ceil(wanted))));
      emitEvent(host, 'tiding-resize', { height: wanted });
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [address, host]);

  if (!address)
    return <p className="frame-message">{server ? commonTexts.noNote : commonTexts.noServer}</p>;
  const src =
    `${address}/#/notebook/${encodeURIComponent(note!)}` +
    `/paragraph/${encodeURIComponent(paragraph!)}?asIframe` +
    `${token === undefined ? '' : '&token'}`;
  return (
    <iframe
      ref={frame}
      src={src}
      title={title ?? commonTexts.loading}
      style={{ height: `${height}px` }}
      part="frame"
      loading="lazy"
    />
  );
}

/** Parses the resize message of a framed paragraph: JSON text `{height, url}`, as in Zeppelin. */
function readHeight(data: unknown): number | undefined {
  if (typeof data !== 'string' || data.length > 10_000) return undefined;
  try {
    const { height } = JSON.parse(data) as { height?: unknown };
    return typeof height === 'number' && Number.isFinite(height) ? height : undefined;
  } catch {
    return undefined;
  }
}
