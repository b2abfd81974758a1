/** Answers requests that `z` in a Python kernel sends to the server. */

import { rm } from 'node:fs/promises';
import { jsonObjectOf } from '@tiding/client/model';
import type { InterpreterHost, KeptTable, Run, TableExchange, TableKeeper } from '../contract.ts';
import { textOf } from '../kernels/jupyter-messages.ts';
import { MAX_ARROW_CELLS } from '../sql/engine/messages.ts';
import { quoteName } from '../sql/script.ts';
import { requestPrefix } from './bootstrap.ts';

/** Serves one kernel. It accepts only file paths that it issued itself. */
export class PythonTables {
  readonly #tables: TableExchange;
  readonly #credential: InterpreterHost['credential'];
  readonly #issued = new Set<string>();

  constructor(tables: TableExchange, credential: InterpreterHost['credential']) {
    this.#tables = tables;
    this.#credential = credential;
  }

  /**
   * Returns the answer to a prompt; undefined if the prompt is not a request of `z`. It never
   * rejects.
   */
  async answer(
    prompt: string,
    signal: AbortSignal,
    run: Pick<Run, 'keep' | 'request'> = {},
  ): Promise<string | undefined> {
    if (!prompt.startsWith(requestPrefix)) return undefined;
    try {
      const request = jsonObjectOf(JSON.parse(prompt.slice(requestPrefix.length)));
      return JSON.stringify({ value: await this.#serve(request, signal, run) });
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  async #serve(
    request: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    { keep, request: ask }: Pick<Run, 'keep' | 'request'>,
  ): Promise<unknown> {
    const name = textOf(request['name']);
    switch (request['operation']) {
      case 'credential': {
        const { username, password } = this.#credential(textOf(request['entity']));
        return { username, password };
      }
      case 'ask': {
        const method = textOf(request['method']);
        if (!ask) throw new Error(`z.${method}: not available outside a note.`);
        return ask(method, jsonObjectOf(request['values']));
      }
      case 'keep':
        if (!keep) throw new Error('Complete tables are not stored here.');
        return { file: this.#issueFile(), ...keep.limits, cells: MAX_ARROW_CELLS };
      case 'table':
        if (name === '') throw new Error('z.table needs the name of a table.');
        // A dot separates schema and table. Any other unusual name is quoted as a whole.
        return this.#tables.exportTable(
          /^[A-Za-z_]\w*(\.[A-Za-z_]\w*){0,2}$/.test(name) ? name : quoteName(name),
          signal,
        );
      case 'sql':
        return this.#tables.exportTable(textOf(request['query']), signal);
      case 'file':
        return this.#issueFile();
      case 'put': {
        const file = textOf(request['file']);
        if (!this.#issued.delete(file)) throw new Error('Unknown file.');
        return this.#tables.importTable(name, file, signal);
      }
      default:
        throw new Error('Unknown request.');
    }
  }

  #issueFile(): string {
    const file = this.#tables.newFile();
    this.#issued.add(file);
    return file;
  }

  /** Returns the table in an issued file, or undefined for any other file. */
  adopt(file: string, keep: TableKeeper | undefined): KeptTable | undefined {
    return keep && this.#issued.delete(file) ? keep.adopt(file) : undefined;
  }

  /** Deletes issued files that were not returned. */
  async clear(): Promise<void> {
    await Promise.all([...this.#issued].map((file) => rm(file, { force: true })));
    this.#issued.clear();
  }
}
