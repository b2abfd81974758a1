/** Files of dropped folders. */

/** Maximum number of files that are taken from dropped folders. */
export const MAX_FOLDER_FILES = 200;
/** Maximum number of files and folders that are looked at. */
const MAX_ENTRIES = 5_000;

/** Paths of files of a folder that are not taken. */
export interface LeftOutFiles {
  /** Files of unsupported types, and those that can't be read. */
  readonly unknown: readonly string[];
  /** Files and folders after the limit. Those inside of such a folder are not listed. */
  readonly beyond: readonly string[];
}

export interface FolderFiles extends LeftOutFiles {
  readonly files: readonly File[];
}

const paths = new WeakMap<File, string>();

/** Returns the path of a file below the dropped folder, or its name if there is no folder. */
export const pathInDrop = (file: File): string => paths.get(file) ?? file.name;

const childrenOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // Browsers return at most 100 entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    all.push(...some);
  }
  return all.sort((one, other) => one.name.localeCompare(other.name));
};

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/**
 * Reads dropped files and the files of dropped folders, in order of their names, without hidden
 * ones. Files that were dropped beside a folder are always taken.
 *
 * @param takes whether a file in a folder is taken, by its name
 */
export async function readDropped(
  entries: readonly FileSystemEntry[],
  takes: (name: string) => boolean,
): Promise<FolderFiles> {
  const files: File[] = [];
  const unknown: string[] = [];
  const beyond: string[] = [];
  let seen = 0;
  const visit = async (entry: FileSystemEntry, folder: string | undefined): Promise<void> => {
    if (folder !== undefined && entry.name.startsWith('.')) return;
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    seen += 1;
    if (files.length >= MAX_FOLDER_FILES || seen > MAX_ENTRIES) return void beyond.push(path);
    try {
      if (entry.isDirectory) {
        // The name of the dropped folder is not part of the paths.
        const inside = folder === undefined ? '' : path;
        for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
          await visit(child, inside);
      } else if (folder !== undefined && !takes(entry.name)) unknown.push(path);
      else {
        const file = await fileOf(entry as FileSystemFileEntry);
        paths.set(file, path);
        files.push(file);
      }
    } catch {
      unknown.push(path);
    }
  };
  for (const entry of entries) await visit(entry, undefined);
  return { files, unknown, beyond };
}
