/** Exported results: files that users can download, each under an unguessable id. */
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder, readJsonFile, writeDurably } from '../storage/files.ts';

/** Metadata of an export. */
export interface ExportInfo {
  readonly resultId: string;
  readonly format: 'DelimitedText' | 'JSON' | 'Parquet';
  /** ISO 8601 UTC. */
  readonly createTimestamp: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly query: string;
  /** User who made the export, and the note it was made on. */
  readonly userName: string;
  readonly noteId: string;
}

const idShape = /^[0-9a-f]{24}$/;
/** Retention time of exports, in ms. */
const RETENTION_MS = 30 * 24 * 3_600_000;
const endings = { DelimitedText: 'csv', JSON: 'json', Parquet: 'parquet' } as const;

/** Stores exported files and their metadata in a folder. */
export class ExportStore {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens the store in a folder. Deletes files older than 30 days and files without metadata. */
  static async open(folder: string): Promise<ExportStore> {
    const made = new ExportStore(await privateFolder(folder));
    const names = await readdir(made.folder);
    for (const name of names) {
      const file = join(made.folder, name);
      const { mtimeMs } = await stat(file);
      if (
        Date.now() - mtimeMs > RETENTION_MS ||
        (!name.endsWith('.info') && !names.includes(`${name.split('.')[0]}.info`))
      )
        await rm(file, { force: true });
    }
    return made;
  }

  /** Creates an export. `write` writes the file and returns its number of rows. */
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

  /** Path of a new file for temporary data. */
  temporary(ending: string): string {
    return join(this.folder, `${randomBytes(12).toString('hex')}.${ending}`);
  }

  /** Whether an id has the format of this store's ids. */
  owns(resultId: string): boolean {
    return idShape.test(resultId);
  }

  /** An export and its file. Undefined if it does not exist or has expired. */
  async find(
    resultId: string,
  ): Promise<{ readonly info: ExportInfo; readonly file: string } | undefined> {
    if (!this.owns(resultId)) return undefined;
    const info = (await readJsonFile(join(this.folder, `${resultId}.info`))) as
      | ExportInfo
      | undefined;
    return info && { info, file: this.#fileOf(resultId, info.format) };
  }

  #fileOf(resultId: string, format: ExportInfo['format']): string {
    return join(this.folder, `${resultId}.${endings[format]}`);
  }
}
