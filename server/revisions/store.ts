/**
 * The history of all notes in one git repository, `<data>/revisions`, without a work tree. Each
 * note is in `<noteId>/note.json`, so that it keeps its history when renamed. The current notes are
 * stored elsewhere and are not affected.
 */
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadCommitResult, TreeEntry } from 'isomorphic-git';
import { idPattern } from '../notes/note.ts';
import { privateFolder, writeDurably } from '../storage/files.ts';
import { readBlob, writeBlob } from './blobs.ts';
import { git } from './git.ts';

/** Author of a commit. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** A commit as a revision of a note; `time` in Unix seconds. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly message: string;
  readonly time: number;
}

/** Branch of the repository. */
export const BRANCH = 'refs/heads/main';
const FILE = 'note.json';

/** Makes git's writes durable, so that they survive `kill -9`. */
const durable = {
  promises: {
    ...fsPromises,
    writeFile: (file: string, content: string | Uint8Array) => writeDurably(file, content),
  },
};

/** Returns the git author for a user. */
export function authorOf(principal: string): Author {
  return { name: principal, email: principal.includes('@') ? principal : `${principal}@localhost` };
}

/**
 * The git repository. Writers take turns: call {@link RevisionStore.commit} only inside {@link
 * RevisionStore.exclusive}.
 */
export class RevisionStore {
  /** Arguments common to all git calls. */
  readonly repo: { fs: typeof durable; gitdir: string; cache: object };
  #last: Promise<unknown> = Promise.resolve();
  #ready: Promise<void> | undefined;
  /** Revisions by note, as of `head`. */
  #index: { head: string | undefined; byNote: Map<string, StoredCheckpoint[]> } = {
    head: undefined,
    byNote: new Map(),
  };

  constructor(dataFolder: string) {
    this.repo = { fs: durable, gitdir: join(dataFolder, 'revisions'), cache: {} };
  }

  /** Runs one task after another. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      await (this.#ready ??= this.#open().catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      }));
      return work();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #open(): Promise<void> {
    await privateFolder(this.repo.gitdir);
    await git.init({ ...this.repo, bare: true, defaultBranch: 'main' });
    // The refspec to fetch; the URL is passed with each call.
    await git.setConfig({
      ...this.repo,
      path: 'remote.origin.fetch',
      value: '+refs/heads/*:refs/remotes/origin/*',
    });
  }

  /** Returns the newest commit; `undefined` before the first. */
  async head(): Promise<string | undefined> {
    return git.resolveRef({ ...this.repo, ref: BRANCH }).catch((error: Error) => {
      if (error.name === 'NotFoundError') return undefined;
      throw error;
    });
  }

  /** Returns the root entries of a commit: a folder per note, and other files of the remote. */
  async root(commit: string | undefined): Promise<TreeEntry[]> {
    return commit === undefined ? [] : (await git.readTree({ ...this.repo, oid: commit })).tree;
  }

  /** Returns the note's text in a commit; `undefined` if it is not there. */
  async read(commit: string | undefined, noteId: string): Promise<Buffer | undefined> {
    const folder = (await this.root(commit)).find(
      ({ path, type }) => path === noteId && type === 'tree',
    );
    return folder && this.readFolder(folder.oid);
  }

  /** Returns the note's text in a tree of a note's folder. */
  async readFolder(tree: string): Promise<Buffer | undefined> {
    const file = (await git.readTree({ ...this.repo, oid: tree })).tree.find(
      ({ path, type }) => path === FILE && type === 'blob',
    );
    if (!file) return undefined;
    return readBlob(this.repo, file);
  }

  /**
   * Commits the texts of some notes, in parts, on top of a commit; `undefined` removes a note.
   * Other entries stay unchanged. Returns the new commit, or `undefined` if nothing differs. Move
   * the branch with {@link RevisionStore.move}.
   */
  async commit(
    texts: ReadonlyMap<string, readonly Buffer[] | undefined>,
    {
      message,
      author,
      parents,
      root,
    }: {
      message: string;
      author: Author;
      parents: readonly string[];
      root?: readonly TreeEntry[];
    },
  ): Promise<string | undefined> {
    const before = await this.root(parents[0]);
    const entries = new Map((root ?? before).map((entry) => [entry.path, entry]));
    for (const [noteId, text] of texts) {
      if (text === undefined) entries.delete(noteId);
      else entries.set(noteId, await this.#folder(text, noteId, entries.get(noteId)));
    }
    const same =
      entries.size === before.length &&
      before.every(
        ({ path, oid, mode }) => entries.get(path)?.oid === oid && entries.get(path)?.mode === mode,
      );
    if (same && parents.length < 2) return undefined;
    const tree = await git.writeTree({ ...this.repo, tree: [...entries.values()] });
    const now = new Date();
    const who = {
      ...author,
      timestamp: Math.floor(now.getTime() / 1000),
      timezoneOffset: now.getTimezoneOffset(),
    };
    return git.writeCommit({
      ...this.repo,
      commit: { message: `${message}\n`, tree, parent: [...parents], author: who, committer: who },
    });
  }

  async #folder(
    text: readonly Buffer[],
    path: string,
    before: TreeEntry | undefined,
  ): Promise<TreeEntry> {
    const oid = await writeBlob(this.repo, text);
    const others =
      before?.type === 'tree'
        ? (await git.readTree({ ...this.repo, oid: before.oid })).tree.filter(
            (entry) => entry.path !== FILE,
          )
        : [];
    const tree = await git.writeTree({
      ...this.repo,
      tree: [...others, { mode: '100644', path: FILE, oid, type: 'blob' }],
    });
    return { mode: '040000', path, oid: tree, type: 'tree' };
  }

  async move(commit: string): Promise<void> {
    await git.writeRef({ ...this.repo, ref: BRANCH, value: commit, force: true });
  }

  /** Returns the commits that changed a note, newest first. */
  async history(noteId: string): Promise<readonly StoredCheckpoint[]> {
    const head = await this.head();
    if (head !== this.#index.head) await this.#extend(head);
    return this.#index.byNote.get(noteId) ?? [];
  }

  async #extend(head: string | undefined): Promise<void> {
    // Usually only a commit or two are new; only a merge requires reading the whole history again.
    const fresh: ReadCommitResult[] = [];
    let at = head;
    while (at !== undefined && at !== this.#index.head) {
      const read: ReadCommitResult = await git.readCommit({ ...this.repo, oid: at });
      if (read.commit.parent.length > 1) break;
      fresh.push(read);
      at = read.commit.parent[0];
    }
    const linear = at === this.#index.head;
    const byNote = new Map<string, StoredCheckpoint[]>();
    for (const read of linear ? fresh : await this.#all(head)) {
      const revision = {
        id: read.oid,
        message: read.commit.message.trimEnd(),
        time: read.commit.committer.timestamp,
      };
      for (const noteId of await this.#changed(read))
        byNote.set(noteId, [...(byNote.get(noteId) ?? []), revision]);
    }
    if (linear)
      for (const [noteId, known] of this.#index.byNote)
        byNote.set(noteId, [...(byNote.get(noteId) ?? []), ...known]);
    this.#index = { head, byNote };
  }

  /** Returns all ancestors of a commit and the commit itself, newest first. */
  async #all(head: string | undefined): Promise<ReadCommitResult[]> {
    const seen = new Set<string>();
    const open: ReadCommitResult[] = [];
    const add = async (oid: string) => {
      if (seen.has(oid)) return;
      seen.add(oid);
      open.push(await git.readCommit({ ...this.repo, oid }));
    };
    if (head !== undefined) await add(head);
    const sorted: ReadCommitResult[] = [];
    while (open.length > 0) {
      let newest = 0;
      for (const [place, { commit }] of open.entries())
        if (commit.committer.timestamp > open[newest]!.commit.committer.timestamp) newest = place;
      const [next] = open.splice(newest, 1);
      sorted.push(next!);
      for (const parent of next!.commit.parent) await add(parent);
    }
    return sorted;
  }

  /** Returns the notes that differ from those in all parents of a commit. */
  async #changed({ oid, commit }: ReadCommitResult): Promise<string[]> {
    const parents = await Promise.all(
      commit.parent.map(
        async (parent) => new Set((await this.root(parent)).map((entry) => entry.oid + entry.path)),
      ),
    );
    return (await this.root(oid))
      .filter(
        (entry) =>
          entry.type === 'tree' &&
          idPattern.test(entry.path) &&
          parents.every((known) => !known.has(entry.oid + entry.path)),
      )
      .map(({ path }) => path);
  }

  /** Resolves when nothing is being written. */
  async close(): Promise<void> {
    await this.#last;
  }
}
