/** A statement of PostgreSQL, whose rows are read in batches in the extended query protocol. */
import type { Connection, FieldDef, Submittable } from 'pg';
import type { StatementResult } from '../driver.ts';
import type { TextColumn, TextRow } from '../text-columns.ts';
import { kindOf } from './types.ts';

/** Methods of `pg` that its published types lack. */
type PgConnection = Connection & { sendCopyFail(message: string): void };

interface Waiting {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * It is given to `Client.query`, which calls its `handle…` methods. `pg-cursor` is not used because
 * it never answers if the commit of a statement fails, and throws on COPY.
 */
export class PgStatement implements Submittable, StatementResult {
  readonly #text: string;
  readonly #enumerations: ReadonlyMap<number, readonly string[]>;
  #connection: PgConnection | undefined;
  #waiting: Waiting | undefined;
  #rows: TextRow[] = [];
  #error: unknown;
  #isOver = false;
  /** Whether the end of the statement was requested, which the server confirms. */
  #isSynced = false;
  columns: readonly TextColumn[] | undefined;
  summary = '';

  constructor(text: string, enumerations: ReadonlyMap<number, readonly string[]>) {
    this.#text = text;
    this.#enumerations = enumerations;
  }

  /** Resolves when the columns are known or, if there are none, at the end of the statement. */
  async opened(): Promise<this> {
    await this.#wait();
    if (!this.columns) await this.read(0);
    return this;
  }

  async read(count: number): Promise<readonly TextRow[]> {
    if (!this.#isOver) {
      this.#connection!.execute({ portal: '', rows: String(count) }, true);
      this.#connection!.flush();
    }
    await this.#wait();
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#connection!.close({ type: 'P', name: '' }, true);
    this.#sync();
    await this.#wait();
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#isOver) this.#settle();
    });
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#error === undefined) waiting?.resolve();
    else waiting?.reject(this.#error);
  }

  #end(): void {
    this.#isOver = true;
    this.#settle();
  }

  #sync(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#connection!.sync();
  }

  submit(connection: Connection): void {
    this.#connection = connection as PgConnection;
    connection.parse({ text: this.#text, name: '', types: [] }, true);
    connection.bind({ portal: '', statement: '', values: [] } as never, true);
    connection.describe({ type: 'P', name: '' }, true);
    connection.flush();
    const described = (): void => {
      connection.off('noData', described);
      connection.off('rowDescription', described);
      connection.off('errorMessage', described);
      if (this.#error === undefined) this.#settle();
    };
    connection.on('noData', described);
    connection.on('rowDescription', described);
    connection.on('errorMessage', described);
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.columns = fields.map((field) => ({
      name: field.name,
      kind: kindOf(field),
      order: this.#enumerations.get(field.dataTypeID),
    }));
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#rows.push(fields);
  }

  handlePortalSuspended(): void {
    this.#settle();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.summary = text;
    this.#sync();
  }

  handleEmptyQuery(): void {
    this.#sync();
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  /** An error of the server is followed by `readyForQuery`, with the state of the transaction. */
  handleError(error: Error): void {
    if (this.#isOver) return;
    this.#error = error;
    const connection = this.#connection;
    if (!('severity' in error) || !connection) return this.#end();
    const end = (): void => {
      connection.off('readyForQuery', end);
      connection.off('end', end);
      this.#end();
    };
    connection.on('readyForQuery', end);
    connection.on('end', end);
    this.#sync();
  }

  handleCopyInResponse(connection: PgConnection): void {
    connection.sendCopyFail('This client sends no data.');
  }

  handleCopyData(): void {}
}
