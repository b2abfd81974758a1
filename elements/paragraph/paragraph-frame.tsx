import { useEffect, useRef, useState } from 'react';
import {
  commonProperties,
  tell,
  type ElementSpec,
  type ViewProps,
} from '../runtime/define-element.ts';
import type { TokenSource } from '../runtime/clients.ts';
import { text } from '../text/en.ts';
import sheet from './paragraph-frame.css';

const MIN_HEIGHT = 40;
const MAX_HEIGHT = 20_000;

/** The paragraph in a page of its own, from the server: nothing of it shares this page. Its height follows the content. */
function FrameView({ host, values }: ViewProps) {
  const { server, token, note, paragraph, title } = values as Record<string, string | undefined> & {
    token?: TokenSource;
  };
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(120);
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
        // The frame is of another origin, where no cookie of the server travels: it gets the token by message.
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
      setHeight(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, Math.ceil(wanted))));
      tell(host, 'tiding-resize', { height: wanted });
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [address, host]);

  if (!address) return <p className="frame-message">{server ? text.noNote : text.noServer}</p>;
  const src = `${address}/#/notebook/${encodeURIComponent(note!)}/paragraph/${encodeURIComponent(paragraph!)}?asIframe${token === undefined ? '' : '&token'}`;
  return (
    <iframe
      ref={frame}
      src={src}
      title={title ?? text.loading}
      style={{ height: `${height}px` }}
      part="frame"
      loading="lazy"
    />
  );
}

/** The message of a framed paragraph: JSON text `{height, url}` (upstream's). */
function readHeight(data: unknown): number | undefined {
  if (typeof data !== 'string' || data.length > 10_000) return undefined;
  try {
    const { height } = JSON.parse(data) as { height?: unknown };
    return typeof height === 'number' && Number.isFinite(height) ? height : undefined;
  } catch {
    return undefined;
  }
}

/** `<tiding-paragraph-frame>` */
export const paragraphFrame: ElementSpec = {
  tag: 'tiding-paragraph-frame',
  doc: 'One paragraph in an iframe of the server: isolated from the page, height follows content.',
  view: FrameView,
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    paragraph: { kind: 'string', doc: 'Id of the paragraph.' },
    title: { kind: 'string', doc: 'Name of the frame for screen readers.' },
  },
  events: [{ name: 'tiding-resize', doc: 'The content has a new height; detail {height} in px.' }],
  sheets: [sheet],
};
