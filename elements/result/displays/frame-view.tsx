import { ExternalLink, Play } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Output } from 'tiding/client';
import { Button, Icon } from '../../ui/button.tsx';
import type { ResultWidth } from '../contract.ts';
import type { FrameBinding } from '../frame-binding.ts';
import { ResizeHandle } from '../resize-handle.tsx';
import { connectFrame, themeOf, type FrameConnection } from '../frame.ts';
import { Notice } from '../notice.tsx';
import { resultText } from '../text.ts';
import { useThemeChange } from '../use-theme.ts';

/** Heights of outputs shown before: a view that comes back takes its place at once. */
const heights = new WeakMap<readonly string[], number>();
/** Room for an output never shown before. */
const firstHeight = 40;
/** What has to be written into a page of its own, so that it runs. */
const scripts = /<script/i;

interface FrameViewProps {
  html: string;
  url: string;
  title: string;
  output: Output;
  /** What the output shares with its note. */
  binding?: FrameBinding | undefined;
  /** How wide the paragraph is, where that can be changed from here; the frame is as high as its page. */
  width?: ResultWidth | undefined;
  /** Stands below the frame: questions of a bound output. */
  children?: ReactNode;
}

interface Shown {
  readonly html: string;
  readonly url: string;
  readonly binding: FrameBinding | undefined;
  /** Number of the frame: another one is another page. */
  readonly frame: number;
  readonly ended?: 'flooded' | 'left' | 'silent';
  readonly error?: string;
  readonly forged?: boolean;
  readonly link?: URL | undefined;
}

/** HTML of an interpreter, in a frame without origin, network or a way to the page. Markup without scripts takes the place of such markup in the same frame. */
export function FrameView({ html, url, title, output, binding, width, children }: FrameViewProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const connection = useRef<FrameConnection>(null);
  const box = useRef<HTMLDivElement>(null);
  const newest = useRef({ html, output, given: '' });
  const [height, setHeight] = useState(() => heights.get(output.chunks) ?? firstHeight);
  const [shown, setShown] = useState<Shown>({ html, url, binding, frame: 0 });
  const theme = useThemeChange(box);
  if (shown.html !== html || shown.url !== url || shown.binding !== binding) {
    const same =
      shown.url === url &&
      shown.binding === binding &&
      !binding &&
      !shown.ended &&
      !scripts.test(shown.html) &&
      !scripts.test(html);
    setShown(same ? { ...shown, html } : { html, url, binding, frame: shown.frame + 1 });
  }
  const { frame, ended, error, forged, link } = shown;
  newest.current = { ...newest.current, html, output };

  useEffect(() => {
    if (!element.current || !box.current) return;
    const around = box.current;
    const change = (part: Partial<Shown>): void =>
      setShown((now) => (now.frame === frame ? { ...now, ...part } : now));
    const connected = connectFrame(
      element.current,
      () => ({
        type: 'content',
        html: (newest.current.given = newest.current.html),
        theme: themeOf(around),
        values: binding?.values() ?? [],
      }),
      {
        onHeight(next) {
          heights.set(newest.current.output.chunks, next);
          setHeight(next);
        },
        onError: (message) => setShown((now) => ({ error: message, ...now })),
        onLink: (next) => change({ link: next }),
        onEnd: (reason) => change({ ended: reason }),
        onForged: () => setShown((now) => (now.forged ? now : { ...now, forged: true })),
        onMarked(top) {
          const place = (element.current?.getBoundingClientRect().top ?? 0) + top;
          if (place < 160 || place > window.innerHeight - 60)
            window.scrollBy({ top: place - window.innerHeight / 3 });
        },
        ...(binding ? { onValues: binding.onValues, onCall: binding.onCall } : {}),
      },
    );
    connection.current = connected;
    const unfollow = binding?.follow(connected);
    return () => {
      unfollow?.();
      connected.close();
    };
  }, [frame, binding]);
  useEffect(() => {
    if (!box.current || newest.current.given === '' || newest.current.given === html) return;
    newest.current.given = html;
    connection.current?.setContent({
      type: 'content',
      html,
      theme: themeOf(box.current),
      values: [],
    });
  }, [html, frame]);
  useEffect(() => {
    if (theme > 0 && box.current) connection.current?.setTheme(themeOf(box.current));
  }, [theme]);

  if (url === '') return <Notice>{resultText.html.noFrame}</Notice>;
  if (ended) {
    const again = (
      <Button
        size="sm"
        kind="secondary"
        onClick={() => setShown({ html, url, binding, frame: frame + 1 })}
      >
        {resultText.tryAgain}
      </Button>
    );
    return (
      <Notice kind="danger" action={ended === 'silent' ? again : undefined}>
        {resultText.html[ended]}
      </Notice>
    );
  }
  return (
    <div ref={box}>
      <div className="result-pad sized">
        <iframe
          key={frame}
          ref={element}
          className="result-frame-view"
          title={resultText.html.frame(title)}
          sandbox="allow-scripts"
          allow=""
          referrerPolicy="no-referrer"
          src={url}
          style={{ height }}
        />
        {width && <ResizeHandle width={width} />}
      </div>
      {error !== undefined && <Notice>{resultText.html.error(error)}</Notice>}
      {forged && <Notice>{resultText.html.forged}</Notice>}
      {link && (
        <LinkQuestion url={link} onDone={() => setShown((now) => ({ ...now, link: undefined }))} />
      )}
      {children}
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
    <FrameQuestion
      icon={ExternalLink}
      question={resultText.html.open(url.host)}
      stay={resultText.html.stay}
      go={resultText.html.openLink}
      onGo={open}
      onDone={onDone}
    />
  );
}

interface QuestionProps {
  icon: typeof Play;
  question: string;
  stay: string;
  go: string;
  onGo: () => void;
  onDone: () => void;
}

/** Asks before something that code in a frame has asked for is done; what changes nothing is the nearer answer. */
export function FrameQuestion({ icon, question, stay, go, onGo, onDone }: QuestionProps) {
  return (
    <div
      className="result-question"
      role="alertdialog"
      aria-label={question}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <Icon of={icon} size="sm" />
      <p className="grow">{question}</p>
      <Button size="sm" autoFocus onClick={onDone}>
        {stay}
      </Button>
      <Button size="sm" kind="secondary" onClick={onGo}>
        {go}
      </Button>
    </div>
  );
}
