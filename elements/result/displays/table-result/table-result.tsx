import { jsonObjectOf, type NetworkData } from '@tiding/client/model';
import { useCallback, useContext, useMemo, useRef, useState } from 'react';
import { PortalNameContext } from '../../../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../../../runtime/lazy-code.tsx';
import { useSheets } from '../../../runtime/use-sheets.ts';
import type { BuiltInDisplayProps, DisplayProps } from '../../contract.ts';
import { OutputPlaceholder } from '../../output-placeholder.tsx';
import { usePackages } from '../../packages/package-store.ts';
import { Notice } from '../../parts/notice.tsx';
import { OutputBoundary } from '../../parts/output-boundary.tsx';
import { useResultHeight } from '../../parts/resize-handle.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { usePrinting } from '../../parts/use-printing.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { viewTable } from '../../rows/view-table.ts';
import { tableSheets } from '../../styles/table-sheets.ts';
import { shownHeight } from '../../view-settings.ts';
import { hiddenText } from '../../visualizations/chart/hidden-table.tsx';
import type { Arranged, MakePicture } from '../../visualizations/contract.ts';
import { isBuiltIn, useVisualizations } from '../../visualizations/index.ts';
import { naturalType } from '../../visualizations/table/layout/cell-formats.ts';
import { readTableSettings } from '../../visualizations/table/state/table-settings.ts';
import { ExportMenu } from './export-menu.tsx';
import { viewOf } from './load-view.ts';
import { plainComment } from './plain-comment.ts';
import { ResultBar } from './result-bar.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useViewedRows } from './use-viewed-rows.ts';

type TableResultProps = BuiltInDisplayProps & {
  source: RowSource;
  /** HTML from the interpreter, shown as text below the table. */
  comment: string;
  /** The network that `source` is the table of. */
  network?: NetworkData | undefined;
  /** Whether `source` has the first rows as text, until the stored rows arrive. */
  pending?: boolean | undefined;
  /** Whether more rows of `source` are being read. */
  reading?: boolean | undefined;
};

/** Only elements with a portal need it. */
const PortalView = lazyCode(() => import('../../portal/portal-view.tsx'));

/** A table in the selected view, with the toolbar above and the comment below. */
export function TableResult({
  source,
  comment: html,
  network,
  pending,
  reading,
  output,
  graph,
  onGraph,
  title,
  dateFinished,
  bare,
  download,
  width,
  context,
  onSelect,
  frameUrl,
  applications,
}: TableResultProps) {
  useSheets(tableSheets);
  const portal = useContext(PortalNameContext);
  const printing = usePrinting();
  const frame = useRef<HTMLDivElement>(null);
  const [full, setFull] = useFullScreen(frame);
  const [shown, setShown] = useState<number | undefined>(undefined);
  const [stored, handle] = useResultHeight({ graph, onGraph, width });
  const [picture, setPicture] = useState<{ make: MakePicture } | null>(null);
  const onPicture = useCallback((make: MakePicture | null) => setPicture(make && { make }), []);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [arranged, setArranged] = useState<Arranged | null>(null);
  const [problem, setProblem] = useState('');
  const onFailed = context?.showError ?? setProblem;
  const describe = context?.onDescribe;
  const { columns } = source;
  const types = useMemo(() => columns.map(naturalType), [columns]);
  const offered = useMemo(() => network ?? viewTable(source, html), [network, source, html]);
  // Built-in and registered views come first, then views of packages in their configured order.
  const own = useVisualizations();
  const { views: ofPackages } = usePackages(context?.client);
  const accepted = [...own, ...ofPackages].filter((view) => view.accepts(offered));
  const chosen = accepted.find(({ id }) => id === graph.mode) ?? accepted[0]!;
  const { View } = viewOf(chosen);
  const height = shownHeight({ mode: chosen.id, height: stored });
  const viewed = useViewedRows(source, isBuiltIn(chosen));
  const table = useMemo(
    () => (viewed === source ? offered : viewed && viewTable(viewed, html)),
    [viewed, source, offered, html],
  );
  const optionOpen = chosen.option === 'filter' ? filterOpen(graph.setting) : graph.optionOpen;

  const toggleOption = (): void =>
    onGraph(
      chosen.option === 'filter'
        ? { setting: withFilter(graph.setting, !optionOpen) }
        : { optionOpen: !optionOpen },
    );
  // Charts wait for the stored rows, and so does a grid that would show others first.
  const isWaiting =
    pending &&
    (chosen.id !== 'table' ||
      readTableSettings(graph.setting['table'], columns).sorts.length > 0 ||
      (optionOpen && !bare));
  const view = {
    graph,
    onGraph,
    title,
    optionOpen: optionOpen && !bare,
    height,
    fill: full,
    onShown: setShown,
    context,
    onSelect,
    download,
    source,
    pending,
    types,
    onPicture,
    onArranged: setArranged,
    tools,
    frameUrl,
  };
  const comment = plainComment(html);
  return (
    <div
      ref={frame}
      className={full ? 'table-result full' : 'table-result'}
      aria-busy={reading || undefined}
    >
      {!bare && (
        <ResultBar
          frame={frame}
          table={offered}
          views={accepted}
          chosen={chosen}
          onView={(id) => onGraph({ mode: id })}
          optionOpen={optionOpen}
          onOption={toggleOption}
          shown={shown}
          source={source}
          tools={setTools}
          exports={
            <ExportMenu
              frame={frame}
              source={source}
              pending={pending}
              arranged={chosen.id === 'table' ? arranged : null}
              title={title}
              dateFinished={dateFinished}
              download={download}
              onFailed={onFailed}
              makePicture={picture?.make}
              onDescribe={describe && (() => describe(hiddenText(frame.current!)))}
            />
          }
          full={full}
          onFull={setFull}
          applications={applications}
        />
      )}
      {problem !== '' && <Notice kind="danger">{problem}</Notice>}
      {applications?.shown ?? (
        <OutputBoundary type={chosen.label} of={chosen}>
          <CodeBoundary
            fallback={
              printing ? (
                <OutputPlaceholder output={output} height={height} />
              ) : (
                <Skeleton height={height} />
              )
            }
          >
            {isWaiting || !table ? (
              <Skeleton height={height} />
            ) : portal ? (
              <PortalView
                portal={portal}
                View={View}
                isGrid={chosen.id === 'table'}
                table={table}
                {...view}
              />
            ) : (
              <View table={table} {...view} />
            )}
          </CodeBoundary>
        </OutputBoundary>
      )}
      {!bare && !full && handle}
      {comment !== '' && <p className="table-comment small-text secondary-text">{comment}</p>}
    </div>
  );
}

type Settings = DisplayProps['graph']['setting'];

/** Whether the filter row is open; stored among the table view's options under Zeppelin's name. */
const filterOpen = ({ table }: Settings): boolean =>
  jsonObjectOf(table?.['tableOptionValue'])['useFilter'] === true;

function withFilter(setting: Settings, useFilter: boolean): Settings {
  const stored = setting['table']?.['tableOptionValue'];
  const options = typeof stored === 'object' && stored !== null ? stored : {};
  return {
    ...setting,
    table: { ...setting['table'], tableOptionValue: { ...options, useFilter } },
  };
}
