/** Views of `<tiding-output>` and `<tiding-chart>`. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { Selection } from '../result/contract.ts';
import { TableResult } from '../result/displays/table-result/table-result.tsx';
import { saveFile } from '../result/parts/save-file.ts';
import type { RowSource } from '../result/rows/row-source.ts';
import { resultSheets } from '../result/styles/result-sheets.ts';
import { resultText } from '../result/texts.ts';
import { useViewSettings } from '../result/use-view-settings.ts';
import { useVisualizations } from '../result/visualizations/index.ts';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, PortalNameContext } from '../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { useScriptText } from '../runtime/script-text.ts';
import { emitPainted } from '../runtime/snapshots/first-view.ts';
import { Loading } from '../ui/loading.tsx';
import { type OutputContent, readData } from './data.ts';
import sheet from './output.css';
import { refused } from './plain-rows.ts';
import { outputTexts } from './texts.ts';
import { configOfRows, configsOf, type OutputConfig, viewIds } from './view-config.ts';

const Outputs = lazyCode(() => import('./outputs.tsx'));

export const sheets = [...resultSheets, sheet];

interface Read {
  readonly content?: OutputContent;
  readonly error?: unknown;
}

/** Reads data. The content before is kept until then. */
function useContent(data: unknown): Read {
  const [read, setRead] = useState<Read>({});
  useLayoutEffect(() => {
    let isGone = false;
    const show = (next: Read): void => {
      if (!isGone) setRead(next);
    };
    if (data === undefined) show({});
    else
      readData(data).then(
        (content) => show({ content }),
        (error: unknown) => show({ error }),
      );
    return () => {
      isGone = true;
    };
  }, [data]);
  return read;
}

/** Reports an error. Returns its message, unless the page shows its own. */
function useReport(host: HTMLElement, error: unknown): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    const message = error === undefined ? undefined : (error as Error).message;
    const isShown =
      message !== undefined && emitEvent(host, 'tiding-error', { message, code: 'protocol' });
    setShown(isShown ? message : undefined);
  }, [host, error]);
  return shown;
}

/** How rows and outputs are shown, or why they can't be. */
function configured({ content, error }: Read, config: OutputConfig, isChart: boolean) {
  try {
    if (!content || error !== undefined) return { error };
    if ('rows' in content) {
      const { rows } = content;
      return { rows, config: configOfRows(config, rows, viewIds(!isChart)) };
    }
    if (isChart) throw refused(outputTexts.notRows);
    return { blocks: content.blocks, configs: configsOf(config, content.blocks) };
  } catch (refusal) {
    return { error: refusal };
  }
}

function PlainView({ host, values, isChart }: ViewProps & { isChart: boolean }) {
  const written = useScriptText(host);
  // An attribute that is not valid JSON sets no property.
  const data = values['data'] ?? written ?? host.getAttribute('data') ?? undefined;
  const {
    portal,
    server,
    bare,
    trusted,
    config: given,
    type,
    keys,
    groups,
    height,
  } = values as {
    portal?: string;
    server?: string;
    bare?: boolean;
    trusted?: boolean;
    config?: OutputConfig;
    type?: string;
    height?: number;
  } & Pick<OutputConfig, 'keys' | 'groups'>;
  const config: OutputConfig = isChart
    ? {
        ...{ mode: type ?? 'multiBarChart', height, keys, groups },
        values: values['values'] as OutputConfig['values'],
      }
    : (given ?? {});
  const read = useContent(data);
  const key = JSON.stringify(config);
  const views = useVisualizations().length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages make a new object each time
  const shown = useMemo(() => configured(read, config, isChart), [read, key, isChart, views]);
  const problem = useReport(host, shown.error);
  const onSelect = useCallback(
    (output: number, selection: Selection | null) =>
      void emitEvent(host, 'tiding-select', { output, values: {}, ...selection }),
    [host],
  );
  const hasTools = shown.rows !== undefined && !isChart && bare !== true;
  const isShown = shown.rows !== undefined || shown.blocks !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each content
  useEffect(() => {
    return isShown ? emitPainted(host, {}) : undefined;
  }, [host, read, isShown]);
  if (problem !== undefined)
    return (
      <p className="element-message" role="alert">
        {problem}
      </p>
    );
  if (data === undefined) return <p className="element-note">{outputTexts.noData}</p>;
  if (shown.error !== undefined) return null;
  return (
    <HostContext value={host}>
      <PortalNameContext value={portal}>
        <div className={hasTools ? 'own-data' : 'own-data flush'} part="result" data-paragraph="">
          {shown.rows ? (
            <Rows
              rows={shown.rows}
              config={shown.config}
              bare={!hasTools}
              onSelect={(selection) => onSelect(0, selection)}
            />
          ) : shown.blocks ? (
            <CodeBoundary fallback={<Loading />}>
              <Outputs
                {...{ blocks: shown.blocks, configs: shown.configs, server, onSelect }}
                bare={bare === true}
                trusted={trusted === true}
              />
            </CodeBoundary>
          ) : (
            <Loading />
          )}
        </div>
      </PortalNameContext>
    </HostContext>
  );
}

const noOutput = { type: 'TABLE', chunks: [], count: 0 };

interface RowsProps {
  rows: RowSource;
  config: Readonly<Record<string, unknown>>;
  bare: boolean;
  onSelect: (selection: Selection | null) => void;
}

/** Rows in the view that the settings name, which users can change on their page. */
function Rows({ rows, config, bare, onSelect }: RowsProps) {
  const [graph, onGraph] = useViewSettings({
    ...{ config, index: 0, storable: false, running: false, mode: 'table' },
    height: undefined,
    onConfig: undefined,
  });
  return (
    <div className="result" role="group" aria-label={resultText.result}>
      <TableResult
        {...{ graph, onGraph, bare, onSelect, source: rows, output: noOutput }}
        {...{ comment: '', title: '', frameUrl: '', status: 'FINISHED', running: false, index: 0 }}
        dateFinished={undefined}
        download={saveFile}
        width={undefined}
        context={undefined}
      />
    </div>
  );
}

/** View of `<tiding-output>`. */
export const OutputView = (props: ViewProps) => <PlainView {...props} isChart={false} />;
/** View of `<tiding-chart>`. */
export const ChartView = (props: ViewProps) => <PlainView {...props} isChart />;
