/** Buttons below the last paragraph: add an empty one, or one for an interpreter of this server. */
import type { InterpreterBinding } from '@tiding/client/protocol';
import { Ellipsis, Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { noteTexts } from '../text/note/note.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu/menu-button.tsx';
import { UploadButton } from './files/upload-button.tsx';
import { useNoteUi } from './ui/note-ui.ts';
import { useWhyNot } from './ui/use-rights.ts';

/** Magics that get a button if the server has them, in this order, and how many get one. */
const preferredMagics = ['sql', 'python', 'md', 'js', 'sh', 'jdbc', 'spark', 'angular'];
const QUICK_COUNT = 4;
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

/** Returns the magics that get a button, and the others for the menu. */
export function offeredMagics(bindings: readonly InterpreterBinding[]): {
  quick: string[];
  more: string[];
} {
  // On some servers only selected settings run; without a selection, the first of a name does.
  const chosen = bindings.filter(({ selected }) => selected);
  const all = new Set((chosen.length > 0 ? chosen : bindings).flatMap(magicsOf));
  const liked = preferredMagics.filter((magic) => all.has(magic));
  const ranked = [...new Set([...liked, ...[...all].filter((magic) => !magic.includes('.'))])];
  const quick = ranked.slice(0, QUICK_COUNT);
  return { quick, more: [...all].filter((magic) => !quick.includes(magic)) };
}

/**
 * Returns the interpreters that the note can use. Since 0.9, a Zeppelin lists only the note's
 * default one as a binding, and runs all.
 */
function useAvailable(): readonly InterpreterBinding[] {
  const { client, note } = useNoteUi();
  const bindings = useSelect(client, (state) => state.open[note.id]?.bindings, undefined);
  const bindsOne = useSelect(
    client,
    ({ server }) => server?.generation === 'B' && server.tiding === undefined,
    false,
  );
  const [settings, setSettings] = useState<readonly InterpreterBinding[]>();
  useEffect(() => {
    if (bindsOne)
      client.interpreters.available().then(
        (all) =>
          setSettings(
            all.map(({ id, name, interpreterGroup }) => ({
              id,
              name,
              interpreters: interpreterGroup,
            })),
          ),
        () => {
          // The bindings are offered.
        },
      );
  }, [client, bindsOne]);
  return settings ?? bindings ?? none;
}

/** The buttons. Until the server has listed its interpreters, only the first is shown. */
export function AddBar() {
  const ui = useNoteUi();
  const available = useAvailable();
  const mayNotChange = useWhyNot(ui, 'writer');
  const { quick, more } = useMemo(() => offeredMagics(available), [available]);
  const insert = (source?: string) =>
    void ui.messages.act(() => ui.paragraphs.insert(undefined, source));
  return (
    <div className="add-bar">
      <Button icon={Plus} disabledReason={mayNotChange} onClick={() => insert()}>
        {noteTexts.add}
      </Button>
      <span className="separator" />
      {quick.map((magic) => (
        <Button
          key={magic}
          size="sm"
          disabledReason={mayNotChange}
          onClick={() => insert(`%${magic}\n`)}
        >
          {magic}
        </Button>
      ))}
      {more.length === 0 || mayNotChange !== undefined ? null : (
        <MenuButton
          size="sm"
          icon={Ellipsis}
          label={noteTexts.addFor}
          align="start"
          entries={() =>
            more.map((magic) => ({
              label: `%${magic}`,
              data: true,
              onSelect: () => insert(`%${magic}\n`),
            }))
          }
        />
      )}
      <UploadButton disabledReason={mayNotChange} />
    </div>
  );
}
