import { parseDate } from '@tiding/client/model';
import type { Cluster } from '@tiding/client/protocol';
import { CircleAlert, Ellipsis, ExternalLink, Play, Square } from 'lucide-react';
import { memo, useId } from 'react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu/menu-button.tsx';
import { NewTabLink } from '../ui/new-tab.tsx';
import type { ClusterAction } from './actions.tsx';
import {
  clusterTimeText,
  healthText,
  healthTone,
  httpAddress,
  stateText,
  stateTone,
} from './cluster-text.ts';
import { clusterTexts as t } from './texts.ts';

interface CardProps {
  cluster: Cluster;
  /** Whether it is the user's current cluster. */
  current: boolean;
  /** Whether the portal of the element names it. */
  chosen?: boolean;
  /** Whether the user may start and stop clusters owned by the server. */
  manages: boolean;
  /** Whether a request for this cluster is pending. */
  busy: boolean;
  onAsk: (action: ClusterAction, cluster: Cluster) => Promise<void>;
}

/** Card of a cluster: description, state, health and actions. */
export const Card = memo(function Card({
  cluster,
  current,
  chosen = false,
  manages,
  busy,
  onAsk,
}: CardProps) {
  const title = useId();
  const { name, state, description, health, errorReason } = cluster;
  const address = httpAddress(cluster.sparkUiAddress);
  const { workerCount, workerType } = cluster;
  const action = current ? 'unset' : state === 'Running' ? 'use' : undefined;
  return (
    <article
      className={`card cluster${current || chosen ? ' current' : ''}`}
      aria-labelledby={title}
      data-cluster={cluster.clusterId}
    >
      <header>
        <h2 id={title} className="cluster-data">
          {name}
        </h2>
        {current || chosen ? (
          <span className="badge accent">{current ? t.badge : t.chosen}</span>
        ) : null}
        <span className="grow" />
        <span className={`badge word ${stateTone(state)}`}>
          <span className={`dot ${stateTone(state)}`} />
          {stateText(state)}
        </span>
        {manages && cluster.owned ? (
          <MenuButton
            label={fill(t.more, { name })}
            icon={Ellipsis}
            size="sm"
            entries={() => [
              {
                label: t.start,
                icon: Play,
                disabled: busy || (state !== 'Stopped' && state !== 'Failed'),
                onSelect: () => void onAsk('start', cluster),
              },
              {
                label: t.stop,
                icon: Square,
                disabled: busy || state === 'Stopped' || state === 'Stopping',
                onSelect: () => void onAsk('stop', cluster),
              },
            ]}
          />
        ) : null}
      </header>
      <p className={description ? 'cluster-data' : 'dim'}>{description || t.noDescription}</p>
      {state === 'Failed' && errorReason ? (
        <p className="hint error cluster-data">
          <Icon of={CircleAlert} size="sm" />
          {errorReason}
        </p>
      ) : null}
      <dl>
        <dt>{t.driver}</dt>
        <dd>
          <Health of={health?.driver} />
          <span className="dim cluster-data">{cluster.driverType?.name}</span>
        </dd>
        <dt>{t.workers}</dt>
        <dd>
          <Health of={health?.workers} />
          <span className="dim cluster-data">
            {workerCount !== undefined && workerType
              ? fill(t.workerTypes, { n: workerCount, type: workerType.name })
              : (workerType?.name ?? workerCount)}
          </span>
        </dd>
        <dt>{t.computeUi}</dt>
        <dd>
          {address ? (
            <NewTabLink className="link" href={address} aria-label={fill(t.openNamed, { name })}>
              {t.open}
              <Icon of={ExternalLink} size="xs" />
            </NewTabLink>
          ) : (
            <span className="dim">{t.notAvailable}</span>
          )}
        </dd>
      </dl>
      <footer>
        <span className="cluster-times">
          <Time words={t.started} at={cluster.lastStarted} />
          <Time words={t.stopped} at={cluster.lastStopped} />
        </span>
        <span className="grow" />
        {action ? (
          <Button
            kind="secondary"
            aria-busy={busy || undefined}
            label={fill(current ? t.stopUsingNamed : t.useNamed, { name })}
            onClick={() => busy || void onAsk(action, cluster)}
          >
            {current ? t.stopUsing : t.use}
          </Button>
        ) : null}
      </footer>
    </article>
  );
});

function Health({ of: health }: { of: string | undefined }) {
  return (
    <span className="health">
      <span className={`dot ${health ? healthTone(health) : 'hollow'}`} />
      {health ? healthText(health) : t.notRunning}
    </span>
  );
}

function Time({ words, at }: { words: string; at: string | number | undefined }) {
  const date = parseDate(at);
  const said = fill(words, { when: clusterTimeText(at, new Date()) });
  return date ? (
    <time dateTime={date.toISOString()} title={date.toString()}>
      {said}
    </time>
  ) : (
    <span>{said}</span>
  );
}
