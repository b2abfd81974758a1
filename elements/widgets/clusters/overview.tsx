import { bagEntries, timeOf, type Time, type WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import { BagFacts } from '../bag-facts.tsx';
import { Facts, HealthBadge, timeText, When, WidgetPart } from '../parts.tsx';
import { WebLink } from '../web-link.tsx';
import { CopyValue } from './copy-value.tsx';

const t = text.widgets.clusters;
type Data = WidgetData<'cluster'>;
const count = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** What a cluster is and how it does. */
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
      {bagEntries(usage).length > 0 ? (
        <WidgetPart title={t.usage}>
          <BagFacts of={usage!} labels={t.figures} />
        </WidgetPart>
      ) : null}
    </>
  );
}

const moment = (at: Time | undefined) =>
  at === undefined || at === '' ? undefined : <When at={at} />;

/** Health and kind of the driver or the workers. */
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

/** By its fingerprint: the key itself is copied, and never shown. */
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
