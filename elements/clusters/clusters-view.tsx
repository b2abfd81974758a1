import type { ClusterList } from '@tiding/client/protocol';
import { useEffect, useMemo, useState } from 'react';
import { isPortalCluster, type PortalCluster, usePortalCluster } from '../portal/cluster.ts';
import { type ClientViewProps, clientView } from '../runtime/client-view.tsx';
import { fill } from '../text/fill.ts';
import {
  EmptyState,
  entriesOnPage,
  FilterField,
  LabelledSelect,
  LoadProblem,
  NoMatch,
  PAGE_SIZE,
  Page,
  Pager,
  pageSheet,
} from '../ui/page.tsx';
import { staleMessage, useClusterActions } from './actions.tsx';
import { Card } from './card.tsx';
import { currentCluster, useClusters } from './cluster-store.ts';
import { stateText, stateTone } from './cluster-text.ts';
import sheet from './clusters.css';
import { clusterTexts as t } from './texts.ts';

export const sheets = [pageSheet, sheet];

export default clientView(Clusters);

function Clusters({ client, host, values }: ClientViewProps) {
  const loaded = useClusters(client);
  const actions = useClusterActions(client, host);
  const signal = usePortalCluster(values['portal'] as string | undefined);
  const { error, value } = loaded;
  const { fail } = actions;
  useEffect(() => {
    if (error !== undefined && value !== undefined) fail(staleMessage(error));
  }, [error, value, fail]);
  const current = value && currentCluster(value);
  return (
    <Page
      title={t.title}
      actions={
        value ? (
          <span className="current-cluster">
            <span className="secondary-text">{t.current}</span>
            <span className="chip accent">
              {current ? (
                <>
                  <span className={`dot ${stateTone(current.state)}`} />
                  <span className="cluster-data">{current.name}</span>
                </>
              ) : (
                t.none
              )}
            </span>
          </span>
        ) : undefined
      }
    >
      {value ? (
        <Cards value={value} actions={actions} signal={signal} />
      ) : (
        <LoadProblem host={host} loaded={loaded} fallback={t.notLoaded} />
      )}
      {actions.view}
    </Page>
  );
}

interface CardsProps {
  value: ClusterList;
  actions: ReturnType<typeof useClusterActions>;
  signal: PortalCluster | undefined;
}

function Cards({ value: { clusters, currentClusterId }, actions, signal }: CardsProps) {
  const [words, setWords] = useState('');
  const [state, setState] = useState<string>();
  const [wanted, setWanted] = useState(1);
  const states = useMemo(
    () => [
      ...new Set([...clusters.map((each) => each.state), ...(state === undefined ? [] : [state])]),
    ],
    [clusters, state],
  );
  const fitting = useMemo(() => {
    const part = words.trim().toLowerCase();
    return clusters.filter(
      (each) =>
        (state === undefined || each.state === state) &&
        (part === '' || `${each.name}\n${each.description ?? ''}`.toLowerCase().includes(part)),
    );
  }, [clusters, words, state]);
  const { shown, page } = entriesOnPage(fitting, wanted);
  // A new choice turns to its page. The user may turn away again.
  const [turnedFor, setTurnedFor] = useState<PortalCluster>();
  if (signal !== turnedFor) {
    setTurnedFor(signal);
    const at = fitting.findIndex((each) => isPortalCluster(signal, each));
    if (at >= 0) setWanted(Math.floor(at / PAGE_SIZE) + 1);
  }
  const clear = (): void => {
    setWords('');
    setState(undefined);
  };
  if (clusters.length === 0) return <EmptyState>{t.empty}</EmptyState>;
  return (
    <>
      <div className="page-tools cluster-tools">
        <FilterField
          label={t.filter}
          value={words}
          onValue={(next) => (setWords(next), setWanted(1))}
        />
        {/* States have arbitrary names. */}
        <LabelledSelect
          label={t.state}
          value={state === undefined ? 'all' : `is:${state}`}
          options={[
            { value: 'all', label: t.all },
            ...states.map((each) => ({ value: `is:${each}`, label: stateText(each) })),
          ]}
          onValue={(next) => (
            setState(next === 'all' ? undefined : next.slice('is:'.length)), setWanted(1)
          )}
        />
        <span className="grow" />
        <span className="cluster-count" role="status">
          {fitting.length === 1 ? t.one : fill(t.count, { n: fitting.length })}
        </span>
      </div>
      {fitting.length === 0 ? (
        <NoMatch onClear={clear} />
      ) : (
        <>
          <div className="cluster-cards">
            {shown.map((cluster) => (
              <Card
                key={cluster.clusterId}
                cluster={cluster}
                current={cluster.clusterId === currentClusterId}
                chosen={isPortalCluster(signal, cluster)}
                manages={actions.manages}
                busy={actions.busy.has(cluster.clusterId)}
                onAsk={actions.confirm}
              />
            ))}
          </div>
          {fitting.length > 10 ? (
            <Pager page={page} total={fitting.length} onPage={setWanted} />
          ) : null}
        </>
      )}
    </>
  );
}
