/**
 * Note permissions, in `notebook-authorization.json` in Zeppelin's format. Checked for each
 * message.
 */
import { join } from 'node:path';
import {
  completedPermissions,
  hasRight,
  missingRight,
  missingRightDetails,
} from '@tiding/client/notebook';
import type { Permissions, Right } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import { JsonFile, putEntry } from '../storage/files.ts';
import { type Embed, grantsRight } from './embed-access.ts';

/** The user who makes a request. */
export interface ActingUser {
  readonly principal: string;
  readonly roles: readonly string[];
  /**
   * Set for a viewer with an embed token, who may do no more than the token allows, nor more than
   * its issuer may.
   */
  readonly embed?: Embed;
}

/** Roles of administrators, who also own what has no other owner. */
export const ADMINISTRATORS: readonly string[] = [
  'global.SuperAdmin',
  'magpie.OrganizationAdmin',
  'admin',
];
export const administers = ({ roles }: Pick<ActingUser, 'roles'>): boolean =>
  roles.some((role) => ADMINISTRATORS.includes(role));

/**
 * The lists of a note without an owner. They name roles, so that clients show them and every server
 * with this format applies them.
 */
const ofAdministrators = (): Permissions => ({
  owners: [...ADMINISTRATORS],
  writers: [...ADMINISTRATORS],
  runners: [...ADMINISTRATORS],
  readers: [...ADMINISTRATORS],
});

/** Reads one entry of the file. Older files have no runners: users who may write may run. */
function storedLists({
  owners = [],
  writers = [],
  runners = writers,
  readers = [],
}: Partial<Permissions>): Permissions {
  if (owners.length > 0) return { owners, writers, runners, readers };
  const others = [writers, runners, readers];
  if (others.every((list) => list.length === 0)) return ofAdministrators();
  return { owners: [...ADMINISTRATORS], writers, runners, readers };
}

export class NotePermissions {
  readonly #file: JsonFile<{ authInfo?: Record<string, Partial<Permissions>> }>;
  #notes = new Map<string, Permissions>();

  constructor(folder: string) {
    this.#file = new JsonFile(join(folder, 'notebook-authorization.json'), () => ({
      authInfo: Object.fromEntries(this.#notes),
    }));
  }

  /** Reads the file. */
  async load(): Promise<void> {
    const stored = await this.#file.read();
    this.#notes = new Map(
      Object.entries(stored?.authInfo ?? {}).map(([id, lists]) => [id, storedLists(lists)]),
    );
  }

  /**
   * Returns the lists of a note; an empty list means everybody. A note without stored lists belongs
   * to administrators.
   */
  get(noteId: string): Permissions {
    return this.#notes.get(noteId) ?? ofAdministrators();
  }

  /** Replaces the lists of a note; see {@link completedPermissions}. */
  async set(noteId: string, wanted: Permissions, principal: string): Promise<Permissions> {
    const next = completedPermissions(wanted, principal);
    await this.#store(noteId, next);
    return next;
  }

  async remove(noteId: string): Promise<void> {
    if (this.#notes.has(noteId)) await this.#store(noteId, undefined);
  }

  /**
   * Removes a user from all lists. A note that loses its last owner belongs to administrators.
   * Another list that would become empty, which means everybody, gets the owners instead.
   */
  async forgetUser(name: string): Promise<void> {
    for (const [noteId, lists] of this.#notes) {
      const without = (list: readonly string[], otherwise: readonly string[]) => {
        const left = list.filter((each) => each !== name);
        return left.length === 0 && list.length > 0 ? [...otherwise] : left;
      };
      const owners = without(lists.owners, ADMINISTRATORS);
      const next = {
        owners,
        writers: without(lists.writers, owners),
        runners: without(lists.runners, owners),
        readers: without(lists.readers, owners),
      };
      if (JSON.stringify(next) !== JSON.stringify(lists)) await this.#store(noteId, next);
    }
  }

  /** Stores the change, or reverts it if the disk write fails. */
  async #store(noteId: string, next: Permissions | undefined): Promise<void> {
    await this.#file.saveOrUndo(putEntry(this.#notes, noteId, next));
  }

  has(person: ActingUser, noteId: string, right: Right): boolean {
    const { embed } = person;
    if (embed) return grantsRight(embed, noteId, right) && this.has(embed.issuer, noteId, right);
    return hasRight(this.get(noteId), person, right);
  }

  /** Throws a refusal with Zeppelin's message if the permission is missing. */
  require(person: ActingUser, noteId: string, right: Right, verb?: string): void {
    if (!this.has(person, noteId, right))
      throw new Refusal(403, this.refusal(person, noteId, right, verb), 'forbidden');
  }

  /**
   * Returns Zeppelin's message for a missing permission. Viewers with an embed token get no user
   * names.
   */
  refusal(person: ActingUser, noteId: string, right: Right, verb?: string): string {
    return person.embed
      ? missingRight(right, verb)
      : missingRightDetails(this.get(noteId), person, right, verb);
  }
}
