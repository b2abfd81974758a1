import { appUrl } from '../runtime/app-url.ts';
import type { ElementSpec, ViewProps } from '../runtime/define-element.ts';
import { useClient } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { Alert } from '../ui/alert.tsx';
import sheet from './login.css';
import { LoginPage } from './login-page.tsx';

function SsoErrorView(props: ViewProps) {
  const client = useClient(props);
  return (
    <LoginPage>
      <section className="login-card" aria-label={text.login.ssoFailed}>
        <h2 className="dialog-title">{text.login.ssoFailed}</h2>
        <Alert>{text.login.ssoFailedText}</Alert>
        {client ? (
          <>
            <a className="button primary lg" href={client.session.ssoAddress('')}>
              {text.tryAgain}
            </a>
            <p className="login-links">
              <a className="link" href={`${appUrl(client)}#/`}>
                {text.login.home}
              </a>
            </p>
          </>
        ) : (
          <p>{text.noServer}</p>
        )}
      </section>
    </LoginPage>
  );
}

/** Spec of the `<tiding-sso-error>` element. */
export const ssoError: ElementSpec = {
  tag: 'tiding-sso-error',
  doc: 'Tells the user that single sign-on failed, and links back to the start page.',
  view: SsoErrorView,
  properties: {},
  sheets: [sheet],
};
