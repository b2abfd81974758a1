import type { Output } from '@tiding/client';
import { ExternalLink, type Play } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, Icon } from '../../ui/button.tsx';
import type { ResultWidth } from '../contract.ts';
import { isolated } from '../frames/frame-address.ts';
import type { FrameBinding } from '../frames/frame-binding.ts';
import { connectFrame, type FrameConnection, themeOf } from '../frames/frame-connection.ts';
import { useThemeOf } from '../frames/use-theme-of.ts';
import { OutputPlaceholder } from '../output-placeholder.tsx';
import { Notice } from '../parts/notice.tsx';
import { ResizeHandle } from '../parts/resize-handle.tsx';
import { usePrinting } from '../parts/use-printing.ts';
import { resultText } from '../texts.ts';

/** Last height of each output in px, so that a remounted view doesn't jump. */
const heights = new WeakMap<readonly string[], number>();
/** Initial height in px of an output that was never shown. */
const INITIAL_HEIGHT_PX = 40;
/** Scripts run only if the HTML is written into a new page. */
const SCRIPT_TAG = /<script/i;

interface FrameViewProps {
  html: string;
  url: string;
  title: string;
  output: Output;
  /** Connection to the note, for Angular outputs and Jupyter widgets. */
  binding?: FrameBinding | undefined;
  /**
   * Width of the paragraph if it can be changed here. The frame's height always follows its
   * content.
   */
  width?: ResultWidth | undefined;
  /** Describes an error that the frame reported. Default: of a script. */
  errorText?: ((message: string) => string) | undefined;
  /** Content below the frame: questions of a bound output. */
  children?: ReactNode;
}

interface Shown {
  readonly html: string;
  readonly url: string;
  readonly binding: FrameBinding | undefined;
  /** Key of the iframe; a new number loads a new page. */
  readonly frame: number;
  readonly ended?: 'flooded' | 'left' | 'silent';
  readonly error?: string;
  /** Hosts that the frame's policy does not allow. */
  readonly blocked?: readonly string[];
  readonly forged?: boolean;
  readonly link?: URL | undefined;
}

/**
 * Shows interpreter HTML in a sandboxed frame without origin, network or access to the page. HTML
 * without scripts can replace other HTML without scripts in the same frame.
 */
export function FrameView({
  html,
  url,
  title,
  output,
  binding,
  width,
  errorText = resultText.html.error,
  children,
}: FrameViewProps) {
  const element = useRef<HTMLIFrameElement>(null);
  const connection = useRef<FrameConnection>(null);
  const box = useRef<HTMLDivElement>(null);
  const newest = useRef({ html, output, given: '' });
  const [height, setHeight] = useState(() => heights.get(output.chunks) ?? INITIAL_HEIGHT_PX);
  const [shown, setShown] = useState<Shown>({ html, url, binding, frame: 0 });
  const printing = usePrinting();
  if (shown.html !== html || shown.url !== url || shown.binding !== binding) {
    const same =
      shown.url === url &&
      shown.binding === binding &&
      !binding &&
      !shown.ended &&
      !SCRIPT_TAG.test(shown.html) &&
      !SCRIPT_TAG.test(html);
    setShown(same ? { ...shown, html } : { html, url, binding, frame: shown.frame + 1 });
  }
  const { frame, ended, error, forged, link, blocked = [] } = shown;
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
        onBlocked: (origin) =>
          setShown((now) =>
            now.frame === frame && !now.blocked?.includes(origin)
              ? { ...now, blocked: [...(now.blocked ?? []), origin] }
              : now,
          ),
        onLink: (next) => change({ link: next }),
        onEnd: (reason) => change({ ended: reason }),
        onForged: () => setShown((now) => (now.forged ? now : { ...now, forged: true })),
        onMarked(top) {
          const place = (element.current?.getBoundingClientRect().top ?? 0) + top;
          if (place < 160 || place > window.innerHeight - 60)
            window.scrollBy({ top: place - window.innerHeight / 3 });
        },
        ...(binding && {
          onValues: (values) => binding.onValues?.(values),
          onCall: (call, byReader) => binding.onCall?.(call, byReader),
          onReady: () => binding.onReady?.(),
          onComms: (requests) => binding.onComms?.(requests),
        }),
      },
    );
    connection.current = connected;
    const unfollow = binding?.follow(connected);
    return () => {
      unfollow?.();
      connected.close();
    };
  }, [frame, binding]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new frame needs the content again
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
  useThemeOf(box, (theme) => connection.current?.setTheme(theme));

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
      {/* A frame that has not loaded yet prints nothing. */}
      {printing && !heights.has(output.chunks) && (
        <OutputPlaceholder output={output} height={INITIAL_HEIGHT_PX} />
      )}
      <div className="result-pad sized">
        <iframe
          key={frame}
          ref={element}
          className="result-frame-view"
          title={resultText.html.frame(title)}
          {...isolated}
          src={url}
          style={{ height }}
        />
        {width && <ResizeHandle width={width} />}
      </div>
      {error !== undefined && <Notice>{errorText(error)}</Notice>}
      {/* The page of a note that is not trusted loads nothing; the note says so. */}
      {blocked.length > 0 && !url.includes('/still') && (
        <Notice>{resultText.html.blocked(blocked)}</Notice>
      )}
      {forged && <Notice>{resultText.html.forged}</Notice>}
      {link && (
        <LinkQuestion url={link} onDone={() => setShown((now) => ({ ...now, link: undefined }))} />
      )}
      {children}
    </div>
  );
}

/** Asks before a link in an output opens a new tab; the question names the host. */
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

/**
 * Asks before an action requested by code in a frame is carried out. The button that declines has
 * the focus.
 */
export function FrameQuestion({ icon, question, stay, go, onGo, onDone }: QuestionProps) {
  return (
    <div
      className="result-question in-row"
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
