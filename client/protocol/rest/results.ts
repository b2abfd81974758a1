/** Results, catalogue objects and data files. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import { resultQuery } from './result-query.ts';
import { nothing, text } from './schemas.ts';

/**
 * The format by name, and the range of rows: `offset` is the first row, `limit` the maximum number.
 * `previous` reads the table that a run in progress will replace; without it, the answer is 423.
 */
const resultRange = open({
  format: z.optional(text),
  offset: z.optional(z.number()),
  limit: z.optional(z.number()),
  previous: z.optional(z.boolean()),
});

/** REST calls for results, catalogue objects and files. */
export const resultEndpoints = {
  /**
   * Tiding extensions: `format` (csv, json, arrow, parquet), `offset` and `limit` in rows, and
   * `previous`.
   */
  checkResult: endpoint('HEAD', '/magpie/result/:resultId', {
    query: resultRange,
    content: 'raw',
    embed: ['results', 'resultId'],
  }),
  getResult: endpoint('GET', '/magpie/result/:resultId', {
    query: resultRange,
    content: 'raw',
    embed: ['results', 'resultId'],
    audit: 'export',
  }),
  /**
   * Tiding: rows, matches, summaries and aggregates of a stored table, as an Arrow stream. Answers
   * 409 if the table is small: the client has all of its rows.
   */
  queryResult: endpoint('POST', '/magpie/result/:resultId/query', {
    since: 'none',
    body: resultQuery,
    content: 'raw',
    embed: ['results', 'resultId'],
  }),
  /**
   * Tiding: an object of the catalogue as the payload of its widget. `name` is dotted, as in
   * `core.trips`.
   */
  getObject: endpoint('GET', '/magpie/object/:widget/:name', {
    since: 'none',
    answer: open({ widget: text, version: maybe(z.number()), data: jsonObject }),
  }),
  /**
   * Tiding: stores a data file (base64) of the note `noteId`, of everybody (`shared`), or else of
   * the caller. The name in the answer's `path` differs if it was taken. A large file is sent in
   * pieces: all but the last have `more`, and all but the first the `upload` of the answer before,
   * with the bytes sent so far as `at`. The file appears with the last piece.
   */
  putFile: endpoint('PUT', '/magpie/file/:name', {
    since: 'none',
    body: open({
      data: text,
      noteId: z.optional(text),
      shared: z.optional(z.boolean()),
      more: z.optional(z.boolean()),
      upload: z.optional(text),
      at: z.optional(z.number().check(z.int(), z.gte(0))),
    }),
    answer: open({ path: text, size: z.number(), upload: maybe(text) }),
    audit: 'file-put',
  }),
  /** Tiding: the files of the note `noteId`, of everybody (`shared`), or else of the caller. */
  listFiles: endpoint('GET', '/magpie/file', {
    since: 'none',
    query: open({ noteId: z.optional(text), shared: z.optional(z.boolean()) }),
    answer: z.array(open({ path: text, size: z.number(), modified: text })),
  }),
  /**
   * Tiding: gives a data file another name in its folder, or with `shared` moves it to the files
   * that everybody who is signed in reads and writes. `path` begins with the owner, as in the
   * answer of `listFiles`. 409 if the name is taken.
   */
  renameFile: endpoint('PUT', '/magpie/file', {
    since: 'none',
    body: open({ path: text, name: text, shared: z.optional(z.boolean()) }),
    answer: open({ path: text }),
    audit: 'file-renamed',
  }),
  /**
   * Tiding: finds out how to read a CSV, TSV, JSON or Parquet file, Excel workbook or SQLite
   * database. Sheets and tables become Parquet files beside it, and a text in another encoding gets
   * a copy in UTF-8. A file that an earlier call made is replaced, others never. `path` begins with
   * the owner, as in the answer of `listFiles`; so do those in the answer. The engine reads a table
   * with `reader`, its `options`, and SQL of the columns that must be `converted`. `skipped` lists
   * what was left out, and why; `remarks` says what was found. `guesses` has each guess for the
   * first table with the values that `choices` of another call can set instead, by name; no values
   * mean any text. `preview` in the body makes no file and reads one table only. In the answer it
   * has the first rows. 400 if the file can't be read.
   */
  readTables: endpoint('POST', '/magpie/file/tables', {
    since: 'none',
    body: open({
      path: text,
      choices: z.optional(z.record(text, text)),
      preview: z.optional(z.boolean()),
    }),
    answer: open({
      tables: z.array(
        open({
          name: text,
          path: text,
          rows: z.number(),
          columns: z.number(),
          reader: text,
          options: z.array(text),
          converted: z.array(text),
        }),
      ),
      skipped: z.array(open({ name: text, reason: text })),
      remarks: z.array(text),
      guesses: z.array(open({ name: text, value: text, values: z.array(text) })),
      preview: open({ columns: z.array(text), rows: z.array(z.array(z.nullable(text))) }),
    }),
    audit: 'file-tables-read',
  }),
  /** Tiding: removes a data file. `path` begins with the owner, as in the answer of `listFiles`. */
  removeFile: endpoint('DELETE', '/magpie/file', {
    since: 'none',
    query: open({ path: text }),
    answer: nothing,
    audit: 'file-removed',
  }),
  /**
   * Tiding: an image of a note (PNG, JPEG, GIF, WebP, or SVG without scripts). Embed tokens get
   * those that the results they show contain.
   */
  getNoteImage: endpoint('GET', '/magpie/image/:noteId/:name', {
    since: 'none',
    right: 'reader',
    content: 'raw',
    embed: ['results', 'any'],
  }),
  /**
   * Tiding: what elements show of paragraphs to a page that may only read, before they load the
   * code of their view: `{path, sheets, views}`. A view is `{revision, css, body}`, with its markup
   * as data and the index of its style sheet. Without a `revision` the element loads the code at
   * once; `revision` alone means that nothing has changed since the given one.
   * Everybody who may read the note may ask for the look `data` of up to eight paragraphs: it has
   * `{revision, status, outputs}` instead of markup. An output has `type` and `data`; a table has
   * `total`, `isQueried` (its rows stay on the server) and its first `rows` as JSON: at most 10,000
   * or about a megabyte. A running paragraph has no outputs.
   */
  getFirstViews: endpoint('POST', '/magpie/first-views/:noteId', {
    since: 'none',
    right: 'reader',
    body: open({
      views: z
        .array(
          open({ paragraphId: text, look: text, width: z.number(), revision: z.optional(text) }),
        )
        .check(z.maxLength(100)),
    }),
    content: 'raw',
    embed: ['results', 'any'],
  }),
  getFile: endpoint('POST', '/magpie/file', {
    content: 'raw',
    body: open({ file: open({ path: text }) }),
    audit: 'export',
  }),
};
