import type { Client } from '@tiding/client';
import type { NoteStorage } from '@tiding/client/protocol';
import { clientView } from '../runtime/client-view.tsx';
import { fill } from '../text/fill.ts';
import { DottedName } from '../ui/dotted-name.tsx';
import { EmptyState, Page, PageProblem, pageSheet, useLoaded } from '../ui/page.tsx';
import { ResourceTable } from '../ui/resource-table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './configuration.css';
import { type ConfigurationEntry, configurationEntries } from './settings.ts';
import { StorageCard } from './storage-card.tsx';
import { configurationTexts as t } from './texts.ts';

/** Entries per page; a server has about 150. */
const SETTINGS_PER_PAGE = 200;

export const sheets = [pageSheet, sheet];

export default clientView(Configuration);

/** A server may expose its configuration but not its storages. */
async function load(
  client: Client,
): Promise<{ entries: readonly ConfigurationEntry[]; storages: readonly NoteStorage[] }> {
  const [configurations, storages] = await Promise.all([
    client.administration.configurations(),
    client.administration.storages().catch(() => []),
  ]);
  return { entries: configurationEntries(configurations), storages };
}

function Configuration({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, load);
  const [toast, toasts] = useToasts();
  const { value, set } = loaded;
  if (!value)
    return <PageProblem title={t.title} host={host} loaded={loaded} fallback={t.failed} />;
  const save = async (storage: NoteStorage, settings: Record<string, string>): Promise<void> => {
    try {
      const changed = await client.administration.updateStorage(
        storage.className ?? storage.name,
        settings,
      );
      // Zeppelin answers with a storage without a name if nothing was set.
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
    } catch (error) {
      toast('danger', t.saveFailed);
      throw error;
    }
  };
  const count = value.entries.length;
  return (
    <Page title={t.title} aside={count === 1 ? t.one : fill(t.total, { n: count })}>
      <p className="configuration-note">{t.note}</p>
      <ResourceTable
        label={t.title}
        className="configuration"
        filter={t.filter}
        filterFrom={1}
        size={SETTINGS_PER_PAGE}
        entries={value.entries}
        textsOf={({ name, value: setting }) => [name, setting]}
        columns={[{ label: t.name, sorted: 'ascending' }, { label: t.value }]}
        empty={<EmptyState>{t.none}</EmptyState>}
      >
        {({ name, value: setting }) => (
          <tr key={name}>
            <th scope="row">
              <DottedName>{name}</DottedName>
            </th>
            <td>{setting}</td>
          </tr>
        )}
      </ResourceTable>
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
