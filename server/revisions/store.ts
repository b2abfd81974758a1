/**
 * The history of all notes in one git repository, `<data>/revisions`, without a work tree. Each
 * note is in `<noteId>/note.json`, so that it keeps its history when renamed. The current notes are
 * stored elsewhere and are not affected.
 */
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeEntry } from 'isomorphic-git';
import { Refusal } from '../base/errors.ts';
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

interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly time: number;
}
type CommitReader = (oid: string) => Promise<Commit>;

/** Maximum number of commits that are listed: 60,000 take half a minute, and 30 MB of memory. */
const MAX_HISTORY = 200_000;
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

  #extending: Promise<void> | undefined;
  readonly #maxHistory: number;

  constructor(dataFolder: string, maxHistory = MAX_HISTORY) {
    this.#maxHistory = maxHistory;
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

  /** Returns the entries of a commit's root: a folder per note, and other files of the remote. */
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
    for (let head = await this.head(); head !== this.#index.head; head = await this.head())
      await (this.#extending ??= this.#extend(head).finally(() => (this.#extending = undefined)));
    return this.#index.byNote.get(noteId) ?? [];
  }

  async #extend(head: string | undefined): Promise<void> {
    const read = new Map<string, Promise<Commit>>();
    const commitOf = (oid: string): Promise<Commit> => {
      const known = read.get(oid) ?? this.#commit(oid);
      read.set(oid, known);
      if (read.size > this.#maxHistory)
        throw new Refusal(409, `The notes have more than ${this.#maxHistory} checkpoints.`);
      return known;
    };
    // Usually only a commit or two are new; only a merge requires reading the whole history again.
    const fresh: Commit[] = [];
    let at = head;
    while (at !== undefined && at !== this.#index.head) {
      const commit = await commitOf(at);
      if (commit.parents.length > 1) break;
      fresh.push(commit);
      at = commit.parents[0];
    }
    const linear = at === this.#index.head;
    const byNote = new Map<string, StoredCheckpoint[]>();
    const listOf = (noteId: string): StoredCheckpoint[] => {
      const list = byNote.get(noteId) ?? [];
      byNote.set(noteId, list);
      return list;
    };
    for (const commit of linear ? fresh : await this.#all(head, commitOf)) {
      const { oid: id, message, time } = commit;
      for (const noteId of await this.#changed(commit, commitOf))
        listOf(noteId).push({ id, message, time });
    }
    if (linear)
      for (const [noteId, known] of this.#index.byNote)
        byNote.set(noteId, [...listOf(noteId), ...known]);
    this.#index = { head, byNote };
  }

  async #commit(oid: string): Promise<Commit> {
    const { commit } = await git.readCommit({ ...this.repo, oid });
    const { tree, parent: parents, message, committer } = commit;
    return { oid, tree, parents, message: message.trimEnd(), time: committer.timestamp };
  }

  /** Returns all ancestors of a commit and the commit itself, newest first. */
  async #all(head: string | undefined, commitOf: CommitReader): Promise<Commit[]> {
    const seen = new Set<string>();
    /** The newest is the last one. */
    const open: Commit[] = [];
    const add = async (oid: string) => {
      if (seen.has(oid)) return;
      seen.add(oid);
      const commit = await commitOf(oid);
      let [low, high] = [0, open.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (open[middle]!.time < commit.time) low = middle + 1;
        else high = middle;
      }
      open.splice(low, 0, commit);
    };
    if (head !== undefined) await add(head);
    const sorted: Commit[] = [];
    for (let next = open.pop(); next; next = open.pop()) {
      sorted.push(next);
      for (const parent of next.parents) await add(parent);
    }
    return sorted;
  }

  /** Returns the notes that differ from those in all parents of a commit. */
  async #changed({ tree, parents }: Commit, commitOf: CommitReader): Promise<string[]> {
    const before = new Set((await Promise.all(parents.map(commitOf))).map((each) => each.tree));
    if (before.has(tree)) return [];
    let entries = (await this.root(tree)).filter(
      ({ path, type }) => type === 'tree' && idPattern.test(path),
    );
    const keyOf = (entry: TreeEntry) => entry.oid + entry.path;
    for (const each of before) {
      const known = new Set((await this.root(each)).map(keyOf));
      entries = entries.filter((entry) => !known.has(keyOf(entry)));
    }
    return entries.map(({ path }) => path);
  }

  /** Resolves when nothing is being written. */
  async close(): Promise<void> {
    await this.#last;
  }
}
