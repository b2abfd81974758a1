import type { Client } from '@tiding/client';
import type { AccessToken } from '@tiding/client/protocol';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import { EmptyState, Page, PageProblem, pageSheet, useLoaded } from '../ui/page.tsx';
import { ResourceTable } from '../ui/resource-table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useNow } from '../ui/use-now.ts';
import sheet from './access-tokens.css';
import { tokenTexts as t } from './texts.ts';
import { CreatedTokenDialog, CreateTokenDialog, type NewToken } from './token-dialogs.tsx';
import { TokenRow, tokenName } from './token-row.tsx';

export const sheets = [pageSheet, sheet];

export default clientView(AccessTokens);

/** The open dialog: the form for a token, or the one that was made. */
type Dialog = 'create' | AccessToken;

/**
 * Sort key of a time. A missing time sorts last, as a token that never expires does
 * (specification).
 */
const timeOf = (time: string | null | undefined): number => (time ? Date.parse(time) : Infinity);
/** Compares two times; `Infinity - Infinity` is NaN, but two missing times are equal. */
const byTime =
  (timeIn: (token: AccessToken) => string | null | undefined) =>
  (a: AccessToken, b: AccessToken): number =>
    timeOf(timeIn(a)) - timeOf(timeIn(b)) || 0;

function AccessTokens({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, (each) => each.tokens.list());
  const [toast, toasts] = useToasts();
  const [dialog, setDialog] = useState<Dialog>();
  const [confirm, question] = useQuestion();
  const now = useNow();
  const { value: tokens, set, reload } = loaded;

  /**
   * Waits for a change, shows a toast and resolves to whether it succeeded. Then reloads the list,
   * which shows the current state or that the permission is gone.
   */
  const tell = async (doing: Promise<void>, well: string, badly: string): Promise<boolean> => {
    try {
      await doing;
      toast('success', well);
      return true;
    } catch {
      toast('danger', badly);
      void reload();
      return false;
    }
  };
  const change = (
    { tokenId }: AccessToken,
    doing: Promise<AccessToken>,
    well: string,
    badly: string,
  ): Promise<boolean> => {
    const put = (changed: AccessToken) =>
      set((all) => all?.map((each) => (each.tokenId === tokenId ? { ...each, ...changed } : each)));
    return tell(doing.then(put), well, badly);
  };
  const create = async (wanted: NewToken): Promise<void> => {
    const doing = client.tokens.create(wanted).then((made) => {
      // The secret stays only in the dialog that shows it.
      const { token, ...entry } = made;
      set((all) => [...(all ?? []), entry]);
      setDialog(made);
    });
    await tell(doing, t.saved, t.saveFailed);
    // The dialog says why it failed.
    await doing;
  };
  const remove = async (token: AccessToken): Promise<void> => {
    const { confirmRemove: title, removeAction: action } = t;
    const text = fill(t.confirmRemoveText, { name: tokenName(token) });
    if (!(await confirm({ title, text, action, danger: true }))) return;
    const removed = client.tokens.remove(token.tokenId).then(() => {
      // The focus is in the row that is being removed.
      host.shadowRoot?.querySelector<HTMLElement>('.page-head button')?.focus();
      set((all) => all?.filter(({ tokenId }) => tokenId !== token.tokenId));
    });
    await tell(removed, t.removed, t.removeFailed);
  };
  if (!tokens)
    return <PageProblem title={t.title} host={host} loaded={loaded} fallback={t.failed} />;
  const used = tokens.some(({ lastUsedAt }) => lastUsedAt);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return (
    <Page
      title={t.title}
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setDialog('create')}>
          {t.create}
        </Button>
      }
    >
      <ResourceTable
        label={t.title}
        filter={t.filter}
        entries={tokens}
        textsOf={({ description = '', tokenId }) => [description, tokenId]}
        sortedBy={t.expires}
        columns={[
          { label: t.description, compare: (a, b) => compare(tokenName(a), tokenName(b)) },
          { label: t.id, className: 'token-id' },
          { label: t.created, className: 'token-past', compare: byTime((of) => of.createdAt) },
          ...(used
            ? [
                {
                  label: t.lastUsed,
                  className: 'token-past',
                  compare: byTime((of) => of.lastUsedAt),
                },
              ]
            : []),
          { label: t.expires, compare: byTime((of) => of.expiresAt) },
          { label: t.status },
          { label: t.actions, hidden: true },
        ]}
        empty={<EmptyState hint={t.noneText}>{t.none}</EmptyState>}
      >
        {(token) => (
          <TokenRow
            key={token.tokenId}
            token={token}
            now={now}
            used={used}
            onStatus={(enabled) => {
              const status = enabled ? 'enabled' : 'disabled';
              const doing = client.tokens.setStatus(token.tokenId, status);
              return change(token, doing, t.statusSaved, t.statusFailed);
            }}
            onDescribe={(description) => {
              const doing = client.tokens.describe(token.tokenId, description);
              return change(token, doing, t.descriptionSaved, t.descriptionFailed);
            }}
            onRemove={() => void remove(token)}
          />
        )}
      </ResourceTable>
      {tokens.length > 0 ? <p className="hint tokens-note">{t.note}</p> : null}
      <p className="hint tokens-note">
        {t.commandLine}{' '}
        <a href={`${client.server}/api/magpie/cli`} download>
          {t.downloadCommandLine}
        </a>
      </p>
      {dialog === 'create' ? (
        <CreateTokenDialog onCreate={create} onClose={() => setDialog(undefined)} />
      ) : dialog ? (
        <CreatedTokenDialog token={dialog} now={now} onClose={() => setDialog(undefined)} />
      ) : null}
      {question}
      {toasts}
    </Page>
  );
}
