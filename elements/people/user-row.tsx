import type { ServerUser } from '@tiding/client/protocol';
import { Ellipsis } from 'lucide-react';
import { fill } from '../text/fill.ts';
import { momentText } from '../text/moment-text.ts';
import { MenuButton, type MenuEntry, withRules } from '../ui/menu/menu-button.tsx';
import { peopleTexts as t } from './texts.ts';

/** What an administrator can do with a user. */
export type UserAction =
  | 'roles'
  | 'sessions'
  | 'link'
  | 'sign-out'
  | 'disable'
  | 'enable'
  | 'remove';

interface UserRowProps {
  user: ServerUser;
  /** Whether it is the administrator's own account. */
  own: boolean;
  onAction: (action: UserAction) => void;
}

export function UserRow({ user, own, onAction }: UserRowProps) {
  const { displayName, lastSignIn, name, roles, sessions } = user;
  return (
    <tr data-user={name}>
      <th scope="row" className="user-name">
        <span>
          <bdi>{name}</bdi>
          {own ? <span className="badge">{t.you}</span> : null}
          <UserState user={user} />
        </span>
        {displayName === undefined ? null : <bdi className="secondary">{displayName}</bdi>}
        <span className="user-narrow secondary">
          {lastSignIn === undefined
            ? t.sinceNever
            : fill(t.since, { when: momentText(lastSignIn) })}
          {' · '}
          {sessions === 1 ? t.sessionCountOne : fill(t.sessionCount, { n: sessions })}
        </span>
        {roles.length > 0 ? (
          <span className="user-narrow">
            <Roles of={roles} />
          </span>
        ) : null}
      </th>
      <td className="user-wide">
        {roles.length === 0 ? <span className="dim">{t.noRoles}</span> : <Roles of={roles} />}
      </td>
      <td className="user-wide user-time">
        {lastSignIn === undefined ? (
          <span className="dim">{t.never}</span>
        ) : (
          <Moment time={lastSignIn} />
        )}
      </td>
      <td className="user-wide numeric">
        {sessions === 0 ? (
          <span className="dim">0</span>
        ) : (
          <button
            type="button"
            className="link"
            aria-label={
              sessions === 1
                ? fill(t.signedInOne, { name })
                : fill(t.signedIn, { n: sessions, name })
            }
            onClick={() => onAction('sessions')}
          >
            {sessions}
          </button>
        )}
      </td>
      <td className="row-actions">
        <MenuButton
          icon={Ellipsis}
          label={fill(t.menu, { name })}
          entries={() => entriesOf(user, own, onAction)}
        />
      </td>
    </tr>
  );
}

const Roles = ({ of: roles }: { of: readonly string[] }) => (
  <span className="user-roles">
    {roles.map((role) => (
      <span key={role} className="badge">
        {role}
      </span>
    ))}
  </span>
);

function UserState({ user }: { user: ServerUser }) {
  const { disabled, invited, linkExpiresAt, service, sso } = user;
  if (disabled) return <span className="badge danger">{t.disabled}</span>;
  if (service) return <span className="badge">{t.service}</span>;
  if (sso) return <span className="badge">{t.sso}</span>;
  if (!invited) return null;
  if (linkExpiresAt === undefined) return <span className="badge warning">{t.inviteExpired}</span>;
  return (
    <span className="badge" title={fill(t.inviteUntil, { when: momentText(linkExpiresAt) })}>
      {t.invited}
    </span>
  );
}

/** Whether a link can set a password of the user. */
const mayHavePassword = ({ disabled, hasPassword, service, sso }: ServerUser): boolean =>
  !disabled && !service && (hasPassword || !sso);

function entriesOf(
  user: ServerUser,
  own: boolean,
  onAction: UserRowProps['onAction'],
): MenuEntry[] {
  const entry = (action: UserAction, label: string, more: object = {}) => ({
    label,
    onSelect: () => onAction(action),
    ...more,
  });
  return withRules([
    [entry('roles', t.changeRoles), entry('sessions', t.showSessions)],
    [
      entry('link', user.invited ? t.inviteAgain : t.resetPassword, {
        disabled: !mayHavePassword(user),
      }),
      entry('sign-out', own ? t.signOutOthers : t.signOut, {
        disabled: user.sessions <= (own ? 1 : 0),
      }),
      user.disabled ? entry('enable', t.enable) : entry('disable', t.disable, { disabled: own }),
    ],
    [entry('remove', t.remove, { danger: true, disabled: own })],
  ]);
}

/** A time in the reader's format. */
const Moment = ({ time }: { time: string }) => <time dateTime={time}>{momentText(time)}</time>;
