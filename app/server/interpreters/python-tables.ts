/** Answers what `z` in a Python kernel asks of the server. */
import { rm } from 'node:fs/promises';
import type { InterpreterHost, KeptTable, Run, TableExchange, TableKeeper } from './contract.ts';
import { objectOf, textOf } from './jupyter-wire.ts';
import { requestPrefix } from './python-bootstrap.ts';
import { quoteName } from './sql-script.ts';

/** Serves one kernel. Paths in requests are only believed when this gave them out. */
export class PythonTables {
  readonly #tables: TableExchange;
  readonly #credential: InterpreterHost['credential'];
  readonly #given = new Set<string>();

  constructor(tables: TableExchange, credential: InterpreterHost['credential']) {
    this.#tables = tables;
    this.#credential = credential;
  }

  /** The answer to a prompt, as text. Never rejects; a prompt that is no request of `z` gets an empty line. */
  async answer(
    prompt: string,
    signal: AbortSignal,
    { keep, request: ask }: Pick<Run, 'keep' | 'request'> = {},
  ): Promise<string> {
    if (!prompt.startsWith(requestPrefix)) return '';
    try {
      const request = objectOf(JSON.parse(prompt.slice(requestPrefix.length)));
      if (request['operation'] === 'credential') {
        const { username, password } = this.#credential(textOf(request['entity']));
        return JSON.stringify({ value: { username, password } });
      }
      if (request['operation'] === 'ask') {
        const method = textOf(request['method']);
        if (!ask) throw new Error(`z.${method}: there is no note here.`);
        return JSON.stringify({ value: await ask(method, objectOf(request['values'])) });
      }
      if (request['operation'] === 'keep') {
        if (!keep) throw new Error('Whole tables are not kept here.');
        return JSON.stringify({ value: { file: this.#give(), ...keep.limits } });
      }
      return JSON.stringify({ file: await this.#serve(request, signal) });
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  async #serve(
    request: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const name = textOf(request['name']);
    switch (request['operation']) {
      case 'table':
        if (name === '') throw new Error('z.table wants the name of a table.');
        // A dot separates schema and table; any other unusual name is one quoted name.
        return this.#tables.exportTable(
          /^[A-Za-z_]\w*(\.[A-Za-z_]\w*){0,2}$/.test(name) ? name : quoteName(name),
          signal,
        );
      case 'sql':
        return this.#tables.exportTable(textOf(request['query']), signal);
      case 'file':
        return this.#give();
      case 'put': {
        const file = textOf(request['file']);
        if (!this.#given.delete(file)) throw new Error('Unknown file.');
        await this.#tables.importTable(name, file, signal);
        return null;
      }
      default:
        throw new Error('Unknown request.');
    }
  }

  #give(): string {
    const file = this.#tables.newFile();
    this.#given.add(file);
    return file;
  }

  /** The whole table in a file that was given out for one; undefined for any other. */
  adopt(file: string, keep: TableKeeper | undefined): KeptTable | undefined {
    return keep && this.#given.delete(file) ? keep.adopt(file) : undefined;
  }

  /** Removes files that were given out and never handed back. */
  async clear(): Promise<void> {
    await Promise.all([...this.#given].map((file) => rm(file, { force: true })));
    this.#given.clear();
  }
}
