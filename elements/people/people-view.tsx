/** The page of users, for administrators. */
import { type Client, isHttpError } from '@tiding/client';
import type { PasswordLinkInfo, ServerUser } from '@tiding/client/protocol';
import { UserPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { useSelect } from '../runtime/hooks.ts';
import { withTexts } from '../text/areas.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import principalSheet from '../ui/fields/principal-field.css';
import {
  EmptyState,
  LoadProblem,
  Page,
  pageSheet,
  serverMessageOf,
  useLoaded,
} from '../ui/page.tsx';
import { type ResourceColumn, ResourceTable } from '../ui/resource-table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { LinkDialog } from './link-dialog.tsx';
import sheet from './people.css';
import { type InvitationFailure, InviteDialog, RolesDialog } from './people-dialogs.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import { peopleTexts as t } from './texts.ts';
import { type UserAction, UserRow } from './user-row.tsx';

/** Interval between updates of sign-ins and sessions, in ms. */
const REFRESH_MS = 30_000;
/** Users on a page of the table. */
const USERS_PER_PAGE = 25;

export const sheets = [pageSheet, principalSheet, sheet];

export default clientView(People);

type Dialog =
  | { readonly ask: 'invite' }
  | { readonly ask: 'roles' | 'sessions'; readonly user: ServerUser }
  | {
      readonly ask: 'links';
      readonly links: readonly PasswordLinkInfo[];
      readonly failures: readonly InvitationFailure[];
    };

const byName = (a: ServerUser, b: ServerUser): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true });
/** Columns of the table; users who are equal in one are sorted by name. */
const columns = withTexts<ResourceColumn<ServerUser>>(() => [
  { label: t.name, compare: byName },
  { label: t.roles, className: 'user-wide' },
  {
    label: t.lastSignIn,
    className: 'user-wide',
    compare: (a, b) => (a.lastSignIn ?? '').localeCompare(b.lastSignIn ?? '') || byName(a, b),
  },
  {
    label: t.sessions,
    className: 'user-wide numeric',
    compare: (a, b) => a.sessions - b.sessions || byName(a, b),
  },
  { label: t.actions, hidden: true },
]);

function People({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, ({ people }) => people.users());
  const [toast, toasts] = useToasts();
  const [dialog, setDialog] = useState<Dialog>();
  const [confirm, question] = useQuestion();
  const own = useSelect(client, ({ session }) => session.ticket?.principal, undefined);
  const { error, reload, set, value: users } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);

  const put = (changed: ServerUser): void =>
    set((all) => all?.map((each) => (each.name === changed.name ? changed : each)));
  const focusPage = () =>
    requestAnimationFrame(() =>
      host.shadowRoot?.querySelector<HTMLElement>('.page-head button')?.focus(),
    );
  /** Waits for a change and shows its outcome. Errors stay until they are dismissed. */
  const tell = async (doing: Promise<void>, well: string | undefined, badly: string) => {
    try {
      await doing;
      if (well !== undefined) toast('success', well);
    } catch (failure) {
      toast('danger', serverMessageOf(failure, badly), undefined, true);
      void reload();
    }
  };
  const createLink = async (name: string): Promise<void> => {
    const link = await client.people.createPasswordLink(name);
    setDialog({ ask: 'links', links: [link], failures: [] });
    void reload();
  };
  const act = (user: ServerUser, action: UserAction): void => {
    const { name } = user;
    const { people } = client;
    const named = (text: string) => fill(text, { name });
    if (action === 'roles' || action === 'sessions') return setDialog({ ask: action, user });
    if (action === 'remove') return void remove(user);
    if (action === 'link') return void tell(createLink(name), undefined, named(t.linkFailed));
    const [doing, well] = {
      disable: () => [people.disable(name).then(put), t.disabledNow] as const,
      enable: () => [people.enable(name).then(put), t.enabledNow] as const,
      'sign-out': () =>
        [
          people.endSessions(name).then(reload),
          name === own ? t.signedOutOthers : t.signedOut,
        ] as const,
    }[action]();
    void tell(doing, named(well), named(t.changeFailed));
  };
  const remove = async ({ name }: ServerUser): Promise<void> => {
    const { confirmRemoveText: text, confirmRemoveAction: action } = t;
    const title = fill(t.confirmRemove, { name });
    if (!(await confirm({ title, text, action, danger: true }))) return;
    const removed = client.people.remove(name).then(() => {
      set((all) => all?.filter((each) => each.name !== name));
      // The focus was in the row.
      focusPage();
    });
    await tell(removed, fill(t.removed, { name }), fill(t.removeFailed, { name }));
  };
  const close = (): void => setDialog(undefined);

  if (!users)
    return (
      <Page title={t.title}>
        {isHttpError(error, 409) ? (
          // Nobody signs in on this server.
          <EmptyState>{serverMessageOf(error, t.failed)}</EmptyState>
        ) : (
          <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
        )}
      </Page>
    );
  const me = users.find(({ name }) => name === own);
  return (
    <Page
      title={t.title}
      aside={users.length === 1 ? t.countOne : fill(t.count, { n: users.length })}
      actions={
        <Button kind="primary" icon={UserPlus} onClick={() => setDialog({ ask: 'invite' })}>
          {t.invite}
        </Button>
      }
    >
      <p className="page-lead">{t.lead}</p>
      {me && !me.hasPassword && !me.sso ? (
        <div className="card own-password" role="note">
          <span>{t.noPassword}</span>
          <span className="grow" />
          <Button kind="secondary" onClick={() => act(me, 'link')}>
            {t.setPassword}
          </Button>
        </div>
      ) : null}
      <ResourceTable
        label={t.title}
        filter={t.filter}
        filterFrom={2}
        size={USERS_PER_PAGE}
        entries={users}
        textsOf={({ displayName = '', name, roles }) => [name, displayName, ...roles]}
        sortedBy={t.name}
        columns={columns}
      >
        {(user) => (
          <UserRow
            key={user.name}
            user={user}
            own={user.name === own}
            onAction={(action) => act(user, action)}
          />
        )}
      </ResourceTable>
      {dialog?.ask === 'invite' ? (
        <InviteDialog
          client={client}
          onInvited={(links, failures) => {
            setDialog({ ask: 'links', links, failures });
            void reload();
          }}
          onClose={close}
        />
      ) : null}
      {dialog?.ask === 'links' ? (
        <LinkDialog links={dialog.links} failures={dialog.failures} own={own} onClose={close} />
      ) : null}
      {dialog?.ask === 'roles' ? (
        <RolesDialog
          client={client}
          user={dialog.user}
          onChanged={(changed) => {
            put(changed);
            close();
            toast('success', fill(t.rolesSaved, { name: changed.name }));
          }}
          onClose={close}
        />
      ) : null}
      {dialog?.ask === 'sessions' ? (
        <SessionsDialog
          client={client}
          name={dialog.user.name}
          own={dialog.user.name === own}
          onSignOut={() => {
            close();
            act(dialog.user, 'sign-out');
          }}
          onClose={close}
        />
      ) : null}
      {question}
      {toasts}
    </Page>
  );
}
