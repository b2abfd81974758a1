/**
 * The history of every note in one git repository, `<data>/revisions`, without a work tree: `<noteId>/note.json` each,
 * so that a renamed note keeps its history. The live notes are elsewhere; nothing here is in their way.
 */
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import git, { type ReadCommitResult, type TreeEntry } from 'isomorphic-git';
import { privateFolder, writeDurably } from '../files.ts';
import { idPattern } from '../notes/note.ts';

/** Who made a commit. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** A commit as one of a note's revisions; `time` in Unix seconds. */
export interface Revision {
  readonly id: string;
  readonly message: string;
  readonly time: number;
}

/** Branch of the repository. */
export const BRANCH = 'refs/heads/main';
const FILE = 'note.json';

/** What git writes survives `kill -9`, as everything else does. */
const durable = {
  promises: {
    ...fsPromises,
    writeFile: (file: string, content: string | Uint8Array) => writeDurably(file, content),
  },
};

/** A commit's author as git wants it, for a person's principal. */
export function authorOf(principal: string): Author {
  return { name: principal, email: principal.includes('@') ? principal : `${principal}@localhost` };
}

/** See the head of this file. Writers take turns: whoever calls {@link RevisionStore.commit} does so inside {@link RevisionStore.exclusive}. */
export class RevisionStore {
  /** What every call to git needs. */
  readonly repo: { fs: typeof durable; gitdir: string; cache: object };
  #last: Promise<unknown> = Promise.resolve();
  #ready: Promise<void> | undefined;
  /** Revisions by note, as of `head`. */
  #index: { head: string | undefined; byNote: Map<string, Revision[]> } = {
    head: undefined,
    byNote: new Map(),
  };

  constructor(dataFolder: string) {
    this.repo = { fs: durable, gitdir: join(dataFolder, 'revisions'), cache: {} };
  }

  /** Runs one piece of work after another. */
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
    // What a fetch asks for; where from is said with each.
    await git.setConfig({
      ...this.repo,
      path: 'remote.origin.fetch',
      value: '+refs/heads/*:refs/remotes/origin/*',
    });
  }

  /** The newest commit; `undefined` before the first. */
  async head(): Promise<string | undefined> {
    return git.resolveRef({ ...this.repo, ref: BRANCH }).catch((error: Error) => {
      if (error.name === 'NotFoundError') return undefined;
      throw error;
    });
  }

  /** Entries of the root of a commit: a folder a note, and what else a remote has there. */
  async root(commit: string | undefined): Promise<TreeEntry[]> {
    return commit === undefined ? [] : (await git.readTree({ ...this.repo, oid: commit })).tree;
  }

  /** The note's text in a commit; `undefined` where it is not in it. */
  async read(commit: string | undefined, noteId: string): Promise<string | undefined> {
    const folder = (await this.root(commit)).find(
      ({ path, type }) => path === noteId && type === 'tree',
    );
    return folder && this.readFolder(folder.oid);
  }

  /** The note's text in a note's folder. */
  async readFolder(tree: string): Promise<string | undefined> {
    const file = (await git.readTree({ ...this.repo, oid: tree })).tree.find(
      ({ path, type }) => path === FILE && type === 'blob',
    );
    if (!file) return undefined;
    return Buffer.from((await git.readBlob({ ...this.repo, oid: file.oid })).blob).toString('utf8');
  }

  /**
   * Commits the texts of some notes on top of a commit, or a note's end (`undefined`); everything else stays as it is there.
   * Answers the new commit, `undefined` where nothing differs. The branch moves with {@link RevisionStore.move}.
   */
  async commit(
    texts: ReadonlyMap<string, string | undefined>,
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

  async #folder(text: string, path: string, before: TreeEntry | undefined): Promise<TreeEntry> {
    const oid = await git.writeBlob({ ...this.repo, blob: Buffer.from(text) });
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

  /** The branch now ends at this commit. */
  async move(commit: string): Promise<void> {
    await git.writeRef({ ...this.repo, ref: BRANCH, value: commit, force: true });
  }

  /** The commits that changed a note, newest first. */
  async history(noteId: string): Promise<readonly Revision[]> {
    const head = await this.head();
    if (head !== this.#index.head) await this.#extend(head);
    return this.#index.byNote.get(noteId) ?? [];
  }

  async #extend(head: string | undefined): Promise<void> {
    // Mostly a commit or two on top of what is known; only a merge needs all of it read again.
    const fresh: ReadCommitResult[] = [];
    let at = head;
    while (at !== undefined && at !== this.#index.head) {
      const read: ReadCommitResult = await git.readCommit({ ...this.repo, oid: at });
      if (read.commit.parent.length > 1) break;
      fresh.push(read);
      at = read.commit.parent[0];
    }
    const linear = at === this.#index.head;
    const byNote = new Map<string, Revision[]>();
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

  /** Every commit that leads to one, newest first. */
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

  /** The notes that are in a commit as they are in none of its parents. */
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
