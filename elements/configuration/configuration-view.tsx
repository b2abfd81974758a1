import { useMemo, useState } from 'react';
import type { Client } from 'tiding/client';
import type { NoteStorage } from 'tiding/protocol';
import { clientView } from '../runtime/client-view.tsx';
import { fill, text } from '../text/en.ts';
import { Dotted } from '../ui/dotted.tsx';
import {
  Empty,
  FilterField,
  isRefused,
  LoadProblem,
  messageOf,
  NoMatch,
  Page,
  pageOf,
  Pager,
  pageSheet,
  useLoaded,
} from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './configuration.css';
import { entriesOf, type ConfigurationEntry } from './settings.ts';
import { StorageCard } from './storage-card.tsx';

const t = text.configuration;
/** Pages' toasts (specification). */
const TOAST_MS = 6_000;
/** Settings of one page: a server has about 150. */
const SETTINGS = 200;

/** Sheets of this view. */
export const sheets = [pageSheet, sheet];

/** The view of `<tiding-configuration>`. */
export default clientView(Configuration);

/** A server may tell of its settings and of no storage. */
async function load(
  client: Client,
): Promise<{ entries: readonly ConfigurationEntry[]; storages: readonly NoteStorage[] }> {
  const [configurations, storages] = await Promise.all([
    client.administration.configurations(),
    client.administration.storages().catch(() => []),
  ]);
  return { entries: entriesOf(configurations), storages };
}

function Configuration({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, load);
  const [toast, toasts] = useToasts(TOAST_MS, 'corner');
  const { value, set } = loaded;
  if (!value || (loaded.error !== undefined && isRefused(loaded.error)))
    return (
      <Page title={t.title}>
        <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
      </Page>
    );
  const save = async (
    storage: NoteStorage,
    settings: Record<string, string>,
  ): Promise<string | undefined> => {
    try {
      const changed = await client.administration.updateStorage(
        storage.className ?? storage.name,
        settings,
      );
      // Upstream answers a storage without a name where it has set nothing.
      if (changed.name === '') throw new Error(t.saveFailed);
      set(
        (before) =>
          before && {
            ...before,
            storages: before.storages.map((each) =>
              each === storage ? { ...each, ...changed } : each,
            ),
          },
      );
      toast('success', fill(t.saved, { name: storage.name }));
      return undefined;
    } catch (error) {
      toast('danger', t.saveFailed);
      return messageOf(error, t.saveFailed);
    }
  };
  const count = value.entries.length;
  return (
    <Page title={t.title} aside={count === 1 ? t.one : fill(t.total, { n: count })}>
      <p className="configuration-note">{t.note}</p>
      <Settings entries={value.entries} />
      {value.storages.length === 0 ? null : (
        <div className="storages">
          <h2>{t.storages}</h2>
          <p>{t.storagesNote}</p>
          {value.storages.map((storage) => (
            <StorageCard
              key={storage.className ?? storage.name}
              storage={storage}
              onSave={(settings) => save(storage, settings)}
            />
          ))}
        </div>
      )}
      {toasts}
    </Page>
  );
}

function Settings({ entries }: { entries: readonly ConfigurationEntry[] }) {
  const [filter, setFilter] = useState('');
  const [wanted, setPage] = useState(1);
  const found = useMemo(() => {
    const term = filter.trim().toLowerCase();
    return term === ''
      ? entries
      : entries.filter(
          ({ name, value }) =>
            name.toLowerCase().includes(term) || value.toLowerCase().includes(term),
        );
  }, [entries, filter]);
  const { shown, page } = pageOf(found, wanted, SETTINGS);
  if (entries.length === 0)
    return (
      <div className="card">
        <Empty>{t.none}</Empty>
      </div>
    );
  return (
    <>
      <div className="page-tools">
        <FilterField
          label={t.filter}
          value={filter}
          onValue={(next) => (setFilter(next), setPage(1))}
        />
      </div>
      {found.length === 0 ? (
        <div className="card">
          <NoMatch onClear={() => setFilter('')} />
        </div>
      ) : (
        <div className="table-card">
          <table className="configuration" aria-label={t.title}>
            <thead>
              <tr>
                <th scope="col" aria-sort="ascending">
                  {t.name}
                </th>
                <th scope="col">{t.value}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, value }) => (
                <tr key={name}>
                  <th scope="row">
                    <Dotted>{name}</Dotted>
                  </th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.length > SETTINGS ? (
        <Pager page={page} total={found.length} size={SETTINGS} onPage={setPage} />
      ) : null}
    </>
  );
}
