import { type Client, isHttpError, isTidingError } from '@tiding/client';
import { useEffect, useState } from 'react';
import { appUrl } from '../runtime/app-url.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { Alert, Success } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { StatusHint } from '../ui/hints.tsx';
import { SignInField } from './fields.tsx';
import sheet from './login.css';
import { LoginPage } from './login-page.tsx';
import { loginTexts, resetTexts } from './texts.ts';

interface ResetProps {
  client: Client;
  host: HTMLElement;
  token: string;
}

/** Returns the server's error message, or a generic one. */
async function reason(client: Client, error: unknown): Promise<string> {
  if (isTidingError(error, 'unsupported')) return resetTexts.elsewhere;
  const told = isHttpError(error)
    ? (error.body as { message?: unknown } | undefined)?.message
    : undefined;
  if (typeof told === 'string' && told !== '') return told;
  const config = await client.call('magpieConfig').catch(() => ({}) as Record<string, unknown>);
  return fill(resetTexts.snag, { product: String(config['productName'] ?? 'Tiding') });
}

function Reset({ client, host, token }: ResetProps) {
  const [state, setState] = useState<'checking' | 'asking' | 'busy' | 'done' | 'invalid'>(
    'checking',
  );
  const [error, setError] = useState<string>();
  const [target, setTarget] = useState<{ name?: string | undefined; invitation: boolean }>();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [differs, setDiffers] = useState(false);
  const home = `${appUrl(client)}#/`;
  const field = { type: 'password', autoComplete: 'new-password' };
  const typed = (set: (text: string) => void) => (text: string) => {
    set(text);
    setDiffers(false);
  };

  useEffect(() => {
    let current = true;
    setState('checking');
    client.call('checkPasswordReset', { params: { resetToken: token } }).then(
      ({ invitation = false, name, valid }) => {
        if (!current) return;
        setTarget({ name, invitation });
        setState(valid === false ? 'invalid' : 'asking');
      },
      async (failure: unknown) => {
        const message = await reason(client, failure);
        if (!current) return;
        setError(message);
        setState('invalid');
      },
    );
    return () => void (current = false);
  }, [client, token]);

  const submit = async () => {
    if (state !== 'asking' || password === '') return;
    setDiffers(password !== confirmation);
    if (password !== confirmation) return;
    setState('busy');
    setError(undefined);
    try {
      await client.call('resetPassword', {
        params: { resetToken: token },
        body: { newPassword: password },
      });
      setState('done');
      emitEvent(host, 'tiding-password-set', { message: resetTexts.done });
    } catch (failure) {
      setError(await reason(client, failure));
      setState(isHttpError(failure, 404) || isHttpError(failure, 410) ? 'invalid' : 'asking');
    }
  };

  return (
    <form
      className="login-card"
      aria-label={resetTexts.title}
      aria-busy={state === 'checking' || undefined}
      onSubmit={onSubmit(submit)}
    >
      <h2 className="dialog-title">
        {target?.invitation ? resetTexts.invitation : resetTexts.title}
      </h2>
      {error !== undefined ? <Alert>{error}</Alert> : null}
      {state === 'checking' ? <StatusHint>{resetTexts.checking}</StatusHint> : null}
      {state === 'done' ? <Success>{resetTexts.done}</Success> : null}
      {state === 'asking' || state === 'busy' ? (
        <>
          {target?.name === undefined ? null : (
            <p className="hint">{fill(resetTexts.userName, { name: target.name })}</p>
          )}
          <SignInField
            {...field}
            label={resetTexts.password}
            name="newPassword"
            value={password}
            autoFocus
            onText={typed(setPassword)}
          />
          <SignInField
            {...field}
            label={resetTexts.confirmation}
            name="confirmation"
            value={confirmation}
            error={differs ? resetTexts.mustMatch : undefined}
            onText={typed(setConfirmation)}
          />
          <Button
            kind="primary"
            size="lg"
            type="submit"
            busy={state === 'busy'}
            disabled={password === ''}
          >
            {resetTexts.action}
          </Button>
        </>
      ) : null}
      {state === 'done' || state === 'invalid' ? (
        <p className="login-links">
          <a className="link" href={home}>
            {state === 'done' || client.state.session.phase === 'signed-in'
              ? loginTexts.home
              : loginTexts.back}
          </a>
        </p>
      ) : null}
    </form>
  );
}

export default function PasswordResetView(props: ViewProps) {
  const client = useHostClient(props);
  const { resetToken = '' } = props.values as { resetToken?: string };
  return (
    <LoginPage>
      {client ? (
        <Reset client={client} host={props.host} token={resetToken} />
      ) : (
        <p className="login-card">{commonTexts.noServer}</p>
      )}
    </LoginPage>
  );
}

export const sheets = [sheet];
