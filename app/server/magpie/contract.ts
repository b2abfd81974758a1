/**
 * What the parts of `%magpie` agree on: the engine that computes, and the errors that a statement ends with.
 *
 * `language/` reads text into statements, `catalogue/` keeps what exists and who may do what, `statements/` carries statements out,
 * `analysis/` computes profiles, relationships and validations with SQL, `jobs/` runs tasks after one another and keeps what came of it.
 */

/** A column of an answer; `type` is the engine's name of it: `VARCHAR`, `DECIMAL(9,2)`, `TIMESTAMP WITH TIME ZONE`. */
export interface AnswerColumn {
  readonly name: string;
  readonly type: string;
}

/** A value of an answer. Whole numbers beyond 2^53 are `bigint`; dates, times, decimals and nested values are text as the engine writes them. */
export type AnswerValue = null | boolean | number | bigint | string;

/** What a query answers, at once in memory: for metadata and aggregates, not for data. */
export interface Answer {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly AnswerValue[])[];
}

/** The engine as one session sees it. */
export interface Engine {
  /** Runs one statement of SQL. Rejects with {@link ExecutionError} and the engine's words, or with the signal's reason. */
  query(sql: string, signal?: AbortSignal): Promise<Answer>;
}

/** Where in a script something is wrong; both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A statement that ended in an error: the state is as it was before it. `code` is the event type that the platform names. */
export class StatementError extends Error {
  readonly code: 'MetadataError' | 'ExecutionError' | 'ParseError';
  readonly place: Place | undefined;

  constructor(code: StatementError['code'], message: string, place?: Place) {
    super(message);
    this.name = code;
    this.code = code;
    this.place = place;
  }
}

/** An unknown or forbidden object, or a definition that does not hold. */
export class MetadataError extends StatementError {
  constructor(message: string, place?: Place) {
    super('MetadataError', message, place);
  }
}

/** The engine, a task or a file failed. */
export class ExecutionError extends StatementError {
  constructor(message: string, place?: Place) {
    super('ExecutionError', message, place);
  }
}
