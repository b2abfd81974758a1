import type { ParagraphState } from '@tiding/client';
import { useContext } from 'react';
import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import { useViewStore } from '../../runtime/store.ts';
import { runParagraphCommand } from '../commands/paragraph.tsx';
import { Grip } from '../drag/grip.tsx';
import { ParagraphPeople } from '../presence/paragraph-people.tsx';
import { staleKey, useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { HeaderParts, RevisionHeader } from './header-parts.tsx';
import { paragraphMenu } from './paragraph-menu.ts';
import { OnlineContext, type ParagraphActions } from './use-paragraph.ts';

const StaleMark = lazyCode(async () => (await import('../stale/mark.tsx')).StaleMark);

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
  const because = useViewStore(ui.stale, ({ causes }) => causes[staleKey(paragraph.server)]);
  if (ui.note.revision !== undefined) return <RevisionHeader paragraph={paragraph} />;
  return (
    <HeaderParts
      {...{ paragraph, plain, online, mayNotRun, mayNotChange }}
      onCommand={(id) => runParagraphCommand(ui, paragraph.id, id)}
      onTitle={actions.setTitle}
      menu={() => paragraphMenu(ui, paragraph.id, actions)}
      // Another text has a mark of its own.
      stale={
        because === undefined || because === paragraph.server.id ? null : (
          <CodeBoundary>
            <StaleMark because={because} />
          </CodeBoundary>
        )
      }
      people={<ParagraphPeople id={paragraph.id} />}
      grip={ui.single || !ui.layout.editable || mayNotChange ? null : <Grip id={paragraph.id} />}
    />
  );
}
