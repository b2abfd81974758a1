import { CircleAlert, Ellipsis, ExternalLink, Play, Square } from 'lucide-react';
import { memo, useId } from 'react';
import { parseDate } from 'tiding/model';
import type { Cluster } from 'tiding/protocol';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import type { ClusterAction } from './actions.tsx';
import { healthTone, healthWord, stateTone, stateWord, timeWords, webAddress } from './words.ts';

const t = text.clusters;

interface CardProps {
  cluster: Cluster;
  /** It is the user's current one. */
  current: boolean;
  /** The user may start and stop clusters that the server owns. */
  manages: boolean;
  /** What was asked of it is on its way to the server. */
  busy: boolean;
  onAsk: (action: ClusterAction, cluster: Cluster) => void;
}

/** A cluster: what it is, how it does, and what can be done with it. */
export const Card = memo(function Card({ cluster, current, manages, busy, onAsk }: CardProps) {
  const title = useId();
  const { name, state, description, health, errorReason } = cluster;
  const address = webAddress(cluster.sparkUiAddress);
  const { workerCount, workerType } = cluster;
  const action = current ? 'unset' : state === 'Running' ? 'use' : undefined;
  return (
    <article
      className={`card cluster${current ? ' current' : ''}`}
      aria-labelledby={title}
      data-cluster={cluster.clusterId}
    >
      <header>
        <h2 id={title} className="cluster-data">
          {name}
        </h2>
        {current ? <span className="badge accent">{t.badge}</span> : null}
        <span className="grow" />
        <span className={`badge word ${stateTone(state)}`}>
          <span className={`dot ${stateTone(state)}`} />
          {stateWord(state)}
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
                onSelect: () => onAsk('start', cluster),
              },
              {
                label: t.stop,
                icon: Square,
                disabled: busy || state === 'Stopped' || state === 'Stopping',
                onSelect: () => onAsk('stop', cluster),
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
            <a
              className="link"
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={fill(t.openNamed, { name })}
            >
              {t.open}
              <Icon of={ExternalLink} size="xs" />
            </a>
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
            onClick={() => busy || onAsk(action, cluster)}
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
      {health ? healthWord(health) : t.notRunning}
    </span>
  );
}

function Time({ words, at }: { words: string; at: string | number | undefined }) {
  const date = parseDate(at);
  const said = fill(words, { when: timeWords(at, new Date()) });
  return date ? (
    <time dateTime={date.toISOString()} title={date.toString()}>
      {said}
    </time>
  ) : (
    <span>{said}</span>
  );
}
