import { timeOf, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { timeText, WidgetHead } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { type Tab, Tabs, tabsSheet } from '../tabs.tsx';
import clusterSheet from './cluster.css';
import { Instances, Schedules, Subscriptions } from './lists.tsx';
import { Overview } from './overview.tsx';
import { Runs } from './runs.tsx';
import { clustersTexts as t } from './texts.ts';

type Data = WidgetData<'cluster'>;

/** Module of the `cluster` widget: overview, history, schedules and more in tabs. */
export const clusterWidget: WidgetModule<Data> = {
  describe,
  View: ClusterView,
  sheets: [tabsSheet, clusterSheet],
};

function describe({
  cluster: of,
  state,
  health,
  instances,
  history,
  schedules,
  subscriptions,
}: Data): string {
  const what = titled('cluster', of?.name);
  const things = (
    [
      [instances, t.counts.instances],
      [history, t.counts.runs],
      [schedules, t.counts.schedules],
      [subscriptions, t.counts.subscriptions],
    ] as const
  )
    .filter(([list]) => list.length > 0)
    .map(([list, words]) => counted(list.length, words));
  return sentences(
    state ? fill(t.stateSummary, { what, state }) : fill(t.nameSummary, { what }),
    health?.driver && fill(t.driverIs, { health: health.driver }),
    health?.workers && fill(t.workersAre, { health: health.workers }),
    timeOf(of?.lastStarted) !== undefined && fill(t.startedAt, { time: timeText(of?.lastStarted) }),
    things.length > 0 && fill(t.hasSummary, { things: listed(things) }),
  );
}

function ClusterView({ data }: WidgetProps<Data>) {
  const { cluster: of, state, instances, history, schedules, subscriptions, lineage } = data;
  const list = (
    id: 'instances' | 'history' | 'schedules' | 'subscriptions',
    body: Tab['body'],
  ): Tab => ({ id, label: t[id], count: data[id].length, body });
  const tabs: readonly (Tab | false)[] = [
    { id: 'overview', label: t.overview, body: () => <Overview data={data} /> },
    instances.length > 0 && list('instances', () => <Instances instances={instances} />),
    list('history', () => <Runs history={history} />),
    list('schedules', () => <Schedules schedules={schedules} />),
    list('subscriptions', () => <Subscriptions subscriptions={subscriptions} />),
    !!lineage && {
      id: 'lineage',
      label: t.lineage,
      body: () => <LineagePanel lineage={lineage} />,
    },
  ];
  return (
    <>
      <WidgetHead widget="cluster" of={of} state={state} />
      <Tabs label={t.parts} tabs={tabs.filter((tab) => tab !== false)} />
    </>
  );
}
