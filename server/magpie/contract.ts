/**
 * Types shared by all parts of `%magpie`: the engine that runs SQL, and the errors that
 * statements throw.
 *
 * `language/` parses text into statements. `catalogue/` stores objects and permissions.
 * `statements/` executes statements. `analysis/` computes profiles, relationships and
 * validations with SQL. `jobs/` runs tasks in order and stores the results.
 */

import type { QueryResult } from '../interpreters/sql/engine/query-result.ts';

export interface Engine {
  /**
   * Runs one SQL statement. Rejects with {@link ExecutionError} and the engine's message, or with
   * the signal's reason.
   */
  query(sql: string, signal?: AbortSignal): Promise<QueryResult>;
}

/** Location of an error in a script. Line and column start at 1. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/** The part of a statement that an error is about. Its location is looked up in the script. */
export interface ErrorSubject {
  /** A qualified name, and the type of the object that it should name. */
  readonly name?: {
    readonly ref: readonly string[];
    /** Index of the wrong part. The default is the last part. */
    readonly part?: number;
    readonly type?: string;
  };
  /** Path of a member of a body. */
  readonly member?: readonly string[];
  /** SQL that contains text of the statement, and an offset in it. */
  readonly sql?: { readonly text: string; readonly offset?: number | undefined };
}

/** The subject of an error about a name. */
export const wrongName = (type: string, ...ref: readonly string[]): ErrorSubject => ({
  name: { ref, type },
});

/**
 * A statement failed. The state is the same as before it. `code` is an event type of the job logs.
 */
export class StatementError extends Error {
  readonly code: 'MetadataError' | 'ExecutionError' | 'ParseError';
  readonly location: SourceLocation | undefined;
  readonly subject: ErrorSubject | undefined;

  constructor(
    code: StatementError['code'],
    message: string,
    location?: SourceLocation,
    subject?: ErrorSubject,
  ) {
    super(message);
    this.name = code;
    this.code = code;
    this.location = location;
    this.subject = subject;
  }
}

/** An object is unknown or forbidden, or a definition is invalid. */
export class MetadataError extends StatementError {
  constructor(message: string, subject?: ErrorSubject) {
    super('MetadataError', message, undefined, subject);
  }
}

/** The engine, a task or a file failed. */
export class ExecutionError extends StatementError {
  constructor(message: string, subject?: ErrorSubject) {
    super('ExecutionError', message, undefined, subject);
  }
}
