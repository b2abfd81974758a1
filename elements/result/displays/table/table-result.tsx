import { Suspense, useRef, useState } from 'react';
import type { TableData } from 'tiding/model';
import { OutputBoundary } from '../../boundary.tsx';
import type { DisplayProps, OwnDisplayProps } from '../../contract.ts';
import { ResizeHandle } from '../../resize-handle.tsx';
import { Skeleton } from '../../skeleton.tsx';
import { usePackages } from '../../packages/store.ts';
import { useVisualizations } from '../../visualizations/index.ts';
import { viewOf } from './load-view.ts';
import { ResultBar } from './result-bar.tsx';
import { useFullScreen } from './use-full-screen.ts';

/** A table in the view the reader chose, with the bar above and the comment below. */
export function TableResult({ table, graph, onGraph, title, dateFinished, bare, download, place, onSelect, applications }: OwnDisplayProps & { table: TableData }) {
  const frame = useRef<HTMLDivElement>(null);
  const [full, setFull] = useFullScreen(frame);
  const [shown, setShown] = useState<number | undefined>(undefined);
  const [preview, setPreview] = useState<number | null>(null);
  // Own views first, then those of packages in the order that is set for them.
  const own = useVisualizations();
  const { views: ofPackages } = usePackages(place?.client);
  const accepted = [...own, ...ofPackages].filter((view) => view.accepts(table));
  const chosen = accepted.find(({ id }) => id === graph.mode) ?? accepted[0]!;
  const View = viewOf(chosen);
  const optionOpen = chosen.option === 'filter' ? filterOpen(graph.setting) : graph.optionOpen;

  const toggleOption = (): void =>
    onGraph(chosen.option === 'filter' ? { setting: withFilter(graph.setting, !optionOpen) } : { optionOpen: !optionOpen });
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
          title={title}
          dateFinished={dateFinished}
          download={download}
          full={full}
          onFull={setFull}
          applications={applications}
        />
      )}
      {applications?.shown ?? (
        <OutputBoundary type={chosen.label} of={chosen}>
          <Suspense fallback={<Skeleton height={height} />}>
            <View table={table} graph={graph} onGraph={onGraph} title={title} optionOpen={optionOpen && !bare} height={height} fill={full} onShown={setShown} place={place} onSelect={onSelect} download={download} />
          </Suspense>
        </OutputBoundary>
      )}
      {!bare && !full && <ResizeHandle height={graph.height} onPreview={setPreview} onHeight={(next) => onGraph({ height: next })} />}
      {comment !== '' && <p className="table-comment">{comment}</p>}
    </div>
  );
}

type Settings = DisplayProps['graph']['setting'];

/** The filter row is an option of the stored table view, under the name upstream gives it. */
function filterOpen(setting: Settings): boolean {
  const options = setting['table']?.['tableOptionValue'];
  return typeof options === 'object' && options !== null && 'useFilter' in options && options.useFilter === true;
}

function withFilter(setting: Settings, useFilter: boolean): Settings {
  const stored = setting['table']?.['tableOptionValue'];
  const options = typeof stored === 'object' && stored !== null ? stored : {};
  return { ...setting, table: { ...setting['table'], tableOptionValue: { ...options, useFilter } } };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a comment, which is markup. */
function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|div|li)>/gi, '\n')
    .replace(/<!--[^]*?-->|<[^>]*>/g, '')
    .replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    .trim();
}
