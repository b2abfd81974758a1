/** Dialogs that invite people and change roles. */

import type { Client } from '@tiding/client';
import type { PasswordLinkInfo, ServerUser } from '@tiding/client/protocol';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { LabelledLines } from '../ui/fields/labelled.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { serverMessageOf } from '../ui/page.tsx';
import { invitedNames } from './invited-names.ts';
import { RolesField } from './roles-field.tsx';
import { peopleTexts as t } from './texts.ts';

/** Somebody who was not invited, and why. */
export interface InvitationFailure {
  readonly name: string;
  readonly reason: string;
}

interface InviteDialogProps {
  client: Client;
  onInvited: (links: readonly PasswordLinkInfo[], failures: readonly InvitationFailure[]) => void;
  onClose: () => void;
}

/**
 * Form that invites several people with the same roles. If some could be invited, `onInvited` is
 * called with their links; otherwise the form stays.
 */
export function InviteDialog({ client, onInvited, onClose }: InviteDialogProps) {
  const [text, setText] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const { busy, run } = useAction();
  const [failures, setFailures] = useState<readonly InvitationFailure[]>([]);
  const names = invitedNames(text);
  const invite = async (): Promise<void> => {
    setFailures([]);
    const links: PasswordLinkInfo[] = [];
    const failed: InvitationFailure[] = [];
    for (const name of names) {
      try {
        links.push(await client.people.invite(name, roles));
      } catch (error) {
        failed.push({ name, reason: serverMessageOf(error, t.inviteFailed) });
      }
    }
    if (links.length > 0) onInvited(links, failed);
    else setFailures(failed);
  };
  return (
    <FormDialog
      title={t.inviteTitle}
      action={names.length > 1 ? fill(t.inviteActionSome, { n: names.length }) : t.inviteAction}
      busy={busy}
      disabled={names.length === 0}
      onSubmit={() => void run(invite)}
      onClose={onClose}
    >
      <LabelledLines
        label={t.names}
        value={text}
        rows={4}
        autoFocus
        hint={t.namesHint}
        onValue={setText}
      />
      <RolesField client={client} value={roles} onChange={setRoles} />
      <p className="hint">{t.inviteHint}</p>
      <Failures of={failures} />
    </FormDialog>
  );
}

/** Lists who was not invited. */
export function Failures({ of: failures }: { of: readonly InvitationFailure[] }) {
  if (failures.length === 0) return null;
  const lines = failures.map(({ name, reason }) => fill(t.notInvited, { name, reason }));
  return (
    <div className="failures">
      <Alert>{lines.join('\n')}</Alert>
    </div>
  );
}

interface RolesDialogProps {
  client: Client;
  user: ServerUser;
  onChanged: (user: ServerUser) => void;
  onClose: () => void;
}

/** Form that changes the roles of a user. */
export function RolesDialog({ client, user, onChanged, onClose }: RolesDialogProps) {
  const [roles, setRoles] = useState<readonly string[]>(user.roles);
  const { busy, problem, run } = useAction();
  const save = () =>
    run(
      async () => onChanged(await client.people.setRoles(user.name, roles)),
      fill(t.changeFailed, { name: user.name }),
    );
  return (
    <FormDialog
      title={fill(t.rolesTitle, { name: user.name })}
      action={t.saveRoles}
      busy={busy}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <RolesField client={client} value={roles} onChange={setRoles} />
      <p className="hint">{t.rolesLater}</p>
      {problem === undefined ? null : <Alert>{problem}</Alert>}
    </FormDialog>
  );
}
