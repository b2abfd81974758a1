import { labelledEntries, timeOf, type WidgetData } from '@tiding/client/widgets';
import { Copy } from 'lucide-react';
import { numberFormat } from '../../result/parts/numbers.ts';
import { useCopy } from '../../result/parts/use-copy.ts';
import { resultText } from '../../result/texts.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { ObjectFacts } from '../object-facts.tsx';
import { Facts, HealthBadge, moment, timeText, WidgetPart } from '../parts.tsx';
import { WebLink } from '../web-link.tsx';
import { clustersTexts as t } from './texts.ts';

type Data = WidgetData<'cluster'>;
const count = numberFormat({ maximumFractionDigits: 2 });

/** Details, state and health of a cluster. */
export function Overview({ data }: { data: Data }) {
  const {
    cluster: of,
    health,
    hiveThriftServerPath: path,
    sparkUiAddress,
    instanceType,
    privateKey,
    usage,
  } = data;
  return (
    <>
      <Facts
        of={[
          [
            t.driver,
            (health?.driver || of?.driverType?.name) && (
              <Part health={health?.driver} type={of?.driverType?.name} />
            ),
          ],
          [
            t.workers,
            (health?.workers || workersOf(of)) && (
              <Part health={health?.workers} type={workersOf(of)} />
            ),
          ],
          [t.instanceType, instanceType && typeWords(instanceType)],
          [t.lastStarted, moment(of?.lastStarted)],
          [t.lastStopped, moment(of?.lastStopped)],
          [
            t.sparkUi,
            sparkUiAddress && <WebLink address={sparkUiAddress}>{t.openSparkUi}</WebLink>,
          ],
          [
            t.hivePath,
            path && (
              <span className="copied-value">
                <code>{path}</code>
                <CopyValue value={path} label={t.copyPath} />
              </span>
            ),
          ],
          [
            t.privateKey,
            privateKey && (privateKey.fingerprint || privateKey.privateKey) && (
              <PrivateKey of={privateKey} />
            ),
          ],
        ]}
      />
      {labelledEntries(usage).length > 0 ? (
        <WidgetPart title={t.usage}>
          <ObjectFacts of={usage!} labels={t.figures} />
        </WidgetPart>
      ) : null}
    </>
  );
}

/** Health and type of the driver or the workers. */
function Part({ health, type }: { health: string | undefined; type: string | undefined }) {
  return (
    <span className="copied-value">
      <HealthBadge health={health} />
      {type ? <span className="dim">{type}</span> : null}
    </span>
  );
}

function workersOf(of: Data['cluster']): string | undefined {
  const { workerCount: n, workerType } = of ?? {};
  if (n === undefined) return workerType?.name;
  return workerType?.name
    ? fill(t.workerTypes, { n: count.format(n), type: workerType.name })
    : count.format(n);
}

function typeWords({ name, cores, memoryGb }: NonNullable<Data['instanceType']>): string {
  return [
    name,
    cores === undefined ? '' : fill(t.cores, { n: count.format(cores) }),
    memoryGb === undefined ? '' : fill(t.memory, { n: count.format(memoryGb) }),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * The private key, shown by its fingerprint. The key itself can be copied but is never displayed.
 */
function PrivateKey({
  of: { fingerprint, createdAt, privateKey },
}: {
  of: NonNullable<Data['privateKey']>;
}) {
  return (
    <span className="copied-value">
      {fingerprint ? <code>{fingerprint}</code> : <span className="dim">{t.keyHidden}</span>}
      {timeOf(createdAt) === undefined ? null : (
        <span className="dim">{fill(t.keyCreated, { time: timeText(createdAt) })}</span>
      )}
      {privateKey ? (
        <CopyValue value={privateKey} label={t.copyKey} />
      ) : fingerprint ? (
        <CopyValue value={fingerprint} label={t.copyFingerprint} />
      ) : null}
    </span>
  );
}

/** Copy button whose text reports the result. `label` says what is copied, for screen readers. */
function CopyValue({ value, label }: { value: string; label: string }) {
  const [word, copy] = useCopy();
  return (
    <>
      <Button size="sm" kind="secondary" icon={Copy} aria-label={label} onClick={() => copy(value)}>
        {word}
      </Button>
      <span className="visually-hidden" role="status">
        {word === resultText.copy ? '' : word}
      </span>
    </>
  );
}
