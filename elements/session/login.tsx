import { CircleAlert, Database, Lock, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isHttpError, isTidingError, type Client } from 'tiding/client';
import { tell, type ElementSpec, type ViewProps } from '../runtime/define-element.ts';
import { useClient, useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import sheet from './login.css';

function messageOf(error: unknown): string {
  if (isHttpError(error, 403)) return text.login.mismatch;
  return isTidingError(error) ? error.message : String(error);
}

function LoginForm({ client, onDone, once }: { client: Client; onDone: () => void; once: string | undefined }) {
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(once !== undefined);
  const [error, setError] = useState<string>();
  const info = useSelect(client, (state) => state.session.info, undefined);
  const [firstUse, setFirstUse] = useState(false);

  const run = async (signIn: () => Promise<unknown>, explain: (error: unknown) => string) => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn();
      onDone();
    } catch (failure) {
      setError(explain(failure));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (once !== undefined) {
      void run(() => client.session.loginOnce(once), (failure) => (isHttpError(failure, 403) ? failure.message : messageOf(failure)));
    }
  }, [once]);
  useEffect(() => {
    client.call('magpieConfig').then((config) => setFirstUse(config['firstUse'] === true), () => {});
  }, [client]);

  return (
    <form
      className="login-card"
      aria-label={text.login.title}
      onSubmit={(event) => {
        event.preventDefault();
        if (userName !== '' && !busy) void run(() => client.session.login(userName, password), messageOf);
      }}
    >
      <h2 className="dialog-title">{text.login.title}</h2>
      {(error ?? info) ? (
        <div className="alert" role="alert">
          <Icon of={CircleAlert} />
          <span>{error ?? info}</span>
        </div>
      ) : firstUse ? (
        <p className="hint">{text.login.firstUse}</p>
      ) : null}
      <label className="field">
        <span className="label">{text.login.userName}</span>
        <span className="input lg">
          <input
            name="userName" autoComplete="username" value={userName} autoFocus
            onChange={(event) => { setUserName(event.target.value); setError(undefined); }}
          />
        </span>
      </label>
      <label className="field">
        <span className="label">{text.login.password}</span>
        <span className="input lg">
          <input
            name="password" type="password" autoComplete="current-password" value={password}
            onChange={(event) => { setPassword(event.target.value); setError(undefined); }}
          />
        </span>
      </label>
      <Button kind="primary" size="lg" type="submit" busy={busy} disabled={userName === ''}>
        {busy ? text.login.signingIn : text.login.signIn}
      </Button>
    </form>
  );
}

function LoginView(props: ViewProps) {
  const client = useClient(props);
  const { once } = props.values as { once?: string };
  return (
    <div className="login-page">
      <div className="login-grid">
        <div className="login-claim">
          <h1>{text.login.claim}</h1>
          <p>{text.login.lead}</p>
          <ul>
            {text.login.points.map((point, index) => (
              <li key={point}>
                <Icon of={[Database, ShieldCheck, Lock][index] ?? Database} />
                {point}
              </li>
            ))}
          </ul>
        </div>
        {client ? <LoginForm client={client} once={once} onDone={() => tell(props.host, 'tiding-signed-in')} /> : <p className="login-card">{text.noServer}</p>}
      </div>
      <svg className="login-tide" viewBox="0 0 1440 320" preserveAspectRatio="none" aria-hidden="true">
        {[0, 46, 92, 138, 184, 230].map((y) => (
          <path key={y} d={`M0 ${18 + y}c170-26 300-24 480 6s300 44 500 20 300-50 460-30V320H0Z`} />
        ))}
      </svg>
    </div>
  );
}

/** `<tiding-login>` */
export const login: ElementSpec = {
  tag: 'tiding-login',
  doc: 'Signs a person in with name and password, or with the token of a one-time link.',
  view: LoginView,
  properties: { once: { kind: 'string', doc: 'Token of a one-time sign-in link; used at once.' } },
  events: [{ name: 'tiding-signed-in', doc: 'Somebody signed in.' }],
  sheets: [sheet],
};
