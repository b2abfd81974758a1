/** Exported results: files that statements make for download, each under an id that nobody guesses. */
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder, readJson, writeDurably } from '../files.ts';

/** What is known of an export. */
export interface ExportInfo {
  readonly resultId: string;
  readonly format: 'DelimitedText' | 'JSON';
  /** ISO 8601 UTC. */
  readonly createTimestamp: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly query: string;
  /** Who made it, and on which note. */
  readonly userName: string;
  readonly noteId: string;
}

const idShape = /^[0-9a-f]{24}$/;
/** How long an export is kept, in ms. */
const KEPT_MS = 30 * 24 * 3_600_000;
const endings = { DelimitedText: 'csv', JSON: 'json' } as const;

/** See the head of this file. */
export class ExportStore {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens the store in a folder; what is older than thirty days, and what no export belongs to, goes. */
  static async open(folder: string): Promise<ExportStore> {
    const made = new ExportStore(await privateFolder(folder));
    const names = await readdir(made.folder);
    for (const name of names) {
      const file = join(made.folder, name);
      const { mtimeMs } = await stat(file);
      if (
        Date.now() - mtimeMs > KEPT_MS ||
        (!name.endsWith('.info') && !names.includes(`${name.split('.')[0]}.info`))
      )
        await rm(file, { force: true });
    }
    return made;
  }

  /** Makes an export: `write` writes the file, and says how many rows it has. */
  async create(
    given: Pick<ExportInfo, 'format' | 'query' | 'userName' | 'noteId'>,
    write: (file: string) => Promise<number>,
  ): Promise<ExportInfo> {
    const resultId = randomBytes(12).toString('hex');
    const file = this.#fileOf(resultId, given.format);
    try {
      const rowCount = await write(file);
      const info: ExportInfo = {
        resultId,
        format: given.format,
        createTimestamp: new Date().toISOString(),
        rowCount,
        sizeBytes: (await stat(file)).size,
        query: given.query,
        userName: given.userName,
        noteId: given.noteId,
      };
      await writeDurably(join(this.folder, `${resultId}.info`), JSON.stringify(info));
      return info;
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  /** A file name of the folder for what is read once. */
  temporary(ending: string): string {
    return join(this.folder, `${randomBytes(12).toString('hex')}.${ending}`);
  }

  /** Whether an id may be one of this store. */
  owns(resultId: string): boolean {
    return idShape.test(resultId);
  }

  /** An export and its file; undefined where there is none, or none any more. */
  async find(
    resultId: string,
  ): Promise<{ readonly info: ExportInfo; readonly file: string } | undefined> {
    if (!this.owns(resultId)) return undefined;
    const info = (await readJson(join(this.folder, `${resultId}.info`))) as ExportInfo | undefined;
    return info && { info, file: this.#fileOf(resultId, info.format) };
  }

  #fileOf(resultId: string, format: ExportInfo['format']): string {
    return join(this.folder, `${resultId}.${endings[format]}`);
  }
}
