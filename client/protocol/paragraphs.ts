/** Live operations on paragraphs, their runs and their forms. */
import * as z from 'zod/mini';
import { bag, maybe, open, received, sent } from './define.ts';
import { completion, editorSetting, form, paragraph, paragraphConfig, results } from './objects.ts';

const index = z.number().check(z.int());
/** What a commit, a run and a copy carry. `noteId` lets B guard a note that runs sequentially. */
const content = {
  noteId: maybe(z.string()),
  title: maybe(z.string()),
  paragraph: maybe(z.string()),
  config: maybe(paragraphConfig),
  params: maybe(bag),
  /** Ours: the `rev` of the text this was made from; other servers ignore it. */
  baseRev: maybe(z.number()),
  /** Ours: whose typing this is, a random id a draft; what the same author typed before is no conflict. */
  author: maybe(z.string().check(z.maxLength(64))),
  /** Ours: grows with each new text of an author; one that is sent again, or that a dead connection delivers late, is told by it and counts once. */
  authorSeq: maybe(z.number()),
};
const one = open({ id: z.string(), noteId: maybe(z.string()) });

/** Paragraph operations; `id` is the paragraph, the note is the socket's open note (or `noteId`). */
export const paragraphOperations = {
  sent: {
    COMMIT_PARAGRAPH: sent(open({ id: z.string(), ...content }), {
      right: 'writer',
      idempotent: true,
    }),
    RUN_PARAGRAPH: sent(open({ id: z.string(), ...content }), { right: 'runner' }),
    /** `paragraphs` is the JSON text of `[{id, title, paragraph, config, params}]`; our server also takes a list, or nothing. */
    RUN_ALL_PARAGRAPHS: sent(
      open({ noteId: z.string(), paragraphs: maybe(z.union([z.string(), z.array(bag)])) }),
      { right: 'runner' },
    ),
    CANCEL_PARAGRAPH: sent(one, { right: 'runner', idempotent: true }),
    INSERT_PARAGRAPH: sent(
      open({ index, noteId: maybe(z.string()), config: maybe(paragraphConfig) }),
      { right: 'writer' },
    ),
    COPY_PARAGRAPH: sent(open({ index, ...content }), { right: 'writer' }),
    MOVE_PARAGRAPH: sent(open({ id: z.string(), index, noteId: maybe(z.string()) }), {
      right: 'writer',
      idempotent: true,
    }),
    /** `rev` is ours: the text as the sender has seen it; where it is another by now, nothing is removed. */
    PARAGRAPH_REMOVE: sent(
      open({ id: z.string(), noteId: maybe(z.string()), rev: maybe(z.number()) }),
      { right: 'writer', idempotent: true },
    ),
    PARAGRAPH_CLEAR_OUTPUT: sent(one, { right: 'writer', idempotent: true }),
    COMPLETION: sent(
      open({ id: z.string(), buf: z.string(), cursor: index, noteId: maybe(z.string()) }),
      {
        right: 'writer',
        idempotent: true,
      },
    ),
    /** A reads `magic`, B `paragraphText`; both are sent. */
    EDITOR_SETTING: sent(
      open({ paragraphId: z.string(), magic: maybe(z.string()), paragraphText: maybe(z.string()) }),
      { idempotent: true },
    ),
    SAVE_NOTE_FORMS: sent(open({ noteId: z.string(), noteParams: bag }), {
      right: 'writer',
      idempotent: true,
    }),
    REMOVE_NOTE_FORMS: sent(open({ noteId: z.string(), formName: z.string() }), {
      right: 'writer',
      idempotent: true,
    }),
    /**
     * Collaborative typing: `patch` is diff-match-patch text. Upstream applies it to the text it has; ours to the version
     * named by `baseRev`, and merges. The others on the note get what changed there.
     */
    PATCH_PARAGRAPH: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        patch: z.string(),
        baseRev: content.baseRev,
        author: content.author,
        authorSeq: content.authorSeq,
      }),
      {
        right: 'writer',
        since: '0.9.0',
      },
    ),
    /**
     * What a spell printed in one page goes to the others. 0.10 stores the text and fails whatever is sent: there the text is
     * to be saved by a commit.
     */
    PARAGRAPH_EXECUTED_BY_SPELL: sent(
      open({
        id: z.string(),
        noteId: maybe(z.string()),
        title: maybe(z.string()),
        paragraph: maybe(z.string()),
        results: maybe(results),
        status: maybe(z.string()),
        errorMessage: maybe(z.string()),
        config: maybe(paragraphConfig),
        params: maybe(bag),
        dateStarted: maybe(z.string()),
        dateFinished: maybe(z.string()),
      }),
      { right: 'writer', until: '0.9.0' },
    ),
  },
  received: {
    /** The whole paragraph, the truth about its state. May be a skeleton right after creation on A. */
    PARAGRAPH: received(open({ paragraph })),
    PARAGRAPH_ADDED: received(open({ paragraph, index: z.number() })),
    PARAGRAPH_MOVED: received(open({ id: z.string(), index: z.number() })),
    PARAGRAPH_REMOVED: received(open({ id: z.string() })),
    /** Replaces output `index`; sent with empty data when an output starts. */
    PARAGRAPH_UPDATE_OUTPUT: received(
      open({
        noteId: maybe(z.string()),
        paragraphId: z.string(),
        index: maybe(z.number()),
        type: maybe(z.string()),
        data: maybe(z.string()),
      }),
    ),
    /** Appends to output `index`; TEXT and TABLE only. */
    PARAGRAPH_APPEND_OUTPUT: received(
      open({
        noteId: maybe(z.string()),
        paragraphId: z.string(),
        index: maybe(z.number()),
        data: maybe(z.string()),
      }),
    ),
    /** 0–100, every 500 ms while RUNNING. */
    PROGRESS: received(open({ id: z.string(), progress: z.number() })),
    PARAS_INFO: received(open({ id: z.string(), infos: maybe(bag) })),
    COMPLETION_LIST: received(
      open({ id: maybe(z.string()), completions: maybe(z.array(completion)) }),
    ),
    EDITOR_SETTING: received(
      open({ paragraphId: maybe(z.string()), editor: maybe(editorSetting) }),
    ),
    SAVE_NOTE_FORMS: received(
      open({ formsData: open({ params: maybe(bag), forms: maybe(z.record(z.string(), form)) }) }),
    ),
    /** Ours: a commit whose base is gone and that does not merge. Nothing was written; `text` is what the server holds. */
    PARAGRAPH_CONFLICT: received(
      open({
        id: z.string(),
        noteId: z.string(),
        rev: z.number(),
        text: z.string(),
        baseText: maybe(z.string()),
      }),
    ),
    /**
     * B, collaborative mode: what another user changed. Ours adds the `rev` and the checksum of the text it makes, and tells the
     * sender what his own text has become (an empty patch: what he sent).
     */
    PATCH_PARAGRAPH: received(
      open({
        paragraphId: z.string(),
        patch: z.string(),
        rev: maybe(z.number()),
        checksum: maybe(z.string()),
        author: maybe(z.string()),
      }),
    ),
    RUN_PARAGRAPH_USING_SPELL: received(open({ paragraph })),
  },
};
