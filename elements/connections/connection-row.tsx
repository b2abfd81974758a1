import type { ConnectionTest, DatabaseConnectionInfo } from '@tiding/client/protocol';
import { ChevronDown, ChevronRight, CircleAlert, KeyRound, PlugZap } from 'lucide-react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { connectionTexts as t } from './texts.ts';

interface ConnectionRowProps {
  connection: DatabaseConnectionInfo;
  /** The last test; `pending` while one runs. */
  test: ConnectionTest | 'pending' | undefined;
  /** Whether its tables are shown. */
  open: boolean;
  onTest: () => void;
  onBrowse: () => void;
  onLogin: () => void;
}

/** A connection: where it leads, whose login it uses, and how its last test ended. */
export function ConnectionRow(props: ConnectionRowProps) {
  const { connection, onBrowse, onLogin, onTest, open, test } = props;
  const { login, name, problem, readOnly, title } = connection;
  const tested = test === 'pending' ? undefined : test;
  // A test that succeeds may have an advice, too.
  const reason = [tested?.message, tested?.advice, test === undefined ? problem : undefined]
    .filter(Boolean)
    .join('\n');
  return (
    <li className={`connection${open ? ' open' : ''}`} data-connection={name}>
      <div className="connection-head">
        <h2>%{name}</h2>
        <span className="badge">{title}</span>
        {readOnly ? <span className="badge">{t.readOnly}</span> : null}
        <span className="grow" />
        <TestState test={test} />
      </div>
      <div className="connection-foot">
        <span className="connection-place secondary-text">{placeOf(connection)}</span>
        <span className="grow" />
        {login === 'shared' ? null : (
          <Button icon={KeyRound} label={fill(t.loginNamed, { name })} onClick={onLogin}>
            {t.login}
          </Button>
        )}
        <Button
          icon={PlugZap}
          busy={test === 'pending'}
          label={fill(t.testNamed, { name })}
          onClick={onTest}
        >
          {t.test}
        </Button>
        <Button
          kind="secondary"
          icon={open ? ChevronDown : ChevronRight}
          aria-expanded={open}
          label={fill(open ? t.hideNamed : t.browseNamed, { name })}
          onClick={onBrowse}
        >
          {open ? t.hide : t.browse}
        </Button>
      </div>
      {reason === '' ? null : (
        <p className="hint error connection-problem" role={tested ? 'alert' : undefined}>
          <Icon of={CircleAlert} size="sm" />
          <span>{reason}</span>
        </p>
      )}
    </li>
  );
}

function TestState({ test }: { test: ConnectionRowProps['test'] }) {
  const [tone, words] =
    test === undefined
      ? ['hollow', t.untested]
      : test === 'pending'
        ? ['info', t.testing]
        : test.ok
          ? ['success', fill(t.works, { version: test.version ?? '', ms: test.latencyMs ?? 0 })]
          : ['danger', t.notConnected];
  return (
    <span className="connection-state" role="status">
      <span className={`dot ${tone}`} />
      {words}
    </span>
  );
}

/** Address, database and user of a connection. */
function placeOf({ database, host, login, port, user }: DatabaseConnectionInfo): string {
  // A database file has no address.
  if (host === '' && database.startsWith('/')) return database;
  const who = login === 'personal' ? t.ownLogin : user;
  const as = who === '' ? '' : ` · ${fill(t.asUser, { user: who })}`;
  if (host === '' && database.includes('://')) return database + as;
  const address = host === '' ? t.noHost : host.startsWith('/') ? host : `${host}:${port}`;
  return (database === '' ? address : `${address}/${database}`) + as;
}
