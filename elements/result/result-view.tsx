import { type Output, outputText, type ParagraphApplication } from '@tiding/client';
import { memo, useContext, useEffect, useMemo, useRef } from 'react';
import { useEvent } from '../runtime/hooks.ts';
import { CodeBoundary } from '../runtime/lazy-code.tsx';
import { ShownAsTextContext, useRenderInFull } from '../runtime/render-in-full.ts';
import type {
  BuiltInDisplayProps,
  DisplayProps,
  DownloadFile,
  ResultContext,
  Selection,
} from './contract.ts';
import { displayOf, prepareDisplay } from './displays/index.ts';
import { namedOutput, useDisplays } from './displays/registered.ts';
import { ErrorBox } from './errors/error-box.tsx';
import { splitTrace } from './errors/trace.ts';
import { OutputPlaceholder } from './output-placeholder.tsx';
import { ApplicationBar, ApplicationOutput, useHasApplications } from './packages/applications.tsx';
import { Notice } from './parts/notice.tsx';
import { OutputBoundary } from './parts/output-boundary.tsx';
import { saveFile } from './parts/save-file.ts';
import { Skeleton } from './parts/skeleton.tsx';
import { usePrinting } from './parts/use-printing.ts';
import { shownOutputs } from './shown-outputs.ts';
import { resultText } from './texts.ts';
import { useViewSettings } from './use-view-settings.ts';
import { type ResultEntry, shownHeight } from './view-settings.ts';

interface ResultViewProps {
  outputs: readonly Output[];
  /** Status of the paragraph: READY, PENDING, RUNNING, FINISHED, ERROR or ABORT. */
  status: string;
  /** The paragraph's config; `results[i]` contains the settings of output i. */
  config?: Readonly<Record<string, unknown>>;
  /**
   * Keep changes on this page instead of storing them, for revisions and users without write
   * access.
   */
  readOnly?: boolean;
  /** Show only the data, without toolbars and handles, as in reports and embedded notes. */
  bare?: boolean;
  title?: string;
  /** End time of the last run as sent by the server; part of download file names. */
  dateFinished?: string;
  /** Absolute URL of the page for sandboxed output frames. */
  frameUrl: string;
  /**
   * Called with the complete new entry of `config.results[index]`. Not called while the paragraph
   * is pending or running.
   */
  onConfig?: (index: number, entry: ResultEntry) => void;
  /** Handles downloads; without it the browser saves the file. */
  onDownload?: (file: DownloadFile) => void;
  /** Note and paragraph of the outputs; without it they are shown as data only. */
  context?: ResultContext | undefined;
  /** Called when the user selects something in an output; `null` clears the selection. */
  onSelect?: (index: number, selection: Selection | null) => void;
  /**
   * Called with a new paragraph width in columns of twelve (`config.colWidth`). Without it, handles
   * change only the height.
   */
  onWidth?: ((colWidth: number) => void) | undefined;
  /** Default height of outputs in px; 300 if absent. */
  height?: number;
  /** Applications of the paragraph; they belong to its last output. */
  apps?: readonly ParagraphApplication[];
}

const noApps: readonly ParagraphApplication[] = [];

/** Shows all outputs of a paragraph, each in its own display. */
export function ResultView({ outputs, status, apps = noApps, ...rest }: ResultViewProps) {
  const { shown, failed } = shownOutputs(outputs, status);
  if (shown.length === 0) return null;
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

/** Output of a failed run: the printed text, then the error. */
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
      {trace.trim() !== '' && (
        <ErrorBox text={trace} onExplain={rest.context?.onExplain} onFix={rest.context?.onFix} />
      )}
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
    context,
    onSelect,
    onWidth,
    apps,
  } = rest;
  const hasApps = useHasApplications(apps && context, apps ?? noApps);
  const running = status === 'RUNNING' || status === 'PENDING';
  const [graph, onGraph] = useViewSettings({
    config,
    index,
    storable: !readOnly,
    running,
    height,
    mode: given.type === 'NETWORK' ? 'network' : 'table',
    onConfig,
  });
  const near = useRenderInFull();
  const printing = usePrinting();
  const distant = useRef(useContext(ShownAsTextContext));
  useDisplays();
  const output = useMemo(() => namedOutput(given), [given]);
  const neededMode = near ? graph.mode : undefined;
  const prepared = useEvent((mode: string) => prepareDisplay(output, mode));
  useEffect(() => {
    if (neededMode) void prepared(neededMode);
  }, [prepared, neededMode]);
  const View = displayOf(output);
  if (!View) return <Notice>{resultText.unknownType(output.type)}</Notice>;
  const text = output.type === 'TEXT';
  const reserved = output.type === 'TABLE' ? shownHeight(graph) : graph.height;
  // An output already shown as placeholder text keeps it until its view has loaded.
  distant.current ||= !near && !text;
  if (!near && !text) return <OutputPlaceholder output={output} height={reserved} />;
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
    context,
    onSelect: (selection) => onSelect?.(index, selection),
  };
  const active = apps?.find(({ id }) => id === graph.activeApp);
  const shown = active ? <ApplicationOutput key={active.id} app={active} {...plain} /> : null;
  const bar =
    hasApps && apps && context ? (
      <CodeBoundary>
        <ApplicationBar
          context={context}
          apps={apps}
          active={active?.id}
          onActive={(id) => onGraph({ activeApp: id ?? '' })}
        />
      </CodeBoundary>
    ) : null;
  const props: BuiltInDisplayProps =
    bar || shown ? { ...plain, applications: { bar, shown } } : plain;
  // Tables have their own toolbar, which includes the applications.
  const hasBar = output.type === 'TABLE' || output.type === 'NETWORK';
  return (
    <OutputBoundary type={output.type} of={output}>
      <CodeBoundary
        fallback={
          distant.current || printing ? (
            <OutputPlaceholder output={output} height={reserved} />
          ) : (
            <Skeleton height={reserved} />
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
      </CodeBoundary>
    </OutputBoundary>
  );
});
