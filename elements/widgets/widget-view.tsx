/** Frame of every widget: loads its payload, lists problems in it and provides the summary. */

import {
  isLongPayload,
  type PayloadProblem,
  type ReadWidget,
  readWidget,
  readWidgetSteps,
  type WidgetData,
  type WidgetId,
} from '@tiding/client/widgets';
import { TriangleAlert } from 'lucide-react';
import { type FunctionComponent, useId, useMemo, useState } from 'react';
import { OutputBoundary } from '../result/parts/output-boundary.tsx';
import type { ClientTaker } from '../runtime/clients.ts';
import type { ViewProps } from '../runtime/define-element.ts';
import { HostContext, useClientFrom } from '../runtime/hooks.ts';
import { useMethods } from '../runtime/methods.ts';
import { useSheets } from '../runtime/use-sheets.ts';
import { fill } from '../text/fill.ts';
import { Icon } from '../ui/button.tsx';
import { WhenLoaded } from '../ui/lazy.tsx';
import { LoadFailed, Loading } from '../ui/loading.tsx';
import pageSheet from '../ui/page.css';
import type { WidgetModule } from './contract.ts';
import { widgetCode } from './registry.ts';
import { widgetTexts as t } from './texts.ts';
import { useSource } from './use-source.ts';
import { useSteps } from './use-steps.ts';
import widgetSheet from './widgets.css';

/** Style sheets of every widget. */
export const widgetSheets = [pageSheet, widgetSheet];

/** The client of a widget. Its code is loaded only if the widget names a server. */
function useLaterClient(props: ViewProps) {
  const [taking, setTaking] = useState(0);
  const take = useMemo(
    (): ClientTaker =>
      (...given) => {
        let release: (() => void) | undefined;
        let gone = false;
        setTaking((count) => count + 1);
        void import('../runtime/clients.ts')
          .then(({ takeNow }) => {
            if (!gone) release = takeNow(...given);
          })
          .finally(() => setTaking((count) => count - 1));
        return () => {
          gone = true;
          release?.();
        };
      },
    [],
  );
  return { client: useClientFrom(take, props), isTaking: taking > 0 };
}

/** The view of a tag. With `undefined`, the payload or an attribute names the widget. */
export function widgetView(fixed: WidgetId | undefined): FunctionComponent<ViewProps> {
  return function WidgetView(props) {
    const { client, isTaking } = useLaterClient(props);
    const named = fixed ?? (props.values['widget'] as string | undefined);
    const source = useSource(props, client, named, isTaking);
    const { value: { read } = {}, busy } = useSteps<{ read: ReadWidget | undefined }>(
      () =>
        source.input === undefined
          ? ({} as { read: undefined })
          : isLongPayload(source.input)
            ? undefined
            : { read: readWidget(source.input, named) },
      () => readSteps(source.input, named),
      [source.input, named],
    );
    const server = props.values['server'] as string | undefined;
    useDescribe(props.host, busy ? undefined : read, source.input, named);
    if (source.loading) return <Loading />;
    if (source.error !== undefined)
      return (
        <LoadFailed onRetry={source.reload}>
          <span>{source.error}</span>
        </LoadFailed>
      );
    if (source.input === undefined) return <p className="element-note">{t.noData}</p>;
    if (!read && busy) return <Loading />;
    if (!read)
      return (
        <p className="element-note" role="alert">
          {named === undefined ? t.noWidget : fill(t.unknown, { name: named })}
        </p>
      );
    return (
      <HostContext value={props.host}>
        <WidgetBody read={read} host={props.host} client={client} server={server} />
      </HostContext>
    );
  };
}

function* readSteps(
  input: unknown,
  named: string | undefined,
): Generator<undefined, { read: ReadWidget | undefined }, void> {
  return { read: yield* readWidgetSteps(input, named) };
}

/** Renders a parsed payload with its widget. */
export function WidgetBody({
  read,
  ...rest
}: {
  read: ReadWidget;
  host: HTMLElement;
  client: WidgetProps['client'];
  server: string | undefined;
}) {
  return (
    <WhenLoaded of={widgetCode(read.widget)}>
      {(module) => <Shown module={module} read={read} {...rest} />}
    </WhenLoaded>
  );
}

const none: readonly string[] = [];

type WidgetProps = Parameters<WidgetModule<WidgetData>['View']>[0];

interface ShownProps extends Pick<WidgetProps, 'host' | 'client' | 'server'> {
  module: WidgetModule<WidgetData>;
  read: ReadWidget;
}

function Shown({ module, read, host, client, server }: ShownProps) {
  const id = useId();
  useSheets(module.sheets ?? none, host);
  const said = useMemo(() => module.describe(read.data), [module, read]);
  return (
    <section
      className="widget"
      part="widget"
      data-widget={read.widget}
      aria-label={t.names[read.widget] ?? read.widget}
      aria-describedby={id}
    >
      <p id={id} className="visually-hidden">
        {said}
      </p>
      <OutputBoundary type={t.names[read.widget] ?? read.widget} of={read}>
        <module.View data={read.data} host={host} client={client} server={server} />
      </OutputBoundary>
      <Problems of={read.problems} />
    </section>
  );
}

/** Lists the problems of a payload that is displayed anyway. */
function Problems({ of }: { of: readonly PayloadProblem[] }) {
  if (of.length === 0) return null;
  return (
    <details className="widget-problems">
      <summary>
        <Icon of={TriangleAlert} size="sm" />
        {of.length === 1 ? t.problem : fill(t.problems, { n: of.length })}
      </summary>
      <ul>
        {of.map(({ path, expected, found }) => (
          <li key={path}>{fill(t.wrong, { path: path || t.payload, expected, found })}</li>
        ))}
      </ul>
    </details>
  );
}

/** Implements `describe()`, which returns the text summary as soon as the payload is available. */
function useDescribe(
  host: HTMLElement,
  read: ReadWidget | undefined,
  input: unknown,
  named: string | undefined,
): void {
  const methods = useMemo(
    () => ({
      describe: async () => {
        // A call while a long payload is being parsed in slices parses it synchronously.
        const now = read ?? (input === undefined ? undefined : readWidget(input, named));
        return now ? (await widgetCode(now.widget).load()).describe(now.data) : '';
      },
    }),
    [read, input, named],
  );
  useMethods(host, methods);
}
