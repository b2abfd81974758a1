import { textArea } from '../../text/areas.ts';

/** Texts of the panel of comments. */
export const commentTexts = textArea('comments', {
  add: 'Add comment',
  cannotRead: "These users can't read this note, so they were not notified: {users}.",
  comment: 'Comment',
  delete: 'Delete',
  deleteComment: 'Delete this comment?',
  deleteThread: 'Delete this thread?',
  deletesReplies: 'Its replies are deleted too.',
  discard: 'Your comment was not sent. Discard it?',
  discardAction: 'Discard',
  edit: 'Edit',
  edited: '(edited)',
  newThread: 'New comment on {paragraph}',
  none: 'No open comments. To add one, open the menu of a paragraph and choose “Add comment”.',
  paragraph: 'Paragraph {n}',
  placeholder: 'Write a comment. Use @ to mention someone.',
  removedParagraph: 'Removed paragraph',
  reopen: 'Reopen',
  reply: 'Reply',
  resolve: 'Resolve',
  resolvedBy: 'Resolved by {user}',
  save: 'Save',
  showResolved: 'Show resolved ({count})',
  users: 'Users',
});
