import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Output } from 'tiding/client';
import { Button, Icon } from '../../ui/button.tsx';
import { connectFrame, themeOf, type FrameConnection } from '../frame.ts';
import { Notice } from '../notice.tsx';
import { resultText } from '../text.ts';
import { useThemeChange } from '../use-theme.ts';

/** Heights of outputs shown before: a view that comes back takes its place at once. */
const heights = new WeakMap<readonly string[], number>();
/** Room for an output never shown before. */
const firstHeight = 40;

interface FrameViewProps {
  html: string;
  url: string;
  title: string;
  output: Output;
}

/** HTML of an interpreter, in a frame without origin, network or a way to the page. A change of `html` needs a new key. */
export function FrameView({ html, url, title, output }: FrameViewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const connection = useRef<FrameConnection>(null);
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(() => heights.get(output.chunks) ?? firstHeight);
  const [ended, setEnded] = useState<'flooded' | 'left' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [link, setLink] = useState<URL | null>(null);
  const theme = useThemeChange(box);

  useEffect(() => {
    if (!frame.current || !box.current) return;
    const around = box.current;
    const connected = connectFrame(frame.current, () => ({ type: 'content', html, theme: themeOf(around) }), {
      onHeight(next) {
        heights.set(output.chunks, next);
        setHeight(next);
      },
      onError: (message) => setError((first) => first ?? message),
      onLink: setLink,
      onEnd: setEnded,
    });
    connection.current = connected;
    return () => connected.close();
  }, [html, url, output.chunks]);
  useEffect(() => {
    if (theme > 0 && box.current) connection.current?.setTheme(themeOf(box.current));
  }, [theme]);

  if (url === '') return <Notice>{resultText.html.noFrame}</Notice>;
  if (ended) return <Notice kind="danger">{resultText.html[ended]}</Notice>;
  return (
    <div ref={box}>
      <div className="result-pad">
        <iframe
          ref={frame}
          className="result-frame-view"
          title={resultText.html.frame(title)}
          sandbox="allow-scripts"
          allow=""
          referrerPolicy="no-referrer"
          src={url}
          style={{ height }}
        />
      </div>
      {error !== null && <Notice>{resultText.html.error(error)}</Notice>}
      {link && <LinkQuestion url={link} onDone={() => setLink(null)} />}
    </div>
  );
}

/** Asks before a link of an output leaves the page, naming where it leads. */
export function LinkQuestion({ url, onDone }: { url: URL; onDone: () => void }) {
  const open = (): void => {
    onDone();
    window.open(url.href, '_blank', 'noopener,noreferrer');
  };
  return (
    <div className="result-question" role="alertdialog" aria-label={resultText.html.open(url.host)} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <Icon of={ExternalLink} size="sm" />
      <p className="grow">{resultText.html.open(url.host)}</p>
      <Button size="sm" autoFocus onClick={onDone}>
        {resultText.html.stay}
      </Button>
      <Button size="sm" kind="secondary" onClick={open}>
        {resultText.html.openLink}
      </Button>
    </div>
  );
}
