/** Comments on paragraphs. */
import { randomBytes } from 'node:crypto';
import {
  type CommentChange,
  type CommentRequest,
  checkCommenter,
  commentChanges,
  mentionedUsers,
} from '@tiding/client/notebook';
import type { CommentThread, SavedComment } from '@tiding/client/protocol';
import type { ActingUser } from '../auth/permissions.ts';
import { noSuchParagraph } from '../base/errors.ts';
import type { StoredNote } from '../notes/note.ts';
import type { RestHandlers, ServerContext } from './context.ts';
import { withRight } from './notes/notes.ts';

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly person: ActingUser;
}

/** Returns the note of a change. Throws unless the user may comment on it. */
function noteToComment({ params, person }: Request, context: ServerContext): StoredNote {
  const note = withRight(params, person, 'reader', context);
  checkCommenter(person.principal);
  return note;
}

const requestOf = <Body>(
  { params, body, person }: Request & { readonly body: Body },
  note: StoredNote,
  { permissions }: ServerContext,
): CommentRequest<Body> => ({
  params,
  body,
  commenter: {
    principal: person.principal,
    owns: permissions.has(person, note.id, 'owner'),
  },
  newId: () => randomBytes(9).toString('base64url'),
});

/** Stores a change and notifies the pages that have the note open. */
async function change<T extends CommentChange>(
  { id }: StoredNote,
  { comments, hub }: ServerContext,
  make: (threads: readonly CommentThread[]) => T,
): Promise<T> {
  const result = await comments.change(id, make);
  hub.broadcastToNote(id, 'TIDING_COMMENTS', { open: (await comments.openCount(id)) ?? 0 });
  return result;
}

/** Like {@link change}; sends the text to the users whom it mentions and who may read the note. */
async function save(
  text: string,
  { person }: Request,
  note: StoredNote,
  context: ServerContext,
  make: (threads: readonly CommentThread[]) => CommentChange & { readonly before?: string },
): Promise<SavedComment> {
  const { mentionMails, permissions, users } = context;
  await users.refresh();
  const isUser = (name: string) => users.get(name) !== undefined;
  const mentioned = mentionedUsers(text, isUser);
  const { before = '', thread } = await change(note, context, make);
  const mayRead = (principal: string) =>
    permissions.has({ principal, roles: users.get(principal)?.roles ?? [] }, note.id, 'reader');
  // Those who were mentioned before an edit know of the comment.
  const known = new Set(mentionedUsers(before, isUser));
  mentionMails.send(
    mentioned.filter(
      (name) => mayRead(name) && !known.has(name) && users.get(name)?.disabled !== true,
    ),
    { author: person.principal, note, paragraphId: thread!.paragraphId, text: text.trim() },
  );
  return { thread: thread!, cannotRead: mentioned.filter((name) => !mayRead(name)) };
}

export const commentsRest = {
  listComments: async ({ params, person }, context) => [
    ...(await context.comments.of(withRight(params, person, 'reader', context).id)),
  ],
  addComment: (request, context) => {
    const { body } = request;
    const note = noteToComment(request, context);
    if (!note.paragraphs.some(({ id }) => id === body.paragraphId))
      throw noSuchParagraph(body.paragraphId);
    const make = commentChanges.addComment(requestOf(request, note, context));
    return save(body.text, request, note, context, make);
  },
  replyToComment: (request, context) => {
    const note = noteToComment(request, context);
    const make = commentChanges.replyToComment(requestOf(request, note, context));
    return save(request.body.text, request, note, context, make);
  },
  resolveComment: async (request, context) => {
    const note = noteToComment(request, context);
    const make = commentChanges.resolveComment(requestOf(request, note, context));
    return (await change(note, context, make)).thread!;
  },
  editComment: (request, context) => {
    const note = noteToComment(request, context);
    const make = commentChanges.editComment(requestOf(request, note, context));
    return save(request.body.text, request, note, context, make);
  },
  removeComment: async (request, context) => {
    const note = noteToComment(request, context);
    await change(note, context, commentChanges.removeComment(requestOf(request, note, context)));
    return {};
  },
} satisfies Partial<RestHandlers>;
