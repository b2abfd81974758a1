import type { Client } from '@tiding/client';
import { nextUntitledName, takenNotePath } from '@tiding/client/model';
import { useEffect, useState } from 'react';
import { noteCreated } from '../note/ui/created-notes.ts';
import { createNoteTexts } from '../note-list/dialog-texts.ts';
import { noteErrorText } from '../note-list/note-error.ts';
import { isFreePath, NotePathField, notePaths } from '../note-list/taken-name.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { LabelledChoice } from '../ui/fields/labelled.tsx';
import { type OfferedInterpreter, offeredInterpreters } from './interpreter-list.ts';

export interface NoteDialogProps {
  client: Client;
  /** Called with the id of the new note, or `undefined` if there is none. */
  onClose: (id: string | undefined) => void;
}

/** Asks for the name and default interpreter of a new note. `folder` prefixes the name. */
export function CreateDialog({ client, folder, onClose }: NoteDialogProps & { folder?: string }) {
  const [name, setName] = useState(() => nextUntitledName(notePaths(client), folder));
  const [refused, setRefused] = useState<string[]>([]);
  const [interpreters, setInterpreters] = useState<readonly OfferedInterpreter[]>([]);
  const [interpreter, setInterpreter] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    offeredInterpreters(client).then(
      (settings) => {
        setInterpreters(settings);
        setInterpreter((before) => before || (settings[0]?.id ?? ''));
      },
      () => {
        // Users who may not list interpreters get the server's default.
      },
    );
  }, [client]);
  const taken = [...notePaths(client), ...refused];

  const create = async () => {
    setBusy(true);
    try {
      const given = interpreter ? { interpreter } : {};
      const id = await client.notes.create({ path: name.trim(), ...given });
      noteCreated(id);
      onClose(id);
    } catch (failure) {
      const path = takenNotePath((failure as Error).message);
      if (path === undefined) setError(noteErrorText(failure));
      else setRefused([...refused, path]);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={createNoteTexts.title}
      action={createNoteTexts.action}
      busy={busy}
      disabled={!isFreePath(name, taken)}
      onSubmit={() => void create()}
      onClose={() => onClose(undefined)}
    >
      <NotePathField
        label={createNoteTexts.name}
        name={name}
        taken={taken}
        error={error}
        onName={setName}
      />
      {interpreters.length > 0 ? (
        <LabelledChoice
          label={createNoteTexts.interpreter}
          value={interpreter}
          options={interpreters.map(({ id, name: label }) => [id, label] as const)}
          onValue={setInterpreter}
        />
      ) : null}
    </FormDialog>
  );
}
