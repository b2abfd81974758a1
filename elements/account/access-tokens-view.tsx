import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Client } from 'tiding/client';
import type { AccessToken } from 'tiding/protocol';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import {
  Empty,
  FilterField,
  isRefused,
  LoadProblem,
  messageOf,
  NoMatch,
  Page,
  PAGE_SIZE,
  pageOf,
  Pager,
  pageSheet,
  useLoaded,
} from '../ui/page.tsx';
import { SortHeader, useOrder, type Order } from '../ui/sort-header.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './access-tokens.css';
import { CreateTokenDialog, MadeTokenDialog, type NewToken } from './token-dialogs.tsx';
import { nameOf, TokenRow } from './token-row.tsx';

const t = text.tokens;
/** Pages' toasts (specification). */
const TOAST_MS = 6_000;
/** How often what is left of a token's time is told anew. */
const CLOCK_MS = 30_000;

/** Sheets of this view. */
export const sheets = [pageSheet, sheet];

/** The view of `<tiding-access-tokens>`. */
export default clientView(AccessTokens);

type Column = 'description' | 'created' | 'used' | 'expires';
type Dialog =
  | { readonly ask: 'create' }
  | { readonly ask: 'remove'; readonly token: AccessToken }
  | { readonly ask: 'made'; readonly token: AccessToken };

/** Times in their order; what has none comes last, as what never expires does (specification). */
const timeOf = (time: string | null | undefined): number => (time ? Date.parse(time) : Infinity);
const keys: Record<Exclude<Column, 'description'>, (token: AccessToken) => number> = {
  created: ({ createdAt }) => timeOf(createdAt),
  used: ({ lastUsedAt }) => timeOf(lastUsedAt),
  expires: ({ expiresAt }) => timeOf(expiresAt),
};

function ordered(tokens: readonly AccessToken[], { by, down }: Order<Column>): AccessToken[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const key = by === 'description' ? undefined : keys[by];
  // Infinity less itself is no number: such two are alike.
  const sorted = [...tokens].sort(
    key ? (a, b) => key(a) - key(b) || 0 : (a, b) => compare(nameOf(a), nameOf(b)),
  );
  return down ? sorted.reverse() : sorted;
}

/** The time of this render, and another one when the clock goes on. */
function useNow(): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}

function AccessTokens({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, (each) => each.tokens.list());
  const [toast, toasts] = useToasts(TOAST_MS, 'corner');
  const [dialog, setDialog] = useState<Dialog>();
  const [order, setOrder] = useOrder<Column>('expires');
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
  const { shown, page } = pageOf(found, wanted);

  /** Does it, says how it went, and answers whether it went well. The list then says what holds, or that the right is gone. */
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
          // The secret stays in the dialog that shows it.
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
    return done ? undefined : messageOf(problem, t.saveFailed);
  };
  const remove = (token: AccessToken): Promise<boolean> =>
    tell(
      client.tokens.remove(token.tokenId).then(() => {
        // Its row has the focus, and goes.
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
          <Empty hint={t.noneText}>{t.none}</Empty>
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
      {found.length > PAGE_SIZE ? (
        <Pager page={page} total={found.length} onPage={setPage} />
      ) : null}
      {dialog?.ask === 'create' ? (
        <CreateTokenDialog onCreate={create} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog?.ask === 'made' ? (
        <MadeTokenDialog made={dialog.token} now={now} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog?.ask === 'remove' ? (
        <ConfirmDialog
          title={t.confirmRemove}
          text={fill(t.confirmRemoveText, { name: nameOf(dialog.token) })}
          action={t.removeAction}
          cancel={text.cancel}
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
