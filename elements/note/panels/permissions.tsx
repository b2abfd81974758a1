import { useEffect, useRef, useState } from 'react';
import { isTidingError } from 'tiding/client';
import { isAnonymous } from 'tiding/model';
import type { Permissions, Principals } from 'tiding/protocol';
import { tell } from '../../runtime/define-element.ts';
import { fill, text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { PrincipalField } from '../../ui/principal-field.tsx';
import type { PanelProps } from './index.ts';

const t = text.permissions;
const lists = [
  ['owners', t.owners, t.ownersHint],
  ['writers', t.writers, t.writersHint],
  ['runners', t.runners, t.runnersHint],
  ['readers', t.readers, t.readersHint],
] as const;

/** Who may do what with the note. Only its owners can save it; anybody may look. */
export default function PermissionsPanel({ view, onClose }: PanelProps) {
  const { client, note } = view;
  const [saved, setSaved] = useState<Permissions>();
  const [edited, setEdited] = useState<Permissions>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const changed =
    saved !== undefined && edited !== undefined && JSON.stringify(saved) !== JSON.stringify(edited);
  const newest = useRef(changed);
  newest.current = changed;

  useEffect(() => {
    let current = true;
    note.permissions().then(
      (permissions) => current && (setSaved(permissions), setEdited(permissions)),
      (failure: unknown) =>
        current && setError(isTidingError(failure) ? failure.message : String(failure)),
    );
    view.mayClosePanel = async () =>
      !newest.current || view.ask({ title: t.discard, action: t.discardAction });
    return () => {
      current = false;
    };
  }, [note, view]);

  const suggest = useSuggestions(client);
  const user = client.session.current?.principal ?? '';
  const save = async (wanted: Permissions): Promise<void> => {
    if (isAnonymous(user)) return view.alert(t.anonymousTitle, t.anonymousText);
    let permissions = wanted;
    if (permissions.owners.every((name) => name.trim() === '')) {
      if (
        !(await view.ask({
          title: t.ownersTitle,
          text: fill(t.ownersText, { user }),
          action: t.ownersSet,
        }))
      )
        return;
      permissions = { ...permissions, owners: [user] };
    }
    setBusy(true);
    try {
      await note.setPermissions(permissions);
      // The server fills stronger lists where they were empty: what holds is read again.
      const now = await note.permissions();
      setSaved(now);
      setEdited(now);
      const shown = (names: readonly string[]) => names.join(', ') || '*';
      await view.alert(
        t.saved,
        fill(t.savedText, {
          owners: shown(now.owners),
          readers: shown(now.readers),
          runners: shown(now.runners),
          writers: shown(now.writers),
        }),
      );
    } catch (failure) {
      const words = isTidingError(failure) ? failure.message : String(failure);
      if (await view.ask({ title: t.failedTitle, text: words, action: t.login }))
        tell(view.host, 'tiding-sign-in-wanted', { message: words });
      else tell(view.host, 'tiding-note-left', { noteId: note.id });
    } finally {
      setBusy(false);
    }
  };

  if (error !== undefined)
    return (
      <p className="panel-body hint error" role="alert">
        {error}
      </p>
    );
  if (!edited)
    return (
      <p className="panel-body hint" role="status">
        {text.loading}
      </p>
    );
  return (
    <form
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        void view.act(() => save(edited));
      }}
    >
      <div className="panel-body">
        <p className="hint">
          {t.lead} {t.hint}
        </p>
        {lists.map(([key, label, hint]) => (
          <PrincipalField
            key={key}
            label={label}
            hint={hint}
            placeholder={t.everyone}
            value={edited[key]}
            suggest={suggest}
            atLeast={1}
            delay={250}
            onChange={(names) => setEdited({ ...edited, [key]: names })}
          />
        ))}
      </div>
      <footer className="panel-foot">
        <Button kind="secondary" onClick={onClose}>
          {text.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t.save}
        </Button>
      </footer>
    </form>
  );
}

/** Users and roles for a term: from the list of all where the server has one, else by its search. Where neither answers there are none. */
function useSuggestions(
  client: PanelProps['view']['client'],
): (term: string) => Promise<Principals> {
  const all = useRef<Promise<Principals | undefined>>(undefined);
  return async (term) => {
    all.current ??= client.people.list().catch(() => undefined);
    const known = await all.current;
    if (!known) return client.people.find(term);
    const wanted = term.toLowerCase();
    const fit = (names: readonly string[]) =>
      names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 20);
    return { users: fit(known.users), roles: fit(known.roles) };
  };
}
