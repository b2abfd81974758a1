import type { Client } from '@tiding/client';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { Button } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import { EmptyState, isRefused, Page, PageProblem, pageSheet, useLoaded } from '../ui/page.tsx';
import { ResourceTable } from '../ui/resource-table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { AddForm } from './add-form.tsx';
import { type CredentialEntry, CredentialRow } from './credential-row.tsx';
import sheet from './credentials.css';
import { credentialTexts as t } from './texts.ts';

/** Toast duration on this page, in ms; shown at the bottom (specification). */
const TOAST_MS = 3_000;

export const sheets = [pageSheet, sheet];

export default clientView(Credentials);

/**
 * Loads the credentials and the suggested entities: `group.name` of each interpreter, as far as the
 * server lists them.
 */
async function load(
  client: Client,
): Promise<{ entries: readonly CredentialEntry[]; names: readonly string[] }> {
  const [own, settings] = await Promise.all([
    client.credentials.list(),
    client.interpreters.list().catch(() => []),
  ]);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return {
    entries: Object.entries(own)
      .map(([entity, { username = '', password = '' }]) => ({ entity, username, password }))
      .sort((a, b) => compare(a.entity, b.entity)),
    names: [...new Set(settings.map(({ group, name }) => `${group ?? name}.${name}`))].sort(
      compare,
    ),
  };
}

function Credentials({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, load);
  const [toast, toasts] = useToasts(TOAST_MS, 'center');
  const [adding, setAdding] = useState(false);
  const [confirm, question] = useQuestion();
  const { value, reload } = loaded;
  const taken = useMemo(() => new Set(value?.entries.map(({ entity }) => entity)), [value]);

  const put = async (
    { entity, username, password }: CredentialEntry,
    failed: string,
  ): Promise<boolean> => {
    if (entity.trim() === '' || username.trim() === '') {
      toast('danger', t.empty);
      return false;
    }
    try {
      await client.credentials.put(entity, username, password);
    } catch (error) {
      toast('danger', failed);
      if (isRefused(error)) void reload();
      return false;
    }
    await reload();
    toast('success', t.saved);
    return true;
  };
  const toAdd = (): void =>
    host.shadowRoot?.querySelector<HTMLElement>('.page-head button')?.focus();
  const remove = async (entity: string): Promise<void> => {
    const { confirmRemove: title, removeAction: action } = t;
    if (!(await confirm({ title, text: entity, action, danger: true }))) return;
    try {
      await client.credentials.remove(entity);
      // The focus is in the row that is being removed.
      toAdd();
      toast('success', t.removed);
    } catch {
      toast('danger', t.removeFailed);
    }
    await reload();
  };
  const closeForm = (): void => {
    setAdding(false);
    requestAnimationFrame(toAdd);
  };

  if (!value)
    return <PageProblem title={t.title} host={host} loaded={loaded} fallback={t.failed} />;
  return (
    <Page
      title={t.title}
      actions={
        adding ? null : (
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      <p className="page-lead">{t.lead}</p>
      {adding ? (
        <AddForm
          names={value.names}
          taken={taken}
          onAdd={(credential) => put(credential, t.addFailed)}
          onClose={closeForm}
        />
      ) : null}
      <ResourceTable
        label={t.title}
        filter={t.filter}
        entries={value.entries}
        textsOf={({ entity, username }) => [entity, username]}
        columns={[
          { label: t.entity },
          { label: t.username },
          { label: t.password },
          { label: t.actions, hidden: true },
        ]}
        empty={<EmptyState>{t.none}</EmptyState>}
      >
        {(entry) => (
          <CredentialRow
            key={entry.entity}
            entry={entry}
            onEdit={() => toast('info', t.uniqueKey)}
            onSave={(credential) => put(credential, t.editFailed)}
            onRemove={() => void remove(entry.entity)}
          />
        )}
      </ResourceTable>
      {question}
      {toasts}
    </Page>
  );
}
