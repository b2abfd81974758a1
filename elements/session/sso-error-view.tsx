import { appUrl } from '../runtime/app-url.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import type { ViewProps } from '../runtime/define-element.ts';

import { commonTexts } from '../text/common.ts';
import { Alert } from '../ui/alert.tsx';
import sheet from './login.css';
import { LoginPage } from './login-page.tsx';
import { loginTexts } from './texts.ts';

export const sheets = [sheet];

export default function SsoErrorView(props: ViewProps) {
  const client = useHostClient(props);
  return (
    <LoginPage>
      <section className="login-card" aria-label={loginTexts.ssoFailed}>
        <h2 className="dialog-title">{loginTexts.ssoFailed}</h2>
        <Alert>{loginTexts.ssoFailedText}</Alert>
        {client ? (
          <>
            <a className="button primary lg" href={client.session.ssoAddress('')}>
              {commonTexts.tryAgain}
            </a>
            <p className="login-links">
              <a className="link" href={`${appUrl(client)}#/`}>
                {loginTexts.home}
              </a>
            </p>
          </>
        ) : (
          <p>{commonTexts.noServer}</p>
        )}
      </section>
    </LoginPage>
  );
}
