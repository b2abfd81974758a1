import type { ParagraphState } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { type ComponentType, type KeyboardEvent, memo, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { statusLabel } from '../../ui/status.tsx';
import { useFindPart } from '../find/find-store.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import {
  BareCard,
  type CardProps,
  ParagraphOutput,
  Progress,
  type ShownProps,
} from './bare-card.tsx';
import type { CodeProps } from './code-part.tsx';
import { ParagraphFooter } from './footer.tsx';
import { ParagraphHeader } from './header.tsx';
import { cardClasses, isBare, isProse } from './look.ts';
import { Strips } from './strips.tsx';
import { paragraphTexts } from './texts.ts';
import { useNearParagraph, useParagraphActions } from './use-paragraph.ts';

interface Slots {
  /** The component for the code. Without it the card has no code, as on its own page. */
  Code?: ComponentType<CodeProps>;
  /** Shown instead of all parts while the paragraph is far from the window. */
  Distant?: ComponentType<{ paragraph: ParagraphState }> | undefined;
}

/** One paragraph. Renders only when this paragraph changes. */
export const ParagraphCard = memo(function ParagraphCard({
  Code,
  Distant,
  ...props
}: CardProps & Slots) {
  const { id, look } = props;
  const ui = useNoteUi();
  const paragraph = useNearParagraph(ui, id);
  const actions = useParagraphActions(ui, id);
  if (!paragraph) return null;
  return isBare(look) ? (
    <BareCard {...props} paragraph={paragraph} actions={actions} />
  ) : (
    <Card {...props} Code={Code} Distant={Distant} paragraph={paragraph} actions={actions} />
  );
});

function Card({ id, look, paragraph, actions, Code, Distant }: ShownProps & Slots) {
  const ui = useNoteUi();
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const focused = useViewStore(ui.focus.state, (state) => state.focused === id);
  const added = useViewStore(ui.focus.state, (state) => state.added === id);
  const [placeAt, setPlaceAt] = useState<'end'>();
  const find = useFindPart(ui.find, id);
  const classes = [...cardClasses(paragraph, look, find.showCode), ...(focused ? ['focused'] : [])];
  return (
    <article
      className={classes.join(' ')}
      part="paragraph"
      data-paragraph={id}
      data-status={server.status}
      tabIndex={-1}
      aria-label={fill(paragraphTexts.name, {
        name: server.title || ui.paragraphs.labelOf(id),
        status: statusLabel(server.status ?? 'READY'),
      })}
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
      {Distant ? (
        <Distant paragraph={paragraph} />
      ) : (
        <>
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
              config.editorHide &&
              isProse(paragraph) &&
              ui.note.revision === undefined &&
              look !== 'focus'
                ? () => {
                    setPlaceAt('end');
                    actions.configure({ editorHide: false, tableHide: true });
                  }
                : undefined
            }
          />
          <ParagraphFooter server={server} always={ui.single} />
        </>
      )}
    </article>
  );
}
