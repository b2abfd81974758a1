import type { Client } from '@tiding/client';
import { LogOut } from 'lucide-react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { momentText } from '../text/moment-text.ts';
import { Button } from '../ui/button.tsx';
import { ContentDialog } from '../ui/dialogs.tsx';
import { LoadFailed, Loading } from '../ui/loading.tsx';
import { serverMessageOf, useLoaded } from '../ui/page.tsx';
import { peopleTexts as t } from './texts.ts';

interface SessionsDialogProps {
  client: Client;
  name: string;
  /** Whether these are the administrator's own sessions. */
  own: boolean;
  onSignOut: () => void;
  onClose: () => void;
}

/** The sessions of a user, with a button that ends them. */
export function SessionsDialog({ client, name, own, onSignOut, onClose }: SessionsDialogProps) {
  const loaded = useLoaded(client, ({ people }) => people.sessions(name));
  const { error, loading, reload, value: sessions } = loaded;
  const ends = sessions?.some(({ current }) => !current) === true;
  return (
    <ContentDialog title={fill(t.sessionsTitle, { name })} onClose={onClose}>
      {sessions === undefined ? (
        loading ? (
          <Loading lines />
        ) : (
          <LoadFailed onRetry={() => void reload()}>
            <span>{serverMessageOf(error, t.sessionsFailed)}</span>
          </LoadFailed>
        )
      ) : sessions.length === 0 ? (
        <p className="dialog-text">{t.noSessions}</p>
      ) : (
        <ul className="sessions">
          {sessions.map(({ current, lastUsedAt, open: isOpen, startedAt }) => (
            <li key={startedAt}>
              <span>
                {fill(t.startedAt, { when: momentText(startedAt) })}
                {current ? <span className="badge">{t.thisSession}</span> : null}
              </span>
              <span className="secondary">
                {isOpen ? t.openNow : fill(t.lastUsed, { when: momentText(lastUsedAt) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {ends ? <p className="hint">{t.tokensStay}</p> : null}
      <div className="dialog-actions">
        {ends ? (
          <Button kind="danger" icon={LogOut} onClick={onSignOut}>
            {own ? t.signOutOthers : t.signOut}
          </Button>
        ) : null}
        <Button kind="secondary" autoFocus onClick={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </ContentDialog>
  );
}
