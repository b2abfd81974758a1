/** Buttons below the last paragraph: add an empty one, or one for an interpreter of this server. */
import type { InterpreterBinding } from '@tiding/client/protocol';
import { Ellipsis, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu/menu-button.tsx';
import { useNoteUi } from './ui/note-ui.ts';

/** Magics that get a button if the server has them, in this order, and how many get one. */
const preferredMagics = ['sql', 'python', 'md', 'js', 'sh', 'jdbc', 'spark', 'angular'];
const QUICK_COUNT = 4;

/** Returns the magics of an interpreter setting, without `%`: `python`, `python.ipython`. */
export function magicsOf({ name, interpreters }: InterpreterBinding): string[] {
  const magics = (interpreters ?? []).map((one, index) =>
    (one.defaultInterpreter ?? index === 0) ? name : `${name}.${one.name ?? ''}`,
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

/** The buttons. Until the server has listed its interpreters, only the first is shown. */
export function AddBar() {
  const ui = useNoteUi();
  const bindings = useSelect(ui.client, (state) => state.open[ui.note.id]?.bindings, undefined);
  const { quick, more } = useMemo(() => offeredMagics(bindings ?? []), [bindings]);
  const insert = (source?: string) =>
    void ui.messages.act(() => ui.paragraphs.insert(undefined, source));
  return (
    <div className="add-bar">
      <Button icon={Plus} onClick={() => insert()}>
        {text.note.add}
      </Button>
      <span className="separator" />
      {quick.map((magic) => (
        <Button key={magic} size="sm" onClick={() => insert(`%${magic}\n`)}>
          {magic}
        </Button>
      ))}
      {more.length === 0 ? null : (
        <MenuButton
          size="sm"
          icon={Ellipsis}
          label={text.note.addFor}
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
    </div>
  );
}
