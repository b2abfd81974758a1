import { memo, Suspense, useMemo, useRef } from 'react';
import { outputText, type Application, type Output } from 'tiding/client';
import { OutputBoundary } from './boundary.tsx';
import type {
  DisplayProps,
  OwnDisplayProps,
  DownloadFile,
  ResultPlace,
  Selection,
} from './contract.ts';
import { useIsNear } from '../runtime/near.ts';
import { displayOf, namedOutput, useDisplays } from './displays/index.ts';
import { DistantOutput } from './distant.tsx';
import { saveFile } from './download.ts';
import { ErrorBox } from './error-box.tsx';
import type { ResultEntry } from './graph.ts';
import { Notice } from './notice.tsx';
import { ApplicationBar, ApplicationOutput, useHasApplications } from './packages/applications.tsx';
import { Skeleton } from './skeleton.tsx';
import { resultText } from './text.ts';
import { splitTrace } from './trace.ts';
import { useEntry } from './use-entry.ts';

export interface ResultViewProps {
  outputs: readonly Output[];
  /** Status text of the paragraph: READY, PENDING, RUNNING, FINISHED, ERROR, ABORT. */
  status: string;
  /** The paragraph's config; `results[i]` holds the settings of output i. */
  config?: Readonly<Record<string, unknown>>;
  /** Changes stay on this page (a revision, a reader). */
  readOnly?: boolean;
  /** Report look and embedding: no bars, no handles. */
  bare?: boolean;
  /** Title of the paragraph. */
  title?: string;
  /** End of the last run, as it travels; part of the name of a download. */
  dateFinished?: string;
  /** Absolute address of the output frame page. */
  frameUrl: string;
  /** The whole next entry of `config.results[index]`. Not called while the paragraph runs or waits. */
  onConfig?: (index: number, entry: ResultEntry) => void;
  /** Takes over saving a file; without it the browser downloads it. */
  onDownload?: (file: DownloadFile) => void;
  /** Where the outputs stand; without it they are data alone. */
  place?: ResultPlace | undefined;
  /** What the reader has chosen in an output. */
  onSelect?: (index: number, selection: Selection | null) => void;
  /** The paragraph is to be so many columns of twelve wide (`config.colWidth`). Without it handles change the height alone. */
  onWidth?: ((colWidth: number) => void) | undefined;
  /** Height of outputs that have none stored; 300 when absent. */
  height?: number;
  /** Applications of the paragraph; they belong to its last output. */
  apps?: readonly Application[];
}

const noApps: readonly Application[] = [];

/** Everything a paragraph has put out, each output in its own display. */
export function ResultView({ outputs, status, apps = noApps, ...rest }: ResultViewProps) {
  const shown = outputs
    .map((output, index) => ({ output, index }))
    .filter(({ output }) => output.type !== 'NULL' && output.count > 0);
  if (shown.length === 0) return null;
  const failed =
    status === 'ERROR' ? shown.findLast(({ output }) => output.type === 'TEXT') : undefined;
  return (
    <div className="result" role="group" aria-label={resultText.result}>
      {shown.map(({ output, index }) =>
        index === failed?.index ? (
          <FailedOutput key={index} output={output} index={index} status={status} {...rest} />
        ) : (
          <OneOutput
            key={index}
            output={output}
            index={index}
            status={status}
            {...rest}
            {...(output === shown.at(-1)?.output ? { apps } : {})}
          />
        ),
      )}
    </div>
  );
}

type OutputProps = Omit<ResultViewProps, 'outputs'> & { output: Output; index: number };

/** The text of a failed run: what it printed, then the error. */
function FailedOutput({ output, ...rest }: OutputProps) {
  const { printed, trace } = useMemo(() => {
    const parts = splitTrace(outputText(output));
    return {
      printed: parts.output === '' ? null : { type: 'TEXT', chunks: [parts.output], count: 1 },
      trace: parts.trace,
    };
  }, [output]);
  return (
    <>
      {printed && <OneOutput output={printed} {...rest} />}
      {trace.trim() !== '' && <ErrorBox text={trace} />}
    </>
  );
}

const OneOutput = memo(function OneOutput({
  output: given,
  index,
  status,
  config,
  readOnly = false,
  bare = false,
  ...rest
}: OutputProps) {
  const {
    title = '',
    dateFinished,
    frameUrl,
    onConfig,
    onDownload,
    height,
    place,
    onSelect,
    onWidth,
    apps,
  } = rest;
  const hasApps = useHasApplications(apps && place, apps ?? noApps);
  const running = status === 'RUNNING' || status === 'PENDING';
  const [graph, onGraph] = useEntry({
    config,
    index,
    storable: !running && !readOnly,
    height,
    mode: given.type === 'NETWORK' ? 'network' : 'table',
    onConfig,
  });
  const near = useIsNear();
  const distant = useRef(false);
  useDisplays();
  const output = useMemo(() => namedOutput(given), [given]);
  const View = displayOf(output);
  if (!View) return <Notice>{resultText.unknownType(output.type)}</Notice>;
  const text = output.type === 'TEXT';
  // Of what was seen as text, nothing goes before the view is there.
  distant.current ||= !near && !text;
  if (!near && !text) return <DistantOutput output={output} height={graph.height} />;
  const columns =
    typeof config?.['colWidth'] === 'number'
      ? Math.min(12, Math.max(1, Math.round(config['colWidth'])))
      : 12;
  const width = onWidth && !bare && !readOnly ? { columns, onColumns: onWidth } : undefined;
  const plain: DisplayProps = {
    output,
    status,
    running,
    graph,
    onGraph,
    title,
    dateFinished,
    frameUrl,
    bare,
    download: onDownload ?? saveFile,
    width,
    index,
    place,
    onSelect: (selection) => onSelect?.(index, selection),
  };
  const active = apps?.find(({ id }) => id === graph.activeApp);
  const shown = active ? <ApplicationOutput key={active.id} app={active} {...plain} /> : null;
  const bar =
    hasApps && apps && place ? (
      <ApplicationBar
        place={place}
        apps={apps}
        active={active?.id}
        onActive={(id) => onGraph({ activeApp: id ?? '' })}
      />
    ) : null;
  const props: OwnDisplayProps = bar || shown ? { ...plain, applications: { bar, shown } } : plain;
  // Tables have a bar of their own, which takes these in.
  const hasBar = output.type === 'TABLE' || output.type === 'NETWORK';
  return (
    <OutputBoundary type={output.type} of={output}>
      <Suspense
        fallback={
          distant.current ? (
            <DistantOutput output={output} height={graph.height} />
          ) : (
            <Skeleton height={graph.height} />
          )
        }
      >
        {hasBar ? (
          <View {...props} />
        ) : (
          <>
            {bar && !bare && <div className="result-bar">{bar}</div>}
            {shown ?? <View {...props} />}
          </>
        )}
      </Suspense>
    </OutputBoundary>
  );
});
