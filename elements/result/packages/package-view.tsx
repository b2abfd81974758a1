/**
 * View of a Helium package: its sandboxed page, the settings panel it requests, and error messages.
 */

import type { HeliumEntry } from '@tiding/client/protocol';
import {
  type FunctionComponent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStableValue } from '../../runtime/hooks.ts';
import { messageOf } from '../../runtime/message-of.ts';
import { Button } from '../../ui/button.tsx';
import { LinkQuestion } from '../displays/frame-view.tsx';
import { themeOf } from '../frames/frame-connection.ts';
import { useThemeOf } from '../frames/use-theme-of.ts';
import type { PackageScript, PackageSettings, PackageTable } from '../package-page/protocol.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { resultText } from '../texts.ts';
import type { BuiltInVisualizationProps } from '../visualizations/contract.ts';
import { packageConfigOf, packageConfigPatch } from './package-config.ts';
import { connectPackage, type PackageConnection } from './package-connection.ts';
import { PackageFrame } from './package-frame.tsx';
import type { PackagePanelSpec } from './package-messages.ts';
import { PackagePanel } from './package-panels.tsx';

const uiText = resultText.packages;
/** Time in ms after which a package that has drawn nothing is reported as slow. */
const MUTE_MS = 10_000;

export const packageView = (
  pkg: HeliumEntry['pkg'],
  script: () => Promise<PackageScript>,
): FunctionComponent<BuiltInVisualizationProps> =>
  function View(props) {
    const [tries, setTries] = useState(0);
    if (!props.context) return <Notice>{uiText.needsServer}</Notice>;
    return (
      <PackageView
        key={tries}
        pkg={pkg}
        script={script}
        {...props}
        onAgain={() => setTries(tries + 1)}
      />
    );
  };

type Props = BuiltInVisualizationProps & {
  pkg: HeliumEntry['pkg'];
  script: () => Promise<PackageScript>;
  onAgain: () => void;
};

const tableOf = ({ columns, rows, comment }: BuiltInVisualizationProps['table']): PackageTable => ({
  columns,
  rows: rows.slice(),
  comment,
});

function PackageView({
  pkg,
  script,
  table,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  context,
  onAgain,
}: Props) {
  const { client } = context!;
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const connection = useRef<PackageConnection>(null);
  const [panel, setPanel] = useState<PackagePanelSpec>({ kind: 'none' });
  const [beside, setBeside] = useState(0);
  const [drawn, setDrawn] = useState(false);
  const [problem, setProblem] = useState<{ words: string; more?: string; ended?: boolean } | null>(
    null,
  );
  const [link, setLink] = useState<URL | null>(null);
  const room = useRoom(box, fill);
  const inner = fill ? Math.max(100, room - beside) : height;

  const stored = useMemo(() => packageConfigOf(graph, pkg.name), [graph, pkg.name]);
  const storedText = JSON.stringify(stored);
  // Settings that a package changes without a user gesture are not the user's change to the note.
  // They are kept only in this view, until the stored settings change.
  const [own, setOwn] = useState<{ over: string; config: PackageSettings } | null>(null);
  const config = own?.over === storedText ? own.config : stored;
  const configText = JSON.stringify(config);
  const save = (next: PackageSettings): void => {
    setOwn(null);
    onGraph(packageConfigPatch(graph, pkg.name, next));
  };
  const now = useRef({ config, storedText, table, optionOpen, inner, save });
  useLayoutEffect(() => {
    now.current = { config, storedText, table, optionOpen, inner, save };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new client loads a new frame page
  useEffect(() => {
    if (!frame.current || !box.current) return undefined;
    const around = box.current;
    let late: ReturnType<typeof setTimeout> | undefined;
    let newest: unknown;
    const connected = connectPackage(frame.current, {
      onMessage(message) {
        if (message.type === 'drawn') {
          clearTimeout(late);
          setDrawn(true);
          setProblem((before) => (before?.ended ? before : null));
        } else if (message.type === 'panel') setPanel(message.panel);
        else if (message.type === 'resize') setBeside(message.height);
        else if (message.type === 'open-link') setLink(new URL(message.href));
        else if (message.type === 'error') {
          clearTimeout(late);
          setProblem((first) => first ?? { words: uiText.failed(pkg.name), more: message.message });
        } else if (message.type === 'config') {
          const { config: changed } = message;
          newest = changed;
          // Shown immediately, and stored if the reader caused it.
          setOwn({ over: now.current.storedText, config: changed });
          connected.check(
            (byReader) => byReader && changed === newest && now.current.save(changed),
          );
        }
      },
      onEnd: (reason) => setProblem({ words: uiText[reason](pkg.name), ended: true }),
    });
    connection.current = connected;
    let gone = false;
    script().then(
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
          () => setProblem((before) => before ?? { words: uiText.mute(pkg.name) }),
          MUTE_MS,
        );
      },
      (error: unknown) => {
        if (!gone)
          setProblem({
            words: uiText.failed(pkg.name),
            more: messageOf(error),
            ended: true,
          });
      },
    );
    return () => {
      gone = true;
      clearTimeout(late);
      connected.close();
    };
  }, [client, pkg, script]);

  useSent(
    () => connection.current?.send({ type: 'config', config: now.current.config }),
    [configText],
  );
  useSent(() => connection.current?.send({ type: 'table', table: tableOf(table) }), [table]);
  useSent(
    () => connection.current?.send({ type: 'place', open: optionOpen, height: inner }),
    [optionOpen, inner],
  );
  useThemeOf(box, (theme) => connection.current?.send({ type: 'theme', theme }));

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
          <PackageFrame
            {...{ frame, client, title }}
            name={pkg.name}
            height={problem && !drawn ? 0 : inner + beside}
          />
        )}
      </div>
      {link && <LinkQuestion url={link} onDone={() => setLink(null)} />}
    </div>
  );
}

/**
 * Sends a message whenever a value changes, but not initially, because the `show` message contains
 * the initial values.
 */
function useSent(send: () => void, values: readonly unknown[]): void {
  const first = useRef(true);
  const current = useStableValue({ send }, values);
  useEffect(() => {
    if (first.current) first.current = false;
    else current.send();
  }, [current]);
}

/** Height in px of a box that fills the available space. */
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
