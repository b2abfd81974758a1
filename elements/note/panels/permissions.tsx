import { isTidingError } from '@tiding/client';
import { isAnonymous, isSameJson } from '@tiding/client/model';
import type { Permissions } from '@tiding/client/protocol';
import { useEffect, useState } from 'react';
import { emitEvent } from '../../runtime/define-element.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { onSubmit } from '../../ui/fields/form-events.ts';
import { PrincipalField } from '../../ui/fields/principal-field.tsx';
import { useSuggestions } from '../../ui/fields/suggestions.ts';
import { StatusHint } from '../../ui/hints.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import type { PanelProps } from '../ui/panels.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { permissionTexts as t } from './texts.ts';
import { useClosingQuestion } from './use-closing-question.ts';

const lists = ['owners', 'writers', 'runners', 'readers'] as const;

/** Whether an empty list stays empty when it is saved. See `completedPermissions`. */
const isForEveryone = (edited: Permissions, key: keyof Permissions): boolean =>
  key !== 'owners' && lists.slice(lists.indexOf(key)).every((name) => edited[name].length === 0);

/** Says who gets the right of an empty list. */
const whenEmpty = (edited: Permissions, key: keyof Permissions, user: string): string =>
  key !== 'owners' && isForEveryone(edited, key) ? t.everyoneMay[key] : fill(t.added, { user });

/** Permissions of the note. Anybody may view them; only owners can save changes. */
export default function PermissionsPanel({ onClose }: PanelProps) {
  const ui = useNoteUi();
  const { client, note } = ui;
  const [saved, setSaved] = useState<Permissions>();
  const [edited, setEdited] = useState<Permissions>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const changed = saved !== undefined && edited !== undefined && !isSameJson(saved, edited);
  useClosingQuestion(() => changed, t);
  useEffect(() => {
    let current = true;
    note.permissions().then(
      (permissions) => current && (setSaved(permissions), setEdited(permissions)),
      (failure: unknown) =>
        current && setError(isTidingError(failure) ? failure.message : String(failure)),
    );
    return () => void (current = false);
  }, [note]);

  const mayNotSave = useWhyNot(ui, 'owner');
  const suggest = useSuggestions(client);
  const user = client.session.current?.principal ?? '';
  const save = async (wanted: Permissions): Promise<void> => {
    if (isAnonymous(user)) return ui.dialogs.alert(t.anonymousTitle, t.anonymousText);
    let permissions = wanted;
    if (permissions.owners.every((name) => name.trim() === '')) {
      if (
        !(await ui.dialogs.ask({
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
      // The server fills empty lists of stronger permissions, so read the result again.
      const now = await note.permissions();
      setSaved(now);
      setEdited(now);
      void ui.rights.load();
      const shown = (names: readonly string[]) => names.join(', ') || '*';
      await ui.dialogs.alert(
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
      if (await ui.dialogs.ask({ title: t.failedTitle, text: words, action: t.login }))
        emitEvent(ui.host, 'tiding-sign-in-wanted', { message: words });
      else emitEvent(ui.host, 'tiding-note-left', { noteId: note.id });
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
  if (!edited) return <StatusHint className="panel-body hint">{commonTexts.loading}</StatusHint>;
  return (
    <form className="panel-form" onSubmit={onSubmit(() => ui.messages.act(() => save(edited)))}>
      <div className="panel-body">
        <p className="hint">
          {t.lead} {t.hint}
        </p>
        {mayNotSave === undefined ? null : <p className="hint">{mayNotSave}</p>}
        {lists.map((key) => (
          <PrincipalField
            key={key}
            label={t[key]}
            hint={[
              t[`${key}Hint`],
              ...(edited[key].length > 0 ? [] : [whenEmpty(edited, key, user)]),
            ].join(' ')}
            placeholder={isForEveryone(edited, key) ? t.everyone : user}
            value={edited[key]}
            disabled={mayNotSave !== undefined}
            suggest={suggest}
            atLeast={1}
            onChange={(names) => setEdited({ ...edited, [key]: names })}
          />
        ))}
      </div>
      <footer className="panel-foot">
        <Button kind="secondary" onClick={onClose}>
          {commonTexts.cancel}
        </Button>
        <Button kind="primary" type="submit" busy={busy} disabledReason={mayNotSave}>
          {t.save}
        </Button>
      </footer>
    </form>
  );
}
