import { relativeTime } from '@tiding/client/model';
import type { CommentThread, NoteComment, SavedComment } from '@tiding/client/protocol';
import { Check, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusAfterForm } from '../../ui/return-focus.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { CommentField } from './comment-field.tsx';
import { commentTexts as t } from './texts.ts';

interface ThreadProps {
  readonly thread: CommentThread;
  /** Makes a change, reads the threads again, and reports users who can't read the note. */
  readonly save: (change: () => Promise<SavedComment>) => Promise<void>;
  readonly act: (change: () => Promise<unknown>) => Promise<void>;
}

/** A thread: its paragraph, the quote, the comments and what can be done with it. */
export function Thread({ thread, save, act }: ThreadProps) {
  const ui = useNoteUi();
  const { client, note } = ui;
  const [replies, setReplies] = useState(false);
  const reply = useRef<HTMLButtonElement>(null);
  useFocusAfterForm(replies, () => reply.current);
  const endReply = (): void => setReplies(false);
  const { id, paragraphId, quote, resolvedBy } = thread;
  const isThere = ui.paragraphs.get(paragraphId) !== undefined;
  const setResolved = (): void =>
    void ui.messages.act(() =>
      act(() =>
        resolvedBy === undefined
          ? client.comments.resolve(note.id, id)
          : client.comments.reopen(note.id, id),
      ),
    );
  return (
    <li className={resolvedBy === undefined ? 'thread' : 'thread resolved'} data-thread={id}>
      <div className="thread-head in-row">
        {isThere ? (
          <button type="button" className="link" onClick={() => ui.focus.scrollTo(paragraphId)}>
            {placeName(ui, paragraphId)}
          </button>
        ) : (
          <span className="hint">{t.removedParagraph}</span>
        )}
        <Button size="sm" icon={resolvedBy === undefined ? Check : RotateCcw} onClick={setResolved}>
          {resolvedBy === undefined ? t.resolve : t.reopen}
        </Button>
      </div>
      {quote === undefined ? null : <blockquote className="comment-quote">{quote}</blockquote>}
      {resolvedBy === undefined ? null : (
        <p className="hint">{fill(t.resolvedBy, { user: resolvedBy })}</p>
      )}
      <ol className="comments">
        {thread.comments.map((comment) => (
          <Comment key={comment.id} comment={comment} thread={thread} save={save} act={act} />
        ))}
      </ol>
      {replies ? (
        <CommentField
          label={t.reply}
          action={t.reply}
          onCancel={endReply}
          onSend={async (text) => {
            await save(() => client.comments.reply(note.id, id, text));
            endReply();
          }}
        />
      ) : (
        <div>
          <button
            ref={reply}
            type="button"
            className="button secondary sm reply"
            onClick={() => setReplies(true)}
          >
            {t.reply}
          </button>
        </div>
      )}
    </li>
  );
}

/** Title of a paragraph, or its number. */
export function placeName(ui: ReturnType<typeof useNoteUi>, paragraphId: string): string {
  const title = ui.paragraphs.get(paragraphId)?.state.server.title;
  return title || fill(t.paragraph, { n: ui.note.state.order.indexOf(paragraphId) + 1 });
}

function Comment({ comment, thread, save, act }: ThreadProps & { readonly comment: NoteComment }) {
  const ui = useNoteUi();
  const { client, note } = ui;
  const [edits, setEdits] = useState(false);
  const own = comment.author === client.session.current?.principal;
  const owns = useViewStore(ui.rights.state, () => ui.rights.allows('owner'));
  const isFirst = thread.comments[0] === comment;
  const isAnswered = thread.comments.some(({ author }) => author !== comment.author);
  const mayDelete = owns || (own && !(isFirst && isAnswered));
  const edit = useRef<HTMLSpanElement>(null);
  useFocusAfterForm(edits, () => edit.current?.querySelector('button'));
  const endEdit = (): void => setEdits(false);
  const remove = (): void => {
    const hasReplies = isFirst && thread.comments.length > 1;
    void ui.dialogs.confirm(
      {
        title: isFirst ? t.deleteThread : t.deleteComment,
        ...(hasReplies ? { text: t.deletesReplies } : {}),
        action: t.delete,
        danger: true,
      },
      () => act(() => client.comments.remove(note.id, thread.id, comment.id)),
    );
  };
  return (
    <li className="comment">
      <div className="comment-head in-row">
        <b>{comment.author}</b>
        <time dateTime={comment.createdAt} title={new Date(comment.createdAt).toLocaleString()}>
          {relativeTime(new Date(comment.createdAt), new Date())}
          {comment.editedAt === undefined ? '' : ` ${t.edited}`}
        </time>
        <span ref={edit} className="comment-actions">
          {own && !edits ? (
            <Button size="sm" icon={Pencil} label={t.edit} onClick={() => setEdits(true)} />
          ) : null}
          {mayDelete && !edits ? (
            <Button size="sm" icon={Trash2} label={t.delete} onClick={remove} />
          ) : null}
        </span>
      </div>
      {edits ? (
        <CommentField
          label={t.edit}
          action={t.save}
          text={comment.text}
          onCancel={endEdit}
          onSend={async (text) => {
            await save(() => client.comments.edit(note.id, thread.id, comment.id, text));
            endEdit();
          }}
        />
      ) : (
        <p className="comment-text">{comment.text}</p>
      )}
    </li>
  );
}
