import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { TableData } from 'tiding/model';
import { OutputBoundary } from '../../boundary.tsx';
import type { DisplayProps, OwnDisplayProps } from '../../contract.ts';
import { ResizeHandle } from '../../resize-handle.tsx';
import { Skeleton } from '../../skeleton.tsx';
import { Notice } from '../../notice.tsx';
import type { Arranged, MakePicture } from '../../visualizations/contract.ts';
import { useVisualizations } from '../../visualizations/index.ts';
import { usePackages } from '../../packages/store.ts';
import { textRows, type RowSource } from '../../visualizations/table/row-source.ts';
import { ChartExports } from './chart-exports.tsx';
import { ExportMenu } from './export-menu.tsx';
import { viewOf } from './load-view.ts';
import { ResultBar } from './result-bar.tsx';
import { useFullScreen } from './use-full-screen.ts';

type TableResultProps = OwnDisplayProps & {
  table: TableData;
  /** All rows, where the table holds only the first ones. */
  source?: RowSource | undefined;
};

/** A table in the view the reader chose, with the bar above and the comment below. */
export function TableResult({
  table,
  source,
  graph,
  onGraph,
  title,
  dateFinished,
  bare,
  download,
  width,
  place,
  onSelect,
  frameUrl,
  applications,
}: TableResultProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [full, setFull] = useFullScreen(frame);
  const [shown, setShown] = useState<number | undefined>(undefined);
  const [preview, setPreview] = useState<number | null>(null);
  const [picture, setPicture] = useState<{ make: MakePicture } | null>(null);
  const onPicture = useCallback((make: MakePicture | null) => setPicture(make && { make }), []);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [arranged, setArranged] = useState<Arranged | null>(null);
  const [problem, setProblem] = useState('');
  const onFailed = place?.tell ?? setProblem;
  // Only what is exported matters here: the kinds of the columns do not.
  const rows = useMemo(() => source ?? textRows(table, []), [source, table]);
  // Own views first, then those of packages in the order that is set for them.
  const own = useVisualizations();
  const { views: ofPackages } = usePackages(place?.client);
  const accepted = [...own, ...ofPackages].filter((view) => view.accepts(table));
  const chosen = accepted.find(({ id }) => id === graph.mode) ?? accepted[0]!;
  const View = viewOf(chosen);
  const optionOpen = chosen.option === 'filter' ? filterOpen(graph.setting) : graph.optionOpen;

  const toggleOption = (): void =>
    onGraph(
      chosen.option === 'filter'
        ? { setting: withFilter(graph.setting, !optionOpen) }
        : { optionOpen: !optionOpen },
    );
  const height = preview ?? graph.height;
  const comment = plainText(table.comment);
  return (
    <div ref={frame} className={full ? 'table-result full' : 'table-result'}>
      {!bare && (
        <ResultBar
          frame={frame}
          table={table}
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
              source={rows}
              arranged={chosen.id === 'table' ? arranged : null}
              title={title}
              dateFinished={dateFinished}
              download={download}
              onFailed={onFailed}
            >
              {picture && (
                <ChartExports
                  make={picture.make}
                  title={title}
                  dateFinished={dateFinished}
                  download={download}
                  onFailed={onFailed}
                />
              )}
            </ExportMenu>
          }
          full={full}
          onFull={setFull}
          applications={applications}
        />
      )}
      {problem !== '' && <Notice kind="danger">{problem}</Notice>}
      {applications?.shown ?? (
        <OutputBoundary type={chosen.label} of={chosen}>
          <Suspense fallback={<Skeleton height={height} />}>
            <View
              table={table}
              graph={graph}
              onGraph={onGraph}
              title={title}
              optionOpen={optionOpen && !bare}
              height={height}
              fill={full}
              onShown={setShown}
              place={place}
              onSelect={onSelect}
              download={download}
              source={source}
              onPicture={onPicture}
              onArranged={setArranged}
              tools={tools}
              frameUrl={frameUrl}
            />
          </Suspense>
        </OutputBoundary>
      )}
      {!bare && !full && (
        <ResizeHandle
          width={width}
          height={graph.height}
          onPreview={setPreview}
          onHeight={(next) => onGraph({ height: next })}
        />
      )}
      {comment !== '' && <p className="table-comment">{comment}</p>}
    </div>
  );
}

type Settings = DisplayProps['graph']['setting'];

/** The filter row is an option of the stored table view, under the name upstream gives it. */
function filterOpen(setting: Settings): boolean {
  const options = setting['table']?.['tableOptionValue'];
  return (
    typeof options === 'object' &&
    options !== null &&
    'useFilter' in options &&
    options.useFilter === true
  );
}

function withFilter(setting: Settings, useFilter: boolean): Settings {
  const stored = setting['table']?.['tableOptionValue'];
  const options = typeof stored === 'object' && stored !== null ? stored : {};
  return {
    ...setting,
    table: { ...setting['table'], tableOptionValue: { ...options, useFilter } },
  };
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The words of a comment, which is markup. */
function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
    .replace(/<!--[^]*?-->|<[^>]*>/g, '')
    .replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    .trim();
}
