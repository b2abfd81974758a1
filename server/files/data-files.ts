/**
 * The users' data files, in the folder `files`. A file belongs to a note (`notes/ID`), to a user
 * (`users/NAME`), or to everybody who is signed in (`shared`). This module decides which files a
 * process or a caller reaches.
 */
import { cp, lstat, readdir, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { succeeds } from '../base/succeeds.ts';
import type { Logger } from '../logging/log.ts';
import { privateFolder } from '../storage/files.ts';

/** The only note or user that a process serves, as far as there is one. */
export interface FileScope {
  readonly noteId?: string | undefined;
  /** The user whose code alone runs in the process. */
  readonly principal?: string | undefined;
}

const OWNERS = ['notes', 'users', 'shared'];
/** Maximum number of links to shared files in the folder of a note or user. */
const MAX_LINKS = 1_000;

/** Resolves data files and their owners. */
export class DataFiles {
  readonly #root: string;
  /** The folder that everybody who is signed in reads and writes. */
  readonly shared: string;

  constructor(data: string) {
    this.#root = join(data, 'files');
    this.shared = join(this.#root, 'shared');
  }

  /**
   * Creates the folders. Files of older versions, and files that an administrator copied into
   * `files`, are moved to `files/shared`. A link stays behind, because views contain their paths.
   */
  static async open(data: string, log: Logger): Promise<DataFiles> {
    const files = new DataFiles(data);
    const root = await privateFolder(files.#root);
    if (!(await exists(files.shared))) {
      // In an older folder, these names are ordinary ones.
      const fresh = await privateFolder(join(root, '.shared'));
      for (const name of ['notes', 'users'])
        if (await exists(join(root, name))) await rename(join(root, name), join(fresh, name));
      await rename(fresh, files.shared);
    }
    for (const name of OWNERS) await privateFolder(join(root, name));
    for (const name of await readdir(root))
      if (!OWNERS.includes(name)) await files.#share(name, log);
    return files;
  }

  async #share(name: string, log: Logger): Promise<void> {
    const [from, to] = [join(this.#root, name), join(this.shared, name)];
    const target = await readlink(from).catch(() => undefined);
    if (target === join('shared', name)) return;
    if (await exists(to)) {
      log.warn({ file: name }, 'a file could not be moved to files/shared: the name is taken');
      return;
    }
    if (target === undefined) await rename(from, to);
    else {
      await symlink(resolve(this.#root, target), to);
      await unlink(from);
    }
    await link(join('shared', name), from);
  }

  /** The folder of a note. It exists once there is a file in it. */
  ofNote(noteId: string): string {
    return join(this.#root, 'notes', nameOf(noteId));
  }

  /** The folder of a user. It exists once there is a file in it. */
  ofUser(principal: string): string {
    return join(this.#root, 'users', nameOf(principal));
  }

  /**
   * Returns the folders that a process may use, in the order in which a relative name is looked up.
   * New files are created in the first one.
   */
  foldersOf({ noteId, principal }: FileScope): readonly [string, ...string[]] {
    const own = [
      ...(noteId === undefined ? [] : [this.ofNote(noteId)]),
      ...(principal === undefined ? [] : [this.ofUser(principal)]),
    ];
    const [first, ...rest] = [...own, this.shared];
    return [first!, ...rest];
  }

  /**
   * Creates a working folder. Shared files get a link in it, so that programs find them by their
   * plain names.
   */
  async prepare(folder: string): Promise<void> {
    await privateFolder(folder);
    if (folder === this.shared) return;
    const up = relative(folder, this.shared);
    for (const name of await readdir(folder)) {
      const target = await readlink(join(folder, name)).catch(() => undefined);
      const isOurs = target === up || target === join(up, name);
      if (isOurs && !(await exists(resolve(folder, target)))) await unlink(join(folder, name));
    }
    const names = (await readdir(this.shared)).slice(0, MAX_LINKS);
    for (const name of names) await link(join(up, name), join(folder, name));
    await link(up, join(folder, 'shared'));
  }

  /**
   * Returns the folder and the path in it that a caller means. `notes/ID/…`, `users/NAME/…` and
   * `shared/…` name the owner; other paths are looked up in the caller's folder and among the
   * shared files. Throws 404 if the caller may not read the files of the owner.
   * @param permissions absent: there are no notes
   */
  async locate(
    path: string,
    person: ActingUser,
    permissions: NotePermissions | undefined,
  ): Promise<{ folder: string; path: string }> {
    const [owner, name = '', ...rest] = path.split('/').filter((part) => part !== '');
    const signedIn = !person.embed;
    if (owner === 'notes' && permissions && rest.length > 0) {
      if (!permissions.has(person, name, 'reader')) throw missing(path);
      return { folder: this.ofNote(name), path: rest.join('/') };
    }
    if (!signedIn) throw missing(path);
    if (owner === 'users' && rest.length > 0) {
      if (name !== nameOf(person.principal)) throw missing(path);
      return { folder: this.ofUser(person.principal), path: rest.join('/') };
    }
    if (owner === 'shared' && name !== '')
      return { folder: this.shared, path: [name, ...rest].join('/') };
    const own = this.ofUser(person.principal);
    const isOwn = !path.split('/').includes('..') && (await exists(join(own, path)));
    return { folder: isOwn ? own : this.shared, path };
  }

  /**
   * Returns the folder of an owner, and what the paths of its files begin with. The files of a note
   * need a right on it. Without a note they belong to the caller, unless they are shared.
   */
  ownedBy(
    { noteId, shared = false }: { noteId?: string | undefined; shared?: boolean | undefined },
    person: ActingUser,
    permissions: NotePermissions,
    right: 'reader' | 'writer',
  ): { folder: string; prefix: string } {
    if (noteId !== undefined && shared)
      throw new Refusal(400, 'A file belongs to a note or is shared: send noteId or shared.');
    if (noteId !== undefined) {
      permissions.require(person, noteId, right);
      return { folder: this.ofNote(noteId), prefix: `notes/${noteId}/` };
    }
    if (person.embed) throw new Refusal(403, 'Files can be added to a note only.');
    if (shared) return { folder: this.shared, prefix: 'shared/' };
    const { principal } = person;
    return { folder: this.ofUser(principal), prefix: `users/${nameOf(principal)}/` };
  }

  /**
   * Returns the folder of a file that the caller may remove, and the path in it. Throws 400 for a
   * path without its owner, because it could mean another file.
   */
  async removable(
    path: string,
    person: ActingUser,
    permissions: NotePermissions,
  ): Promise<{ folder: string; path: string }> {
    const [owner = '', name = ''] = path.split('/');
    if (!OWNERS.includes(owner))
      throw new Refusal(400, `Name the owner of the file in its path, for example shared/${path}.`);
    const found = await this.locate(path, person, permissions);
    if (owner === 'notes') permissions.require(person, name, 'writer');
    return found;
  }

  /** Returns up to three notes that have a file of this name. */
  async notesWith(name: string, isKnown: (noteId: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    for (const folder of await readdir(join(this.#root, 'notes'))) {
      if (found.length === 3) break;
      const noteId = decodeURIComponent(folder);
      if (isKnown(noteId) && (await exists(join(this.ofNote(noteId), name)))) found.push(noteId);
    }
    return found;
  }

  /** Copies the files of a note, without links and pipes. */
  async copyNote(from: string, to: string): Promise<void> {
    if (!(await exists(this.ofNote(from)))) return;
    await privateFolder(dirname(this.ofNote(to)));
    await cp(this.ofNote(from), this.ofNote(to), {
      recursive: true,
      filter: async (file) => {
        const found = await lstat(file);
        return found.isFile() || found.isDirectory();
      },
    });
  }

  /** Deletes the files of a removed note. */
  async forgetNote(noteId: string): Promise<void> {
    await rm(this.ofNote(noteId), { recursive: true, force: true });
  }

  /** Deletes the files of a removed user, so that the next user of that name does not get them. */
  async forgetUser(name: string): Promise<void> {
    await rm(this.ofUser(name), { recursive: true, force: true });
  }
}

const missing = (path: string) => new Refusal(404, `There is no file ${path}.`);

/** Encodes an id or a name for a path. */
const nameOf = (name: string): string =>
  encodeURIComponent(name).replaceAll('*', '%2A').replace(/^\./, '%2E');

const exists = (path: string): Promise<boolean> => succeeds(lstat(path));

/** Creates a link unless the name is taken, or the system or its account allows no links. */
async function link(target: string, path: string): Promise<void> {
  await symlink(target.split(sep).join('/'), path).catch(() => undefined);
}
