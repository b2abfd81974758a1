/** Probes for comments. */
import { type Lab, must, nextEvent, type Probes, paragraphOf, refused } from './lab.ts';

/** A note with a thread of one comment. */
async function started(lab: Lab) {
  const { noteId, paragraphId } = await paragraphOf(lab);
  const { comments } = lab.client;
  return { noteId, comments, ...(await comments.add(noteId, { paragraphId, text: 'Why?' })) };
}

export const commentsProbes = {
  listComments: async (lab) => {
    const { noteId } = await paragraphOf(lab);
    must((await lab.client.comments.list(noteId)).length === 0, 'comments on a new note');
  },
  addComment: async (lab) => {
    const note = await lab.open('%md\nx');
    const paragraphId = note.paragraphs[0]!.id;
    const changed = nextEvent(lab.client, 'TIDING_COMMENTS');
    const comment = { paragraphId, text: 'Why?', quote: 'x' };
    const { thread } = await lab.client.comments.add(note.id, comment);
    await changed;
    must(note.state.openThreads === 1, 'the state has no open thread');
    must(thread.quote === 'x' && thread.comments[0]?.text === 'Why?', 'another thread');
    await refused('http', lab.client.comments.add(note.id, { paragraphId, text: ' ' }), 400);
  },
  replyToComment: async (lab) => {
    const { comments, noteId, thread } = await started(lab);
    await comments.reply(noteId, thread.id, 'Because.');
    const [listed] = await comments.list(noteId);
    must(listed?.comments[1]?.text === 'Because.', 'the reply is not listed');
    await refused('http', comments.reply(noteId, 'none', 'x'), 404);
  },
  resolveComment: async (lab) => {
    const { comments, noteId, thread } = await started(lab);
    must((await comments.resolve(noteId, thread.id)).resolvedBy !== undefined, 'it is open');
    must((await comments.reopen(noteId, thread.id)).resolvedBy === undefined, 'it is resolved');
  },
  editComment: async (lab) => {
    const { comments, noteId, thread } = await started(lab);
    const edited = await comments.edit(noteId, thread.id, thread.comments[0]!.id, 'How?');
    must(edited.thread.comments[0]?.text === 'How?', 'another text');
  },
  removeComment: async (lab) => {
    const { comments, noteId, thread } = await started(lab);
    await comments.remove(noteId, thread.id, thread.comments[0]!.id);
    must((await comments.list(noteId)).length === 0, 'the thread is still there');
  },
} satisfies Probes;
