/** Who may do what with a note, in `notebook-authorization.json`, as upstream keeps it. Checked on each message. */
import { join } from 'node:path';
import { isOwner, isReader, isRunner, isWriter } from 'tiding/model';
import type { Permissions, Right } from 'tiding/protocol';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import { gives, type Embed } from './embed-access.ts';

/** Who asks. */
export interface Person {
  readonly principal: string;
  readonly roles: readonly string[];
  /** An embed token lets him in: he may do no more than it says, nor than its maker may. */
  readonly embed?: Embed;
}

const ADMINISTRATORS = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'admin'];
/** Whether somebody administers the server. */
export const administers = ({ roles }: Pick<Person, 'roles'>): boolean =>
  roles.some((role) => ADMINISTRATORS.includes(role));

const checks = {
  reader: isReader,
  runner: isRunner,
  writer: isWriter,
  owner: isOwner,
  none: () => true,
};
const verbs: Record<Right, string> = {
  none: '',
  reader: 'read',
  runner: 'run',
  writer: 'write',
  owner: 'change',
};
const lists = {
  reader: 'readers',
  runner: 'runners',
  writer: 'writers',
  owner: 'owners',
  none: 'readers',
} as const;

/** The permissions of every note. */
export class NotePermissions {
  readonly #file: string;
  #notes = new Map<string, Permissions>();
  readonly #save: () => Promise<void>;

  constructor(folder: string) {
    this.#file = join(folder, 'notebook-authorization.json');
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify({ authInfo: Object.fromEntries(this.#notes) }, null, 2)}\n`,
      ),
    );
  }

  /** Reads the file. */
  async load(): Promise<void> {
    const stored = (await readJson(this.#file)) as
      | { authInfo?: Record<string, Partial<Permissions>> }
      | undefined;
    // Older files have no runners: who may write may run.
    this.#notes = new Map(
      Object.entries(stored?.authInfo ?? {}).map(
        ([id, { owners = [], writers = [], runners = writers, readers = [] }]) => [
          id,
          { owners, writers, runners, readers },
        ],
      ),
    );
  }

  /** The lists of a note; empty lists mean everybody. */
  get(noteId: string): Permissions {
    return this.#notes.get(noteId) ?? { owners: [], writers: [], runners: [], readers: [] };
  }

  /**
   * Replaces the lists of a note. An empty stronger list beside a filled weaker one becomes the caller, as upstream
   * does, because an empty list means everybody.
   */
  async set(noteId: string, wanted: Permissions, principal: string): Promise<Permissions> {
    const clean = (list: readonly string[]) => [
      ...new Set(list.map((name) => name.trim()).filter(Boolean)),
    ];
    const next = {
      owners: clean(wanted.owners),
      writers: clean(wanted.writers),
      runners: clean(wanted.runners),
      readers: clean(wanted.readers),
    };
    if (next.readers.length > 0 && next.runners.length === 0) next.runners = [principal];
    if (next.runners.length > 0 && next.writers.length === 0) next.writers = [principal];
    if (next.writers.length > 0 && next.owners.length === 0) next.owners = [principal];
    await this.#store(noteId, next);
    return next;
  }

  /** Forgets a note. */
  async remove(noteId: string): Promise<void> {
    if (this.#notes.has(noteId)) await this.#store(noteId, undefined);
  }

  /** What the disk does not take does not hold either. */
  async #store(noteId: string, next: Permissions | undefined): Promise<void> {
    const before = this.#notes.get(noteId);
    const put = (value: Permissions | undefined) =>
      void (value ? this.#notes.set(noteId, value) : this.#notes.delete(noteId));
    put(next);
    try {
      await this.#save();
    } catch (error) {
      // Unless somebody set it anew meanwhile.
      if (this.#notes.get(noteId) === next) put(before);
      throw storageFailure(error);
    }
  }

  /** Whether a person has a right on a note. */
  has(person: Person, noteId: string, right: Right): boolean {
    const { embed } = person;
    if (embed) return gives(embed, noteId, right) && this.has(embed.issuer, noteId, right);
    return checks[right](this.get(noteId), {
      principal: person.principal,
      roles: [...person.roles],
    });
  }

  /** Refuses with upstream's wording when the right is missing. */
  require(person: Person, noteId: string, right: Right, verb = verbs[right]): void {
    if (!this.has(person, noteId, right))
      throw new Refusal(403, this.refusal(person, noteId, right, verb), 'forbidden');
  }

  /** Upstream's words for a right that is missing. Who holds an embed token is told no names. */
  refusal(person: Person, noteId: string, right: Right, verb = verbs[right]): string {
    const words = `Insufficient privileges to ${verb} note.`;
    if (person.embed) return words;
    const allowed = this.get(noteId)[lists[right]];
    return `${words}\n\nAllowed users or roles: [${allowed.join(', ')}]\n\nBut the user ${person.principal} belongs to: [${[person.principal, ...person.roles].join(', ')}]`;
  }
}
