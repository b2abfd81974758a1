import type { Client } from '@tiding/client';
import type { AccessToken } from '@tiding/client/protocol';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { tokenTexts } from '../text/pages/access-tokens.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import {
  EmptyState,
  entriesOnPage,
  FilterField,
  isRefused,
  LoadProblem,
  NoMatch,
  PAGE_SIZE,
  Page,
  Pager,
  pageSheet,
  serverMessageOf,
  useLoaded,
} from '../ui/page.tsx';
import { SortHeader, type SortOrder, useSortOrder } from '../ui/sort-header.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './access-tokens.css';
import { CreatedTokenDialog, CreateTokenDialog, type NewToken } from './token-dialogs.tsx';
import { TokenRow, tokenName } from './token-row.tsx';

const t = tokenTexts;
/** Toast duration on pages, in ms (specification). */
const TOAST_MS = 6_000;
/** Refresh interval of the remaining lifetimes, in ms. */
const CLOCK_REFRESH_MS = 30_000;

/** Style sheets of this view. */
export const sheets = [pageSheet, sheet];

/** View of `<tiding-access-tokens>`. */
export default clientView(AccessTokens);

type Column = 'description' | 'created' | 'used' | 'expires';
type Dialog =
  | { readonly ask: 'create' }
  | { readonly ask: 'remove'; readonly token: AccessToken }
  | { readonly ask: 'made'; readonly token: AccessToken };

/**
 * Sort key of a time. A missing time sorts last, as a token that never expires does
 * (specification).
 */
const timeOf = (time: string | null | undefined): number => (time ? Date.parse(time) : Infinity);
const keys: Record<Exclude<Column, 'description'>, (token: AccessToken) => number> = {
  created: ({ createdAt }) => timeOf(createdAt),
  used: ({ lastUsedAt }) => timeOf(lastUsedAt),
  expires: ({ expiresAt }) => timeOf(expiresAt),
};

function ordered(tokens: readonly AccessToken[], { by, down }: SortOrder<Column>): AccessToken[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const key = by === 'description' ? undefined : keys[by];
  // `Infinity - Infinity` is NaN; two missing times are equal.
  const sorted = [...tokens].sort(
    key ? (a, b) => key(a) - key(b) || 0 : (a, b) => compare(tokenName(a), tokenName(b)),
  );
  return down ? sorted.reverse() : sorted;
}

/** Returns the time of this render, and renders again when the clock ticks. */
function useNow(): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), CLOCK_REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}

function AccessTokens({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, (each) => each.tokens.list());
  const [toast, toasts] = useToasts(TOAST_MS, 'corner');
  const [dialog, setDialog] = useState<Dialog>();
  const [order, setOrder] = useSortOrder<Column>('expires');
  const [filter, setFilter] = useState('');
  const [wanted, setPage] = useState(1);
  const now = useNow();
  const { value: tokens, set, reload } = loaded;
  const used = tokens?.some(({ lastUsedAt }) => lastUsedAt) === true;
  const found = useMemo(() => {
    const term = filter.trim().toLowerCase();
    const some = (tokens ?? []).filter(
      ({ description = '', tokenId }) =>
        term === '' ||
        description.toLowerCase().includes(term) ||
        tokenId.toLowerCase().includes(term),
    );
    return ordered(some, order);
  }, [tokens, filter, order]);
  const { shown, page } = entriesOnPage(found, wanted);

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
  const put = (tokenId: string, changed: AccessToken): void =>
    set((all) => all?.map((each) => (each.tokenId === tokenId ? { ...each, ...changed } : each)));
  const create = async ({ description, expiresInDays }: NewToken): Promise<string | undefined> => {
    let problem: unknown;
    const done = await tell(
      client.tokens.create({ description, expiresInDays }).then(
        (made) => {
          // The secret stays only in the dialog that shows it.
          const { token, ...entry } = made;
          set((all) => [...(all ?? []), entry]);
          setDialog({ ask: 'made', token: made });
        },
        (error: unknown) => {
          problem = error;
          throw error;
        },
      ),
      t.saved,
      t.saveFailed,
    );
    return done ? undefined : serverMessageOf(problem, t.saveFailed);
  };
  const remove = (token: AccessToken): Promise<boolean> =>
    tell(
      client.tokens.remove(token.tokenId).then(() => {
        // The focus is in the row that is being removed.
        host.shadowRoot?.querySelector<HTMLElement>('.page-head button')?.focus();
        set((all) => all?.filter(({ tokenId }) => tokenId !== token.tokenId));
      }),
      t.removed,
      t.removeFailed,
    );
  const onOrder = useEvent((column: Column) => {
    setOrder(column);
    setPage(1);
  });

  const refused = loaded.error !== undefined && isRefused(loaded.error);
  const problem = <LoadProblem host={host} loaded={loaded} fallback={t.failed} />;
  if (refused || !tokens) return <Page title={t.title}>{problem}</Page>;
  return (
    <Page
      title={t.title}
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setDialog({ ask: 'create' })}>
          {t.create}
        </Button>
      }
    >
      {problem}
      {tokens.length > PAGE_SIZE ? (
        <div className="page-tools">
          <FilterField
            label={t.filter}
            value={filter}
            onValue={(next) => (setFilter(next), setPage(1))}
          />
        </div>
      ) : null}
      {tokens.length === 0 ? (
        <div className="card">
          <EmptyState hint={t.noneText}>{t.none}</EmptyState>
        </div>
      ) : found.length === 0 ? (
        <div className="card">
          <NoMatch onClear={() => setFilter('')} />
        </div>
      ) : (
        <div className="table-card">
          <table aria-label={t.title}>
            <thead>
              <tr>
                <SortHeader
                  column="description"
                  label={t.description}
                  order={order}
                  onOrder={onOrder}
                />
                <th scope="col" className="token-id">
                  {t.id}
                </th>
                <SortHeader
                  column="created"
                  className="token-past"
                  label={t.created}
                  order={order}
                  onOrder={onOrder}
                />
                {used ? (
                  <SortHeader
                    column="used"
                    className="token-past"
                    label={t.lastUsed}
                    order={order}
                    onOrder={onOrder}
                  />
                ) : null}
                <SortHeader column="expires" label={t.expires} order={order} onOrder={onOrder} />
                <th scope="col">{t.status}</th>
                <th scope="col">
                  <span className="visually-hidden">{t.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((token) => (
                <TokenRow
                  key={token.tokenId}
                  token={token}
                  now={now}
                  used={used}
                  onStatus={(enabled) =>
                    tell(
                      client.tokens
                        .setStatus(token.tokenId, enabled ? 'enabled' : 'disabled')
                        .then((changed) => put(token.tokenId, changed)),
                      t.statusSaved,
                      t.statusFailed,
                    )
                  }
                  onDescribe={(description) =>
                    tell(
                      client.tokens
                        .describe(token.tokenId, description)
                        .then((changed) => put(token.tokenId, changed)),
                      t.descriptionSaved,
                      t.descriptionFailed,
                    )
                  }
                  onRemove={() => setDialog({ ask: 'remove', token })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {tokens.length > 0 ? <p className="hint tokens-note">{t.note}</p> : null}
      <p className="hint tokens-note">
        {t.commandLine}{' '}
        <a href={`${client.server}/api/magpie/cli`} download>
          {t.downloadCommandLine}
        </a>
      </p>
      {found.length > PAGE_SIZE ? (
        <Pager page={page} total={found.length} onPage={setPage} />
      ) : null}
      {dialog?.ask === 'create' ? (
        <CreateTokenDialog onCreate={create} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog?.ask === 'made' ? (
        <CreatedTokenDialog token={dialog.token} now={now} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog?.ask === 'remove' ? (
        <ConfirmDialog
          title={t.confirmRemove}
          text={fill(t.confirmRemoveText, { name: tokenName(dialog.token) })}
          action={t.removeAction}
          cancel={commonTexts.cancel}
          danger
          onClose={(confirmed) => {
            setDialog(undefined);
            if (confirmed) void remove(dialog.token);
          }}
        />
      ) : null}
      {toasts}
    </Page>
  );
}
