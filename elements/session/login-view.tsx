import { type Client, isHttpError, isTidingError } from '@tiding/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { Alert, Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { onSubmit as submitting } from '../ui/fields/form-events.ts';
import { CardLink, SignInField } from './fields.tsx';
import sheet from './login.css';
import { LoginPage } from './login-page.tsx';
import { loginTexts, resetTexts } from './texts.ts';

function messageOf(error: unknown): string {
  if (isHttpError(error, 403)) return loginTexts.mismatch;
  return isTidingError(error) ? error.message : String(error);
}

type Way = 'password' | 'sso' | 'forgot';
interface Config {
  readonly loginMode: 'Password' | 'Sso' | 'SsoOnly';
  readonly firstUse: boolean;
  readonly ssoUseHttps: boolean;
}

interface FormProps {
  client: Client;
  host: HTMLElement;
  once: string | undefined;
  notice: string | undefined;
  returnTo: string | undefined;
}

/** The sign-in card: shows one of the server's sign-in methods at a time. */
function LoginForm({ client, host, once, notice, returnTo }: FormProps) {
  const [config, setConfig] = useState<Config>();
  const [wanted, setWay] = useState<Way>('password');
  const [userName, setUserName] = useState('');
  useEffect(() => {
    const set = (told: Readonly<Record<string, unknown>>) =>
      setConfig({
        loginMode:
          told['loginMode'] === 'Sso' || told['loginMode'] === 'SsoOnly'
            ? told['loginMode']
            : 'Password',
        firstUse: told['firstUse'] === true,
        ssoUseHttps: told['ssoUseHttps'] !== false,
      });
    client.call('magpieConfig').then(set, () => set({}));
  }, [client]);
  // The server decides which fields there are; signing in with a link needs none.
  if (!config && once === undefined)
    return (
      <div className="login-card" aria-busy="true">
        <h2 className="dialog-title">{loginTexts.title}</h2>
      </div>
    );
  const mode = config?.loginMode ?? 'Password';
  const way = mode === 'SsoOnly' && once === undefined ? 'sso' : wanted;
  if (way === 'sso') {
    return (
      <SsoForm
        client={client}
        host={host}
        returnTo={returnTo}
        useHttps={config?.ssoUseHttps ?? true}
        name={userName}
        onBack={mode === 'SsoOnly' ? undefined : () => setWay('password')}
      />
    );
  }
  if (way === 'forgot')
    return <ForgotForm client={client} name={userName} onBack={() => setWay('password')} />;
  return (
    <PasswordForm
      client={client}
      once={once}
      notice={notice}
      firstUse={config?.firstUse === true}
      userName={userName}
      onUserName={setUserName}
      onDone={() => emitEvent(host, 'tiding-signed-in')}
      sso={mode === 'Sso' ? () => setWay('sso') : undefined}
      onForgot={() => setWay('forgot')}
    />
  );
}

interface PasswordProps {
  client: Client;
  once: string | undefined;
  notice: string | undefined;
  firstUse: boolean;
  userName: string;
  onUserName: (name: string) => void;
  onDone: () => void;
  onForgot: () => void;
  /** `undefined` if the server has no single sign-on. */
  sso: (() => void) | undefined;
}

function PasswordForm({
  client,
  once,
  notice,
  firstUse,
  userName,
  onUserName,
  onDone,
  onForgot,
  sso,
}: PasswordProps) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(once !== undefined);
  const [error, setError] = useState<string>();
  const info = useSelect(client, (state) => state.session.info, undefined);

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
  const signInOnce = useEvent((token: string) =>
    run(
      () => client.session.loginOnce(token),
      (failure) => (isHttpError(failure, 403) ? failure.message : messageOf(failure)),
    ),
  );
  useEffect(() => {
    if (once !== undefined) void signInOnce(once);
  }, [once, signInOnce]);

  const submit = () => {
    if (userName !== '' && !busy)
      void run(() => client.session.login(userName, password), messageOf);
  };
  return (
    <Card title={loginTexts.title} onSubmit={submit}>
      <Message
        error={error ?? (notice === undefined ? info : undefined)}
        notice={notice}
        hint={firstUse ? loginTexts.firstUse : loginTexts.firstTime}
      />
      <SignInField
        label={loginTexts.userName}
        name="userName"
        autoComplete="username"
        value={userName}
        autoFocus
        onText={(name) => {
          onUserName(name);
          setError(undefined);
        }}
      />
      <SignInField
        label={loginTexts.password}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onText={(given) => {
          setPassword(given);
          setError(undefined);
        }}
      />
      <Button kind="primary" size="lg" type="submit" busy={busy} disabled={userName === ''}>
        {busy ? loginTexts.signingIn : loginTexts.signIn}
      </Button>
      {sso ? (
        <Button kind="secondary" size="lg" className="second" onClick={sso}>
          {loginTexts.sso}
        </Button>
      ) : null}
      <CardLink onClick={onForgot}>{loginTexts.forgot}</CardLink>
    </Card>
  );
}

interface MessageProps {
  error: string | undefined;
  notice: string | undefined;
  hint: string | undefined;
}

function Message({ error, notice, hint }: MessageProps) {
  if (error) return <Alert>{error}</Alert>;
  if (notice) return <Success>{notice}</Success>;
  return hint ? <p className="hint">{hint}</p> : null;
}

interface CardProps {
  title: string;
  onSubmit: () => void;
  children: ReactNode;
}

function Card({ title, onSubmit, children }: CardProps) {
  return (
    <form className="login-card" aria-label={title} onSubmit={submitting(onSubmit)} noValidate>
      <h2 className="dialog-title">{title}</h2>
      {children}
    </form>
  );
}

interface SsoProps {
  client: Client;
  host: HTMLElement;
  returnTo: string | undefined;
  useHttps: boolean;
  name: string;
  /** `undefined` if there is no other sign-in method. */
  onBack: (() => void) | undefined;
}

/**
 * Redirects to the identity provider. The domain of the address selects one if there are several.
 */
function SsoForm({ client, host, returnTo, useHttps, name, onBack }: SsoProps) {
  const [email, setEmail] = useState(name.includes('@') ? name : '');
  const submit = () => {
    const address = client.session.ssoAddress(email.trim(), returnTo ?? '/', useHttps);
    if (emitEvent(host, 'tiding-single-sign-on', { address })) location.assign(address);
  };
  return (
    <Card title={loginTexts.title} onSubmit={submit}>
      <p className="hint">{loginTexts.ssoText}</p>
      <SignInField
        label={loginTexts.email}
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        autoFocus
        onText={setEmail}
      />
      <Button kind="primary" size="lg" type="submit">
        {loginTexts.sso}
      </Button>
      {onBack ? <CardLink onClick={onBack}>{loginTexts.usePassword}</CardLink> : null}
    </Card>
  );
}

interface ForgotFormProps {
  client: Client;
  name: string;
  onBack: () => void;
}

function ForgotForm({ client, name, onBack }: ForgotFormProps) {
  const [username, setUsername] = useState(name);
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking');
  const [error, setError] = useState<string>();
  const submit = () => {
    if (username.trim() === '' || state !== 'asking') return;
    setState('busy');
    setError(undefined);
    client.call('requestPasswordReset', { body: { username: username.trim() } }).then(
      () => setState('sent'),
      (failure: unknown) => {
        setState('asking');
        setError(
          isTidingError(failure, 'unsupported')
            ? resetTexts.elsewhere
            : isTidingError(failure)
              ? failure.message
              : String(failure),
        );
      },
    );
  };
  return (
    <Card title={loginTexts.forgotTitle} onSubmit={submit}>
      {state === 'sent' ? (
        <Success>{loginTexts.linkSent}</Success>
      ) : (
        <>
          <Message error={error} notice={undefined} hint={loginTexts.forgotText} />
          <SignInField
            label={loginTexts.email}
            name="email"
            autoComplete="username"
            value={username}
            autoFocus
            onText={(given) => {
              setUsername(given);
              setError(undefined);
            }}
          />
          <Button
            kind="primary"
            size="lg"
            type="submit"
            busy={state === 'busy'}
            disabled={username.trim() === ''}
          >
            {loginTexts.sendLink}
          </Button>
        </>
      )}
      <CardLink onClick={onBack}>{loginTexts.back}</CardLink>
    </Card>
  );
}

export default function LoginView(props: ViewProps) {
  const client = useHostClient(props);
  const { once, notice, returnTo } = props.values as {
    once?: string;
    notice?: string;
    returnTo?: string;
  };
  return (
    <LoginPage>
      {client ? (
        <LoginForm
          client={client}
          host={props.host}
          once={once}
          notice={notice}
          returnTo={returnTo}
        />
      ) : (
        <p className="login-card">{commonTexts.noServer}</p>
      )}
    </LoginPage>
  );
}

export const sheets = [sheet];
