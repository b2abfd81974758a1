/**
 * Synchronizes the notes with a remote: commit all, fetch, merge, apply the changes to the current
 * notes, push. If something can't be merged, both versions are kept and the user is notified. A
 * note that was removed from the remote is kept here.
 */

import { jsonObjectOf } from '@tiding/client/model';
import {
  type NotebookRules,
  noteInRevision,
  versionChange,
  withoutSchedule,
} from '@tiding/client/notebook';
import type { JsonObject } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import { parseUntrustedBytes } from '../base/json.ts';
import type { NoteEditor } from '../notes/editor.ts';
import { checkText, idPattern, readNote, type StoredNote } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import { git } from './git.ts';
import { mergeNotes } from './merge.ts';
import { remoteHttp } from './remote.ts';
import { revisionParts } from './revisions.ts';
import { authorOf, BRANCH, type RevisionStore } from './store.ts';

/** The remote and its login. */
export interface Remote {
  readonly url: string;
  readonly userName: string;
  readonly accessToken: string;
}

/** Data and services that a synchronization uses. */
export interface SyncOptions {
  readonly store: RevisionStore;
  readonly notes: NoteRepository;
  readonly editor: NoteEditor;
  readonly isBusy: (note: StoredNote) => boolean;
  /** Stores a note that only the remote has, owned by the synchronizing user. */
  readonly add: (note: StoredNote) => Promise<unknown>;
  readonly remote: Remote;
  readonly principal: string;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

const ATTEMPTS = 5;

const bytesOf = (note: JsonObject): Buffer => Buffer.from(`${JSON.stringify(note, null, 2)}\n`);

/** Parses a note's file as an object, if it is one. */
async function readFile(bytes: Buffer | undefined): Promise<JsonObject | undefined> {
  if (bytes === undefined) return undefined;
  try {
    const value = jsonObjectOf(await parseUntrustedBytes(bytes));
    return Array.isArray(value['paragraphs']) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Commits the current notes, and the removal of deleted ones. Returns the newest commit and the
 * texts.
 */
async function commitAll({
  store,
  notes,
  principal,
}: SyncOptions): Promise<{ head: string | undefined; texts: Map<string, Buffer[]> }> {
  const head = await store.head();
  const texts = new Map<string, Buffer[]>();
  for (const note of notes.all()) texts.set(note.id, await revisionParts(note));
  const changes = new Map<string, Buffer[] | undefined>(texts);
  for (const { path, oid, type } of await store.root(head)) {
    // A folder without a readable note was never a note here; it belongs to the remote.
    if (
      type === 'tree' &&
      idPattern.test(path) &&
      !texts.has(path) &&
      (await readFile(await store.readFolder(oid)))
    )
      changes.set(path, undefined);
  }
  const id = await store.commit(changes, {
    message: 'Save all notes before synchronization',
    author: authorOf(principal),
    parents: head ? [head] : [],
  });
  if (id !== undefined) await store.move(id);
  return { head: id ?? head, texts };
}

/**
 * Merges the notes of two commits. Returns the texts that differ from the local ones, and sentences
 * that name what is now duplicated.
 */
async function mergeFiles(
  store: RevisionStore,
  base: string | undefined,
  ours: string | undefined,
  theirs: string,
): Promise<{ changed: Map<string, Buffer>; kept: string[] }> {
  const changed = new Map<string, Buffer>();
  const kept: string[] = [];
  const folders = async (commit: string | undefined) =>
    new Map(
      (await store.root(commit))
        .filter(({ type, path }) => type === 'tree' && idPattern.test(path))
        .map(({ path, oid }) => [path, oid]),
    );
  const [inBase, inOurs, inTheirs] = await Promise.all([
    folders(base),
    folders(ours),
    folders(theirs),
  ]);
  for (const [noteId, oid] of inTheirs) {
    if (oid === inBase.get(noteId) || oid === inOurs.get(noteId)) continue;
    const [b, o, t] = await Promise.all(
      [inBase.get(noteId), inOurs.get(noteId), oid].map(async (tree) =>
        tree ? readFile(await store.readFolder(tree)) : undefined,
      ),
    );
    if (!t) continue;
    const { note: merged, kept: twice } = o ? mergeNotes(b, o, t) : { note: t, kept: [] };
    kept.push(...twice);
    if (merged !== o) changed.set(noteId, bytesOf(merged));
  }
  return { changed, kept };
}

async function checked(
  noteId: string,
  bytes: Buffer,
  limits: NotebookRules['limits'],
): Promise<StoredNote> {
  const note = readNote(await parseUntrustedBytes(bytes), noteId);
  if (note.paragraphs.length > limits.maxParagraphs)
    throw new Refusal(
      400,
      `The note '${note.name}' on the remote has more than ${limits.maxParagraphs} paragraphs.`,
    );
  for (const paragraph of note.paragraphs) checkText(paragraph.text, limits);
  return { ...note, config: withoutSchedule(note.config) };
}

/** A note is running; synchronize after its end. */
export class NoteBusy extends Refusal {}
/** A note changed between reading and writing; everything is read again. */
class Moved extends Error {}

/** Applies merged texts to the current notes. */
async function apply(
  changed: ReadonlyMap<string, Buffer>,
  before: ReadonlyMap<string, readonly Buffer[]>,
  { notes, editor, isBusy, add }: SyncOptions,
): Promise<void> {
  const versions: StoredNote[] = [];
  for (const [noteId, bytes] of changed)
    versions.push(await checked(noteId, bytes, editor.rules.limits));
  const busy = versions.find(({ id }) => {
    const note = notes.find(id);
    return note && isBusy(note);
  });
  if (busy)
    throw new NoteBusy(423, `The note '${busy.name}' is running. Try again when it has finished.`);
  for (const version of versions) {
    const note = notes.find(version.id);
    if (!note) {
      await add(version);
      continue;
    }
    const then = Buffer.concat(before.get(note.id) ?? []);
    if (!then.equals(bytesOf(noteInRevision(note)))) throw new Moved();
    await editor.make(note, versionChange(note, version, editor.rules));
  }
}

interface CommonBase {
  readonly ours: string | undefined;
  /** The newest commit that both sides have. */
  readonly base: string | undefined;
}

/** Finds what two commits have in common, which takes a minute for tens of thousands of commits. */
async function commonBase(
  { repo }: RevisionStore,
  ours: string | undefined,
  theirs: string | undefined,
): Promise<CommonBase> {
  if (!ours || !theirs) return { ours, base: undefined };
  const [base] = (await git.findMergeBase({ ...repo, oids: [ours, theirs] })) as string[];
  return { ours, base };
}

/**
 * Merges the fetched commit into the branch and the current notes. Returns the commit to push, and
 * sentences that name what is now duplicated.
 */
async function merge(
  theirs: string | undefined,
  known: CommonBase,
  options: SyncOptions,
): Promise<{ ours: string | undefined; kept: readonly string[] }> {
  const { store, principal } = options;
  const { head: ours, texts } = await commitAll(options);
  if (theirs === undefined || theirs === ours) return { ours, kept: [] };
  const { base } = ours === known.ours ? known : await commonBase(store, ours, theirs);
  if (base === theirs) return { ours, kept: [] };
  const { changed, kept } = await mergeFiles(store, base, ours, theirs);
  // Update the current notes first: a commit with notes that don't exist here would later be taken
  // for their removal.
  await apply(changed, texts, options);
  if (ours === undefined || base === ours) {
    await store.move(theirs);
    return { ours: theirs, kept };
  }
  const [ourRoot, theirRoot, baseRoot] = await Promise.all([
    store.root(ours),
    store.root(theirs),
    store.root(base),
  ]);
  const baseOids = new Map(baseRoot.map(({ path, oid }) => [path, oid]));
  const root = new Map(ourRoot.map((entry) => [entry.path, entry]));
  // Take other files from the remote; notes have been merged above.
  for (const entry of theirRoot) {
    const known = root.get(entry.path);
    if (changed.has(entry.path)) root.set(entry.path, entry);
    else if (known ? known.oid === baseOids.get(entry.path) : !baseOids.has(entry.path))
      root.set(entry.path, entry);
  }
  const parts = new Map([...changed].map(([noteId, bytes]) => [noteId, [bytes]]));
  const id = await store.commit(parts, {
    message: 'Merge notes from the remote',
    author: authorOf(principal),
    parents: [ours, theirs],
    root: [...root.values()],
  });
  await store.move(id!);
  return { ours: id, kept };
}

/**
 * Runs a synchronization. Returns sentences that name what is now duplicated. Rejects if it fails;
 * `explainFailure` says why.
 */
export async function sync(options: SyncOptions): Promise<string[]> {
  const { store, remote, signal, allowPrivate } = options;
  const http = remoteHttp({ signal, allowPrivate, gitdir: store.repo.gitdir });
  const place = {
    http,
    url: remote.url,
    onAuth: () => ({ username: remote.userName, password: remote.accessToken }),
  };
  // Includes attempts whose push came too late, because their merge has been applied here.
  const kept = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await store.exclusive(() => commitAll(options));
      // The remote's default branch may have any name.
      const refs = await git.listServerRefs({ ...place, symrefs: true, protocolVersion: 1 });
      const remoteRef = refs.find(({ ref }) => ref === 'HEAD')?.target ?? BRANCH;
      const theirs = refs.find(({ ref }) => ref === remoteRef)?.oid;
      if (theirs !== undefined)
        await git.fetch({
          ...store.repo,
          ...place,
          remote: 'origin',
          ref: remoteRef.replace('refs/heads/', ''),
          singleBranch: true,
          tags: false,
        });
      // Checkpoints can be made during this search, but not during the merge.
      const common = await commonBase(store, await store.head(), theirs);
      signal.throwIfAborted();
      const merged = await store.exclusive(() => merge(theirs, common, options));
      merged.kept.forEach((each) => kept.add(each));
      const { ours } = merged;
      signal.throwIfAborted();
      if (ours !== undefined && ours !== theirs)
        await git.push({ ...store.repo, ...place, remote: 'origin', ref: BRANCH, remoteRef });
      return [...kept];
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const again = error instanceof Moved || (error as Error).name === 'PushRejectedError';
      if (!again || attempt >= ATTEMPTS) throw error;
    }
  }
}
