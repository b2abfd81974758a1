/** The page of connections to databases. */
import type { Client } from '@tiding/client';
import { hasAnyRole, isAnonymous } from '@tiding/client/model';
import {
  type ConnectionTest,
  type DatabaseConnectionInfo,
  endpoints,
} from '@tiding/client/protocol';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ClientViewProps, clientView } from '../runtime/client-view.tsx';
import { useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import principalSheet from '../ui/fields/principal-field.css';
import {
  EmptyState,
  Page,
  PageProblem,
  pageSheet,
  serverMessageOf,
  useLoaded,
} from '../ui/page.tsx';
import { useFocusAfterForm } from '../ui/return-focus.ts';
import { useToasts } from '../ui/toasts.tsx';
import type { Templates } from './connection-draft.ts';
import { ConnectionForm } from './connection-form.tsx';
import { ConnectionRow } from './connection-row.tsx';
import sheet from './connections.css';
import { Explorer } from './explorer.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { testConnection } from './test-connection.ts';
import { connectionTexts as t } from './texts.ts';

export const sheets: readonly string[] = [pageSheet, principalSheet, sheet];

export default clientView(Connections);

/**
 * Whether the user may create interpreter settings, which connections are. An anonymous user has no
 * roles, but the rights of an administrator.
 */
function useManages(client: Client): boolean {
  const ticket = useSelect(client, ({ session }) => session.ticket, undefined);
  // On a page of another site, the session may not have been requested yet.
  useEffect(() => {
    if (client.state.session.phase === 'unknown') client.session.ticket().catch(() => {});
  }, [client]);
  const { access } = endpoints.createSetting;
  return (
    ticket !== undefined &&
    (isAnonymous(ticket.principal) ||
      (typeof access !== 'string' && hasAnyRole(client.session.roles, access)))
  );
}

function Connections({ client, host, values }: ClientViewProps) {
  const { connection, insertable = false } = values as {
    connection?: string;
    insertable?: boolean;
  };
  const loaded = useLoaded(client, ({ connections }) => connections.list());
  const [toast, toasts] = useToasts();
  const [opened, setOpened] = useState(connection);
  useEffect(() => {
    setOpened(connection);
  }, [connection]);
  const [tests, setTests] = useState<ReadonlyMap<string, ConnectionTest | 'pending'>>(new Map());
  const [templates, setTemplates] = useState<Templates>();
  const [login, setLogin] = useState<DatabaseConnectionInfo>();
  const manages = useManages(client);
  const addButton = useRef<HTMLSpanElement>(null);
  useFocusAfterForm(templates !== undefined, () => addButton.current?.querySelector('button'));
  const { reload, value } = loaded;

  const leaving = useRef(new AbortController());
  useEffect(() => {
    // Effects run twice in strict mode.
    if (leaving.current.signal.aborted) leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const test = async (name: string): Promise<void> => {
    const set = (result: ConnectionTest | 'pending') =>
      setTests((before) => new Map(before).set(name, result));
    set('pending');
    try {
      set(await testConnection(client, name, { signal: leaving.current.signal }));
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      set({ ok: false, message: serverMessageOf(error, t.testFailed) });
    }
  };
  const startForm = async (): Promise<void> => {
    try {
      setTemplates(await client.interpreters.templates());
    } catch (error) {
      toast('danger', serverMessageOf(error, t.createFailed));
    }
  };
  const closeForm = (): void => setTemplates(undefined);
  const created = async (name: string): Promise<void> => {
    await reload();
    closeForm();
    toast('success', fill(t.created, { name }));
    await test(name);
  };
  const saveLogin = async (name: string, user: string, password: string): Promise<void> => {
    await client.credentials.put(name, user, password);
    setLogin(undefined);
    toast('success', fill(t.loginSaved, { name }));
    await reload();
    await test(name);
  };

  if (!value)
    return <PageProblem title={t.title} host={host} loaded={loaded} fallback={t.failed} />;
  const current = value.find(({ name }) => name === opened);
  return (
    <Page
      title={t.title}
      actions={
        manages && !templates ? (
          <span ref={addButton}>
            <Button kind="primary" icon={Plus} onClick={() => void startForm()}>
              {t.add}
            </Button>
          </span>
        ) : null
      }
    >
      <p className="page-lead">{t.lead}</p>
      {templates ? (
        <ConnectionForm
          client={client}
          templates={templates}
          onCreated={created}
          onClose={closeForm}
        />
      ) : null}
      {value.length === 0 ? (
        templates ? null : (
          <EmptyState hint={manages ? t.noneHint : t.noneForYou}>{t.none}</EmptyState>
        )
      ) : (
        <ul className="card connections" aria-label={t.list}>
          {value.map((each) => (
            <ConnectionRow
              key={each.name}
              connection={each}
              test={tests.get(each.name)}
              open={each === current}
              onTest={() => void test(each.name)}
              onBrowse={() => setOpened(each === current ? undefined : each.name)}
              onLogin={() => setLogin(each)}
            />
          ))}
        </ul>
      )}
      {manages && value.length > 0 ? <p className="hint manage">{t.manage}</p> : null}
      {current ? (
        <Explorer
          key={`${current.name} ${current.login} ${current.user}`}
          client={client}
          host={host}
          connection={current.name}
          insertable={insertable}
          toast={toast}
        />
      ) : null}
      {login ? (
        <LoginDialog
          name={login.name}
          user={login.user}
          onSave={(user, password) => saveLogin(login.name, user, password)}
          onClose={() => setLogin(undefined)}
        />
      ) : null}
      {toasts}
    </Page>
  );
}
