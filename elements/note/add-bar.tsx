/** Buttons below the last paragraph: add an empty one, or one for an interpreter of this server. */
import type { InterpreterBinding } from '@tiding/client/protocol';
import { Ellipsis, MessageCircleQuestion, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { noteTexts } from '../text/note-texts.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu/menu-button.tsx';
import { hasAssistant, openAsk } from './assistant/assistance.tsx';
import { assistantTexts } from './assistant/texts.ts';
import { UploadButton } from './files/upload-button.tsx';
import { magicsOfAll, useAvailable } from './magics.ts';
import { useNoteUi } from './ui/note-ui.ts';
import { useWhyNot } from './ui/use-rights.ts';

/** Magics that get a button if the server has them, in this order, and how many get one. */
const preferredMagics = ['sql', 'python', 'md', 'js', 'sh', 'jdbc', 'spark', 'angular'];
const QUICK_COUNT = 4;

/** Returns the magics that get a button, and the others for the menu. */
function offeredMagics(bindings: readonly InterpreterBinding[]): {
  quick: string[];
  more: string[];
} {
  const all = magicsOfAll(bindings);
  const liked = preferredMagics.filter((magic) => all.has(magic));
  const ranked = [...new Set([...liked, ...[...all].filter((magic) => !magic.includes('.'))])];
  const quick = ranked.slice(0, QUICK_COUNT);
  return { quick, more: [...all].filter((magic) => !quick.includes(magic)) };
}

/** The buttons. Until the server has listed its interpreters, only the first is shown. */
export function AddBar() {
  const ui = useNoteUi();
  const available = useAvailable();
  const mayNotChange = useWhyNot(ui, 'writer');
  const { quick, more } = useMemo(() => offeredMagics(available), [available]);
  const insert = (source?: string) =>
    void ui.messages.act(() => ui.paragraphs.insert(undefined, source));
  const ask = () => {
    const paragraphId = ui.note.state.order.at(-1)!;
    void ui.messages.act(() => openAsk({ ui, task: 'write', paragraphId }));
  };
  return (
    <div className="add-bar in-row">
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
      {hasAssistant(ui) && (
        <Button size="sm" icon={MessageCircleQuestion} disabledReason={mayNotChange} onClick={ask}>
          {assistantTexts.ask}
        </Button>
      )}
    </div>
  );
}
