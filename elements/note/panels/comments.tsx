import type { SavedComment } from '@tiding/client/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { fill } from '../../text/fill.ts';
import { LabelledCheckbox } from '../../ui/fields/labelled.tsx';
import { CommentField } from '../comments/comment-field.tsx';
import sheet from '../comments/comments.css';
import { startedThread } from '../comments/started-thread.ts';
import { commentTexts as t } from '../comments/texts.ts';
import { placeName, Thread } from '../comments/thread.tsx';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { useClosingQuestion } from './use-closing-question.ts';
import { ListState, useListed } from './use-listed.tsx';

const sheets = [sheet];

/** Comments on the note, in the order of its paragraphs; read again when they change. */
export default function CommentsPanel() {
  useSheets(sheets);
  const ui = useNoteUi();
  const { client, note } = ui;
  const body = useRef<HTMLDivElement>(null);
  const [changes, setChanges] = useState(0);
  const [showsResolved, setShowsResolved] = useState(false);
  const started = startedThread(ui);
  const target = useViewStore(started, (state) => state.target);
  const order = useNoteState(ui, (now) => now?.order);
  const list = useCallback(() => client.comments.list(note.id), [client, note]);
  const { value: threads, error, read } = useListed(list, changes);

  useEffect(() => {
    return client.on('TIDING_COMMENTS', ({ noteId }) => {
      if (noteId === note.id) setChanges((before) => before + 1);
    });
  }, [client, note]);
  const hasText = () =>
    [...(body.current?.querySelectorAll('textarea') ?? [])].some(
      ({ value, defaultValue }) => value !== defaultValue,
    );
  useClosingQuestion(hasText, t);
  useEffect(() => {
    return () => started.set({ target: undefined });
  }, [started]);

  const act = async (change: () => Promise<unknown>): Promise<void> => {
    await change();
    await read();
  };
  const save = (change: () => Promise<SavedComment>): Promise<void> =>
    act(async () => {
      const { cannotRead } = await change();
      if (cannotRead.length > 0)
        ui.messages.info(fill(t.cannotRead, { users: cannotRead.join(', ') }));
    });
  const endStarted = (): void => {
    started.set({ target: undefined });
    body.current?.closest('aside')?.focus({ preventScroll: true });
  };

  const positions = new Map(order?.map((id, index) => [id, index]));
  // Comments on removed paragraphs come last.
  const position = (id: string) => positions.get(id) ?? positions.size;
  const sorted = [...(threads ?? [])].sort(
    (one, other) => position(one.paragraphId) - position(other.paragraphId),
  );
  const shown = sorted.filter(({ resolvedBy }) => showsResolved || resolvedBy === undefined);
  const resolved = sorted.filter(({ resolvedBy }) => resolvedBy !== undefined).length;
  return (
    <div className="panel-body" ref={body}>
      {target ? (
        <section className="thread">
          <h3>{fill(t.newThread, { paragraph: placeName(ui, target.paragraphId) })}</h3>
          {target.quote === undefined ? null : (
            <blockquote className="comment-quote">{target.quote}</blockquote>
          )}
          <CommentField
            key={target.paragraphId + target.quote}
            label={t.comment}
            action={t.add}
            onCancel={endStarted}
            onSend={async (text) => {
              await save(() => client.comments.add(note.id, { ...target, text }));
              endStarted();
            }}
          />
        </section>
      ) : null}
      {resolved > 0 ? (
        <LabelledCheckbox
          label={fill(t.showResolved, { count: resolved })}
          checked={showsResolved}
          onChange={setShowsResolved}
        />
      ) : null}
      <ListState of={{ value: threads, error }} />
      {threads && shown.length === 0 && !target ? <p className="hint">{t.none}</p> : null}
      <ol className="threads">
        {shown.map((thread) => (
          <Thread key={thread.id} thread={thread} save={save} act={act} />
        ))}
      </ol>
    </div>
  );
}
