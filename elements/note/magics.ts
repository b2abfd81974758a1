/** Interpreters that a note can use, and their magics. */
import type { ClientState } from '@tiding/client';
import type { InterpreterBinding } from '@tiding/client/protocol';
import { useEffect, useState } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { type NoteUi, useNoteState, useNoteUi } from './ui/note-ui.ts';

const none: readonly InterpreterBinding[] = [];

/** Returns the magics of an interpreter setting, without `%`: `python`, `python.ipython`. */
export function magicsOf({ name, interpreters }: InterpreterBinding): string[] {
  const parts = interpreters ?? [];
  // Without a mark, the first one is the default.
  const marked = parts.findIndex(({ defaultInterpreter }) => defaultInterpreter);
  const magics = parts.map((one, index) =>
    index === Math.max(0, marked) ? name : `${name}.${one.name ?? ''}`,
  );
  return magics.length > 0 ? magics : [name];
}

/** Returns the magics of all interpreters that a note can use, each once. */
export function magicsOfAll(bindings: readonly InterpreterBinding[]): ReadonlySet<string> {
  // On some servers only selected settings run; without a selection, the first of a name does.
  const chosen = bindings.filter(({ selected }) => selected);
  return new Set((chosen.length > 0 ? chosen : bindings).flatMap(magicsOf));
}

/** Since 0.9, a Zeppelin lists only the note's default interpreter as a binding, and runs all. */
const bindsOne = ({ server }: ClientState): boolean =>
  server?.generation === 'B' && server.tiding === undefined;

/** The interpreter settings as bindings, by note page. */
const loadedSettings = new WeakMap<NoteUi, Promise<readonly InterpreterBinding[]>>();

/** Loads the interpreter settings of a server that lists only one binding, once for a note page. */
function settingsAsBindings(ui: NoteUi): Promise<readonly InterpreterBinding[]> {
  let settings = loadedSettings.get(ui);
  if (!settings) {
    settings = ui.client.interpreters
      .available()
      .then((all) =>
        all.map(({ id, name, interpreterGroup }) => ({ id, name, interpreters: interpreterGroup })),
      );
    loadedSettings.set(ui, settings);
    // The next list asks again.
    settings.catch(() => loadedSettings.delete(ui));
  }
  return settings;
}

/** Loads the magics that a paragraph of the note can begin with, without `%`. */
export async function loadMagics(ui: NoteUi): Promise<readonly string[]> {
  const bindings = bindsOne(ui.client.state)
    ? await settingsAsBindings(ui)
    : (ui.note.state.bindings ?? (await ui.note.bindings()));
  return [...magicsOfAll(bindings)];
}

/** Returns the interpreters that the note can use. */
export function useAvailable(): readonly InterpreterBinding[] {
  const ui = useNoteUi();
  const bindings = useNoteState(ui, (note) => note?.bindings);
  const asks = useSelect(ui.client, bindsOne, false);
  const [settings, setSettings] = useState<readonly InterpreterBinding[]>();
  useEffect(() => {
    if (asks)
      settingsAsBindings(ui).then(setSettings, () => {
        // The bindings are offered.
      });
  }, [ui, asks]);
  return settings ?? bindings ?? none;
}
