/** A view of a package: its page in a frame of its own, the panel that it asks for, and what is wrong with it. */
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FunctionComponent,
} from 'react';
import type { HeliumEntry } from 'tiding/protocol';
import { themeOf } from '../frame.ts';
import { Notice } from '../notice.tsx';
import { Button } from '../../ui/button.tsx';
import type { PackageTable, Panel, Settings } from '../package-page/protocol.ts';
import { LinkQuestion } from '../displays/frame-view.tsx';
import { Skeleton } from '../skeleton.tsx';
import { resultText } from '../text.ts';
import { useThemeChange } from '../use-theme.ts';
import type { OwnVisualizationProps } from '../visualizations/contract.ts';
import { configOf, patchOf } from './config.ts';
import { connectPackage, packageFrameUrl, type PackageConnection } from './connect.ts';
import { PackagePanel } from './panels.tsx';
import { packagesOf } from './store.ts';

const words = resultText.packages;
/** A package that has drawn nothing after this long is said to be slow, ms. */
const MUTE_MS = 10_000;

/** The view of a package. */
export const packageView = (pkg: HeliumEntry['pkg']): FunctionComponent<OwnVisualizationProps> =>
  function View(props) {
    const [tries, setTries] = useState(0);
    if (!props.place) return <Notice>{words.needsServer}</Notice>;
    return <PackageView key={tries} pkg={pkg} {...props} onAgain={() => setTries(tries + 1)} />;
  };

type Props = OwnVisualizationProps & { pkg: HeliumEntry['pkg']; onAgain: () => void };

const tableOf = ({ columns, rows, comment }: OwnVisualizationProps['table']): PackageTable => ({
  columns,
  rows: rows.slice(),
  comment,
});

function PackageView({
  pkg,
  table,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  place,
  onAgain,
}: Props) {
  const { client } = place!;
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const connection = useRef<PackageConnection>(null);
  const [panel, setPanel] = useState<Panel>({ kind: 'none' });
  const [beside, setBeside] = useState(0);
  const [drawn, setDrawn] = useState(false);
  const [problem, setProblem] = useState<{ words: string; more?: string; ended?: boolean } | null>(
    null,
  );
  const [link, setLink] = useState<URL | null>(null);
  const theme = useThemeChange(box);
  const room = useRoom(box, fill);
  const inner = fill ? Math.max(100, room - beside) : height;

  const stored = useMemo(() => configOf(graph, pkg.name), [graph, pkg.name]);
  const storedText = JSON.stringify(stored);
  // What a package sets by itself, without a hand of the reader, is not his change to the note: it lasts as long as what is stored.
  const [own, setOwn] = useState<{ over: string; config: Settings } | null>(null);
  const config = own?.over === storedText ? own.config : stored;
  const configText = JSON.stringify(config);
  const save = (next: Settings): void => {
    setOwn(null);
    onGraph(patchOf(graph, pkg.name, next));
  };
  const now = useRef({ config, storedText, table, optionOpen, inner, save });
  useLayoutEffect(() => {
    now.current = { config, storedText, table, optionOpen, inner, save };
  });

  useEffect(() => {
    if (!frame.current || !box.current) return undefined;
    const around = box.current;
    let late: ReturnType<typeof setTimeout> | undefined;
    const connected = connectPackage(frame.current, {
      onMessage(message) {
        if (message.type === 'drawn') {
          clearTimeout(late);
          setDrawn(true);
          setProblem((before) => (before?.ended ? before : null));
        } else if (message.type === 'panel') setPanel(message.panel);
        else if (message.type === 'resize') setBeside(message.height);
        else if (message.type === 'open-link') setLink(message.url);
        else if (message.type === 'error') {
          clearTimeout(late);
          setProblem((first) => first ?? { words: words.failed(pkg.name), more: message.message });
        } else if (message.type === 'config') {
          if (around.ownerDocument.defaultView?.navigator.userActivation?.isActive === false)
            setOwn({ over: now.current.storedText, config: message.config });
          else now.current.save(message.config);
        }
      },
      onEnd: (reason) => setProblem({ words: words[reason](pkg.name), ended: true }),
    });
    connection.current = connected;
    let gone = false;
    packagesOf(client)
      .script(pkg)
      .then(
        (script) => {
          if (gone) return;
          const { table: rows, config: settings, optionOpen: open, inner: tall } = now.current;
          connected.send({
            type: 'show',
            script,
            config: settings,
            table: tableOf(rows),
            open,
            height: tall,
            theme: themeOf(around),
          });
          late = setTimeout(
            () => setProblem((before) => before ?? { words: words.mute(pkg.name) }),
            MUTE_MS,
          );
        },
        (error: unknown) => {
          if (!gone)
            setProblem({
              words: words.failed(pkg.name),
              more: error instanceof Error ? error.message : String(error),
              ended: true,
            });
        },
      );
    return () => {
      gone = true;
      clearTimeout(late);
      connected.close();
    };
  }, [client, pkg]);

  useSent(
    () => connection.current?.send({ type: 'config', config: now.current.config }),
    [configText],
  );
  useSent(() => connection.current?.send({ type: 'table', table: tableOf(table) }), [table]);
  useSent(
    () => connection.current?.send({ type: 'place', open: optionOpen, height: inner }),
    [optionOpen, inner],
  );
  useEffect(() => {
    if (theme > 0 && box.current)
      connection.current?.send({ type: 'theme', theme: themeOf(box.current) });
  }, [theme]);

  return (
    <div className="chart-outer">
      {optionOpen && (
        <PackagePanel panel={panel} columns={table.columns} config={config} onConfig={save} />
      )}
      {problem && (
        <Notice
          kind="danger"
          action={
            <Button size="sm" onClick={onAgain}>
              {resultText.tryAgain}
            </Button>
          }
        >
          <b>{problem.words}</b> {problem.more}
        </Notice>
      )}
      <div
        ref={box}
        className="chart-body package-body"
        style={fill ? undefined : { minHeight: problem ? 0 : height }}
      >
        {!drawn && !problem && (
          <div className="package-wait">
            <Skeleton height={inner} />
          </div>
        )}
        {problem?.ended ? null : (
          <iframe
            ref={frame}
            className="package-frame"
            title={words.frame(pkg.name, title)}
            sandbox="allow-scripts"
            allow=""
            referrerPolicy="no-referrer"
            src={packageFrameUrl(client)}
            style={{ height: problem && !drawn ? 0 : inner + beside }}
          />
        )}
      </div>
      {link && <LinkQuestion url={link} onDone={() => setLink(null)} />}
    </div>
  );
}

/** Does something when a value has become another: not the first time, which `show` tells. */
function useSent(send: () => void, values: readonly unknown[]): void {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else send();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the values are what is told
  }, values);
}

/** Height of a box in px while it takes all there is. */
function useRoom(box: React.RefObject<HTMLElement | null>, fill: boolean): number {
  const [room, setRoom] = useState(300);
  useEffect(() => {
    if (!fill || !box.current) return undefined;
    const sizes = new ResizeObserver(([entry]) => setRoom(Math.floor(entry!.contentRect.height)));
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [box, fill]);
  return room;
}
