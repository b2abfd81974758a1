import type { ParagraphState } from '@tiding/client';
import { useContext } from 'react';
import { runParagraphCommand } from '../commands/paragraph.tsx';
import { Grip } from '../drag/grip.tsx';
import { ParagraphPeople } from '../presence/paragraph-people.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { HeaderParts, RevisionHeader } from './header-parts.tsx';
import { paragraphMenu } from './paragraph-menu.ts';
import { OnlineContext, type ParagraphActions } from './use-paragraph.ts';

interface HeaderProps {
  paragraph: ParagraphState;
  actions: ParagraphActions;
  /** Whether the show and hide buttons are omitted. */
  plain?: boolean;
}

/** Header of a paragraph: run button, title, toggles, status, menu. */
export function ParagraphHeader({ paragraph, actions, plain = false }: HeaderProps) {
  const ui = useNoteUi();
  const online = useContext(OnlineContext);
  const mayNotRun = useWhyNot(ui, 'runner');
  const mayNotChange = useWhyNot(ui, 'writer');
  if (ui.note.revision !== undefined) return <RevisionHeader paragraph={paragraph} />;
  return (
    <HeaderParts
      {...{ paragraph, plain, online, mayNotRun, mayNotChange }}
      onCommand={(id) => runParagraphCommand(ui, paragraph.id, id)}
      onTitle={actions.setTitle}
      menu={() => paragraphMenu(ui, paragraph.id, actions)}
      people={<ParagraphPeople id={paragraph.id} />}
      grip={ui.single || !ui.layout.editable || mayNotChange ? null : <Grip id={paragraph.id} />}
    />
  );
}
