/** The left and right panels of a note page, and where the focus goes when they open and close. */

import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { emitEvent } from '../../runtime/define-element.ts';
import { CodeBoundary } from '../../runtime/lazy-code.tsx';
import { useViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { Button } from '../../ui/button.tsx';
import { StatusHint } from '../../ui/hints.tsx';
import { Region } from '../../ui/loading.tsx';
import { SidePanel } from '../side-panel.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { isNoteCovered } from '../ui/panels.ts';
import { findPanel } from './panels.ts';
import { useCoveringPanel } from './use-covering-panel.ts';
import { useFocusAfterDialogs, usePanelFocus } from './use-panel-focus.ts';

/** The note beside the panels. It takes no focus while a panel covers it. */
export function NoteArea({ label, children }: { label: string; children: ReactNode }) {
  const covered = useViewStore(useNoteUi().panels.state, isNoteCovered);
  return (
    <section className="note-area" aria-label={label} inert={covered}>
      {children}
    </section>
  );
}

/** The list of notes and the outline of the note. */
export function LeftPanel({ href }: { href: (id: string) => string }) {
  const ui = useNoteUi();
  const open = useViewStore(ui.panels.state, (state) => state.left);
  const side = useRef<HTMLElement>(null);
  const covered = useViewStore(
    ui.panels.state,
    ({ covers, right }) => covers && right !== undefined,
  );
  usePanelFocus(open ? 'left' : undefined, side);
  const onKeyDown = useCoveringPanel(open ? 'left' : undefined, side, ui.panels.toggleLeft);
  if (!open) return null;
  return (
    <SidePanel
      root={side}
      inert={covered}
      onKeyDown={onKeyDown}
      href={href}
      onOpen={(id) => emitEvent(ui.host, 'tiding-open-note', { noteId: id })}
      onShow={(id) => {
        if (ui.panels.state.get().covers) ui.panels.state.set({ left: false });
        ui.focus.scrollTo(id);
      }}
    />
  );
}

export function RightPanel() {
  const ui = useNoteUi();
  const id = useViewStore(ui.panels.state, (state) => state.right);
  const aside = useRef<HTMLElement>(null);
  const panel = id === undefined ? undefined : findPanel(id);
  usePanelFocus(id, aside);
  useFocusAfterDialogs();
  const close = () => void ui.panels.toggle(id);
  const onKeyDown = useCoveringPanel(id, aside, close);
  if (!panel) return null;
  return (
    <aside
      key={id}
      ref={aside}
      onKeyDown={onKeyDown}
      className={panel.whole ? 'panel whole' : 'panel'}
      aria-label={panel.title()}
      tabIndex={-1}
    >
      <header className="panel-head in-row">
        <h2>{panel.title()}</h2>
        <Button icon={X} label={noteTexts.closePanel} onClick={close} />
      </header>
      <Region root={() => aside.current}>
        <CodeBoundary fallback={<StatusHint>{commonTexts.loading}</StatusHint>}>
          <panel.view onClose={close} />
        </CodeBoundary>
      </Region>
    </aside>
  );
}
