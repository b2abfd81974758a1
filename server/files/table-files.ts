/**
 * Turns workbooks and databases of users into Parquet files, which every interpreter reads. They
 * are read in a separate process, because a file may be damaged or made to overload its reader.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../base/errors.ts';
import { timeText } from '../base/limits.ts';
import { Turns } from '../base/turns.ts';
import type { ReadTables, ReadTablesAnswer } from '../interpreters/sql/engine/messages.ts';
import { EngineEnded, EngineProcess } from '../interpreters/sql/engine/process.ts';

/** Memory of a process. */
const PROCESS_BYTES = 1_536 * 2 ** 20;
/** Time limit for a file, in ms. */
const LIMIT_MS = 300_000;

interface TableFilesOptions {
  /** Working folder of the processes. */
  readonly folder: string;
  /** Maximum size of an unpacked file, and of its values, in bytes. */
  readonly bytes: number;
  /** Time limit for a file, in ms. */
  readonly limitMs?: number;
}

/** Options of a reading. */
interface ReadOptions {
  /** What to use instead of guesses, by name. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** Reads one table and makes no file. */
  readonly preview?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Who asks; the askers take turns. */
  readonly asker?: string;
}

export class TableFiles {
  readonly #options: TableFilesOptions;
  readonly #turns = new Turns();
  /** The process ends by itself when it is unused. */
  #engine: EngineProcess | undefined;

  constructor(options: TableFilesOptions) {
    this.#options = options;
  }

  /**
   * Finds out how to read a file. Each sheet of a workbook and table of a database becomes a
   * Parquet file beside it. Throws 400 with a reason if the
   * file can't be read. `signal` ends the work.
   */
  read(file: string, options: ReadOptions = {}): Promise<ReadTables> {
    return this.#turns.take(options.asker ?? '', () => this.#read(file, options));
  }

  async #read(
    file: string,
    { signal, choices = {}, preview = false }: ReadOptions,
  ): Promise<ReadTables> {
    signal?.throwIfAborted();
    const { folder, bytes, limitMs = LIMIT_MS } = this.#options;
    const name = basename(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!this.#engine || this.#engine.isOver) {
      await this.#engine?.gone;
      this.#engine = await EngineProcess.start(folder, () => PROCESS_BYTES);
    }
    const engine = this.#engine;
    // Removed even if the process is killed. The name is that of an upload, which lists omit.
    const temporary = await mkdtemp(join(dirname(file), '.upload-'));
    const late = AbortSignal.timeout(limitMs);
    try {
      const answer = (await engine.call(
        {
          ...{ call: 'readTables', file, folder: temporary, bytes, choices, preview },
          processBytes: PROCESS_BYTES,
        },
        { signal: signal ? AbortSignal.any([signal, late]) : late },
      )) as ReadTablesAnswer;
      if (!('problem' in answer)) return answer;
      throw new Refusal(400, `${name} ${answer.problem}`);
    } catch (error) {
      if (signal?.aborted || error instanceof Refusal) throw error;
      if (late.aborted)
        throw new Refusal(
          400,
          `${name} takes longer than ${timeText(limitMs)} to read. ` +
            'Save the part that you need as CSV.',
        );
      if (error instanceof EngineEnded && /memory/.test(error.message))
        throw new Refusal(
          400,
          `${name} needs more memory than the ${PROCESS_BYTES / 2 ** 20} MB that the server ` +
            'allows for a file. Save the part that you need as CSV.',
        );
      throw new Refusal(400, `${name} can't be read: ${(error as Error).message}`);
    } finally {
      if (engine.isOver) await engine.gone;
      await rm(temporary, { recursive: true, force: true });
    }
  }
}
