import { type ParagraphState, paragraphText } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';
import { type ComponentType, type KeyboardEvent, memo, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { paragraphTexts } from '../../text/note/paragraph.ts';
import { statusLabel } from '../../ui/status.tsx';
import { isProse } from '../commands/run-one.ts';
import { useFindPart } from '../find/find-store.ts';
import { type NoteUi, useNoteUi } from '../ui/note-ui.ts';
import {
  BareCard,
  type CardProps,
  isBare,
  ParagraphOutput,
  Progress,
  type ShownProps,
} from './bare-card.tsx';
import type { CodeProps } from './code-part.tsx';
import { ParagraphFooter } from './footer.tsx';
import { ParagraphHeader } from './header.tsx';
import type { Look } from './look.ts';
import { Strips } from './strips.tsx';
import { useNearParagraph, useParagraphActions } from './use-paragraph.ts';

interface CodeSlot {
  /** The component for the code. Without it the card has no code, as on its own page. */
  Code?: ComponentType<CodeProps>;
}

/** Name of a paragraph for screen readers. */
export const cardName = (ui: NoteUi, { id, status, title }: Paragraph): string =>
  fill(paragraphTexts.name, {
    name: title || ui.paragraphs.labelOf(id),
    status: statusLabel(status ?? 'READY'),
  });

/** CSS classes of a paragraph. `showCode`: a search shows its hidden code. */
export function cardClasses(
  paragraph: ParagraphState,
  {
    look,
    focused = false,
    showCode = false,
  }: { look: Look; focused?: boolean; showCode?: boolean },
): string {
  const { outputs, server } = paragraph;
  const config = server.config ?? {};
  const proseLook =
    config.editorHide === true &&
    !showCode &&
    isProse({ state: paragraph }) &&
    !config.title &&
    outputs.length > 0;
  const blank = outputs.length === 0 && paragraphText(paragraph).trim() === '';
  return [
    'paragraph',
    look,
    focused && 'focused',
    config.enabled === false && 'disabled',
    proseLook && 'prose-look',
    blank && 'blank',
  ]
    .filter(Boolean)
    .join(' ');
}

/** One paragraph. Renders only when this paragraph changes. */
export const ParagraphCard = memo(function ParagraphCard({ Code, ...props }: CardProps & CodeSlot) {
  const { id, look } = props;
  const ui = useNoteUi();
  const paragraph = useNearParagraph(ui, id);
  const actions = useParagraphActions(ui, id);
  if (!paragraph) return null;
  return isBare(look) ? (
    <BareCard {...props} paragraph={paragraph} actions={actions} />
  ) : (
    <Card {...props} Code={Code} paragraph={paragraph} actions={actions} />
  );
});

function Card({ id, look, paragraph, actions, Code }: ShownProps & CodeSlot) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const focused = useViewStore(ui.focus.state, (state) => state.focused === id);
  const added = useViewStore(ui.focus.state, (state) => state.added === id);
  const [placeAt, setPlaceAt] = useState<'end'>();
  const find = useFindPart(ui.find, id);
  const prose = isProse({ state: paragraph });
  return (
    <article
      className={cardClasses(paragraph, { look, focused, showCode: find.showCode })}
      part="paragraph"
      data-paragraph={id}
      data-status={server.status}
      tabIndex={-1}
      aria-label={cardName(ui, server)}
      data-numbered={server.title ? undefined : ''}
      aria-current={focused || undefined}
      onPointerDown={() => ui.focus.set(id)}
      onFocus={() => ui.focus.set(id)}
      // The frame itself has the focus if the editor is hidden: arrow keys move to the neighbours.
      onKeyDown={(event: KeyboardEvent) => {
        if (
          event.target !== event.currentTarget ||
          event.ctrlKey ||
          event.altKey ||
          event.metaKey ||
          event.shiftKey
        )
          return;
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        ui.focus.moveFrom(id, event.key === 'ArrowUp' ? 'up' : 'down');
      }}
    >
      <ParagraphHeader paragraph={paragraph} actions={actions} plain={look === 'focus'} />
      {running ? <Progress paragraph={paragraph} /> : null}
      <Strips paragraph={paragraph} actions={actions} />
      {(config.editorHide && !find.showCode) || look === 'focus' || !Code ? null : (
        <Code
          {...{ paragraph, actions, running, id, find }}
          autoFocus={added || placeAt !== undefined}
          placeAt={placeAt}
          ahead={added ? ui.pendingInput.ahead : undefined}
        />
      )}
      <ParagraphOutput
        paragraph={paragraph}
        actions={actions}
        bare={false}
        show={find.showResult}
        onDoubleClick={
          config.editorHide && prose && ui.note.revision === undefined && look !== 'focus'
            ? () => {
                setPlaceAt('end');
                actions.configure({ editorHide: false, tableHide: true });
              }
            : undefined
        }
      />
      <ParagraphFooter server={server} always={ui.single} />
    </article>
  );
}
