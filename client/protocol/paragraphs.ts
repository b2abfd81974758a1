/** Live operations on paragraphs, their runs and their forms. */
import * as z from 'zod/mini';
import { MAX_ANSWER, MAX_TERMINAL_INPUT } from './constants.ts';
import { jsonObject, maybe, open, received, sent } from './define.ts';
import {
  completion,
  editorSetting,
  form,
  paragraph,
  paragraphConfig,
  results,
  textChange,
} from './objects.ts';

const index = z.number().check(z.int());
/**
 * Fields that a commit, a run and a copy share. Zeppelin uses `noteId` to guard a note that runs
 * sequentially.
 */
const content = {
  noteId: maybe(z.string()),
  title: maybe(z.string()),
  paragraph: maybe(z.string()),
  config: maybe(paragraphConfig),
  params: maybe(jsonObject),
  /** Tiding: the `rev` of the text that this change is based on. Other servers ignore it. */
  baseRev: maybe(z.number()),
  /** Tiding: random id of the draft. Earlier changes by the same author are not conflicts. */
  author: maybe(z.string().check(z.maxLength(64))),
  /**
   * Tiding: sequence number of the author's texts. It identifies a text that is sent again or that
   * a dead connection delivers late, so that it is applied once.
   */
  authorSeq: maybe(z.number()),
  /**
   * Tiding: the change from the text of `baseRev` to this text, as it was typed. The server rebases
   * it over the changes by others since. Other servers ignore it.
   */
  changes: maybe(textChange),
};
const one = open({ id: z.string(), noteId: maybe(z.string()) });

/**
 * Operations on paragraphs. `id` is the paragraph; the note is `noteId`, or the one that the socket
 * has open.
 */
export const paragraphOperations = {
  sent: {
    COMMIT_PARAGRAPH: sent(open({ id: z.string(), ...content }), {
      right: 'writer',
      idempotent: true,
      embed: ['edit', 'id'],
      sample: { id: '$paragraph', noteId: '$note', paragraph: 'changed' },
    }),
    RUN_PARAGRAPH: sent(open({ id: z.string(), ...content }), {
      right: 'runner',
      embed: ['run', 'id'],
      sample: { id: '$paragraph', noteId: '$note', paragraph: 'changed' },
    }),
    /**
     * `paragraphs` is the JSON text of `[{id, title, paragraph, config, params}]`. The Tiding
     * server also accepts a list, or nothing.
     */
    RUN_ALL_PARAGRAPHS: sent(
      open({ noteId: z.string(), paragraphs: maybe(z.union([z.string(), z.array(jsonObject)])) }),
      {
        right: 'runner',
        embed: ['run', 'note'],
        verb: 'run all paragraphs',
        sample: { noteId: '$note' },
      },
    ),
    CANCEL_PARAGRAPH: sent(one, {
      right: 'runner',
      idempotent: true,
      embed: ['run', 'id'],
      sample: { id: '$paragraph', noteId: '$note' },
    }),
    INSERT_PARAGRAPH: sent(
      open({ index, noteId: maybe(z.string()), config: maybe(paragraphConfig) }),
      { right: 'writer', embed: ['edit', 'note'], sample: { index: 0, noteId: '$note' } },
    ),
    COPY_PARAGRAPH: sent(open({ index, ...content }), {
      right: 'writer',
      embed: ['edit', 'note'],
      sample: { index: 0, noteId: '$note', paragraph: 'copy' },
    }),
    MOVE_PARAGRAPH: sent(open({ id: z.string(), index, noteId: maybe(z.string()) }), {
      right: 'writer',
      idempotent: true,
      embed: ['edit', 'note'],
      sample: { id: '$paragraph', index: 1, noteId: '$note' },
    }),
    /**
     * Tiding: `rev` is the text that the sender saw. If the text has changed since, nothing is
     * removed.
     */
    PARAGRAPH_REMOVE: sent(
      open({ id: z.string(), noteId: maybe(z.string()), rev: maybe(z.number()) }),
      {
        right: 'writer',
        idempotent: true,
        embed: ['edit', 'note'],
        sample: { id: '$paragraph', noteId: '$note' },
      },
    ),
    PARAGRAPH_CLEAR_OUTPUT: sent(one, {
      right: 'writer',
      idempotent: true,
      embed: ['edit', 'id'],
      sample: { id: '$paragraph', noteId: '$note' },
    }),
    COMPLETION: sent(
      open({ id: z.string(), buf: z.string(), cursor: index, noteId: maybe(z.string()) }),
      {
        right: 'writer',
        idempotent: true,
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', buf: 'x', cursor: 1, noteId: '$note' },
      },
    ),
    /**
     * Tiding: asks for the documentation of the name at `cursor`, or of the function whose call
     * surrounds it. With `hover`, no process is started for the answer. Nothing is written.
     */
    TIDING_INSPECT: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        buf: z.string(),
        cursor: index,
        hover: maybe(z.boolean()),
      }),
      {
        right: 'writer',
        since: 'none',
        idempotent: true,
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', noteId: '$note', buf: 'x', cursor: 1 },
      },
    ),
    /** The fork reads `magic`, Zeppelin `paragraphText`; send both. */
    EDITOR_SETTING: sent(
      open({ paragraphId: z.string(), magic: maybe(z.string()), paragraphText: maybe(z.string()) }),
      {
        idempotent: true,
        embed: ['view', 'paragraphId'],
        sample: { paragraphId: '$paragraph', magic: 'sql' },
      },
    ),
    SAVE_NOTE_FORMS: sent(open({ noteId: z.string(), noteParams: jsonObject }), {
      right: 'writer',
      idempotent: true,
      embed: ['edit', 'note'],
      sample: { noteId: '$note', noteParams: {} },
    }),
    REMOVE_NOTE_FORMS: sent(open({ noteId: z.string(), formName: z.string() }), {
      right: 'writer',
      idempotent: true,
      embed: ['edit', 'note'],
      sample: { noteId: '$note', formName: 'f' },
    }),
    /**
     * Collaborative typing. `patch` is diff-match-patch text. Zeppelin applies it to its text; the
     * Tiding server applies it to the version `baseRev` and merges; `changes`, if they fit that
     * version, are used instead. Other clients that have the note open receive the change.
     */
    PATCH_PARAGRAPH: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        patch: z.string(),
        baseRev: content.baseRev,
        author: content.author,
        authorSeq: content.authorSeq,
        changes: content.changes,
      }),
      {
        right: 'writer',
        since: '0.9.0',
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', noteId: '$note', patch: '' },
      },
    ),
    /**
     * Tiding: types into the terminal that a paragraph runs. What is typed may be any command, so
     * this needs the right to change the paragraph. Without a terminal, answered with the
     * paragraph.
     */
    TIDING_TERMINAL_INPUT: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        input: z.string().check(z.maxLength(MAX_TERMINAL_INPUT)),
      }),
      {
        right: 'writer',
        since: 'none',
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', noteId: '$note', input: 'ls\n' },
      },
    ),
    /**
     * Tiding: sets the size of the terminal that a paragraph runs, in characters. Without a
     * terminal, answered with the paragraph.
     */
    TIDING_TERMINAL_SIZE: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        columns: z.number().check(z.int(), z.minimum(1), z.maximum(1_000)),
        rows: z.number().check(z.int(), z.minimum(1), z.maximum(1_000)),
      }),
      {
        right: 'writer',
        idempotent: true,
        since: 'none',
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', noteId: '$note', columns: 80, rows: 24 },
      },
    ),
    /**
     * Tiding: answers code that asks for input. `question` is the id in the data of the output of
     * type INPUT. If that question no longer waits, answered with the paragraph.
     */
    TIDING_ANSWER: sent(
      open({
        id: z.string(),
        noteId: z.string(),
        question: z.string(),
        answer: z.string().check(z.maxLength(MAX_ANSWER)),
      }),
      {
        right: 'runner',
        since: 'none',
        embed: ['run', 'id'],
        sample: { id: '$paragraph', noteId: '$note', question: 'q', answer: 'yes' },
      },
    ),
    /**
     * Shares the output of a spell, which runs in the page, with the others. Zeppelin 0.10 stores
     * the text but fails in any case: save the text with a commit there.
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
        params: maybe(jsonObject),
        dateStarted: maybe(z.string()),
        dateFinished: maybe(z.string()),
      }),
      {
        right: 'writer',
        until: '0.9.0',
        embed: ['edit', 'id'],
        sample: { id: '$paragraph', noteId: '$note' },
      },
    ),
  },
  received: {
    /**
     * The whole paragraph, which replaces the client's state. On the fork it can be incomplete
     * right after creation.
     */
    PARAGRAPH: received(open({ paragraph }), { embed: ['results', 'paragraph'] }),
    PARAGRAPH_ADDED: received(open({ paragraph, index: z.number() }), {
      embed: ['results', 'newParagraph'],
    }),
    PARAGRAPH_MOVED: received(open({ id: z.string(), index: z.number() }), {
      embed: ['results', 'note'],
    }),
    PARAGRAPH_REMOVED: received(open({ id: z.string() }), { embed: ['results', 'id'] }),
    /** Replaces output `index`. Sent with empty data when an output starts. */
    PARAGRAPH_UPDATE_OUTPUT: received(
      open({
        noteId: maybe(z.string()),
        paragraphId: z.string(),
        index: maybe(z.number()),
        type: maybe(z.string()),
        data: maybe(z.string()),
      }),
      { embed: ['results', 'paragraphId'] },
    ),
    /**
     * Appends to output `index`. TEXT, TABLE and TERMINAL only. Tiding: `storedRows` says that the
     * run still stores all rows of this table, how many so far; `data` is then empty.
     */
    PARAGRAPH_APPEND_OUTPUT: received(
      open({
        noteId: maybe(z.string()),
        paragraphId: z.string(),
        index: maybe(z.number()),
        data: maybe(z.string()),
        storedRows: maybe(z.number()),
      }),
      { embed: ['results', 'paragraphId'] },
    ),
    /** Progress in percent, every 500 ms while the paragraph is RUNNING. */
    PROGRESS: received(open({ id: z.string(), progress: z.number() }), {
      embed: ['results', 'id'],
    }),
    PARAS_INFO: received(open({ id: z.string(), infos: maybe(jsonObject) }), {
      embed: ['view', 'id'],
    }),
    COMPLETION_LIST: received(
      open({ id: maybe(z.string()), completions: maybe(z.array(completion)) }),
      { embed: ['view', 'id'] },
    ),
    /** Tiding: the documentation as plain text; without `text` there is none. */
    TIDING_INSPECTION: received(open({ id: z.string(), text: maybe(z.string()) }), {
      embed: ['view', 'id'],
    }),
    EDITOR_SETTING: received(
      open({ paragraphId: maybe(z.string()), editor: maybe(editorSetting) }),
      { embed: ['view', 'paragraphId'] },
    ),
    SAVE_NOTE_FORMS: received(
      open({
        formsData: open({ params: maybe(jsonObject), forms: maybe(z.record(z.string(), form)) }),
      }),
      { embed: ['view', 'note'] },
    ),
    /**
     * Tiding: the server no longer remembers the commit's base. Nothing was written; `text` is the
     * server's text, which the client merges with its own.
     */
    PARAGRAPH_CONFLICT: received(
      open({
        id: z.string(),
        noteId: z.string(),
        rev: z.number(),
        text: z.string(),
        baseText: maybe(z.string()),
      }),
      { embed: ['view', 'id'] },
    ),
    /**
     * Zeppelin's collaborative mode: a change by another user. The Tiding server adds the `rev` and
     * the checksum of the resulting text, and the change as data. It also sends the sender the
     * difference between their text and the result (an empty patch if there is none).
     */
    PATCH_PARAGRAPH: received(
      open({
        paragraphId: z.string(),
        patch: z.string(),
        rev: maybe(z.number()),
        checksum: maybe(z.string()),
        author: maybe(z.string()),
        changes: maybe(textChange),
      }),
      { embed: ['view', 'paragraphId'] },
    ),
    RUN_PARAGRAPH_USING_SPELL: received(open({ paragraph }), { embed: ['view', 'paragraph'] }),
  },
};
