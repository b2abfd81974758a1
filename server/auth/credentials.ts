/**
 * Users' credentials for data sources, in `credentials.json`. Each entry is encrypted and used only
 * for its own user.
 */
import { join } from 'node:path';
import { Refusal } from '../base/errors.ts';
import { JsonFile, putEntry } from '../storage/files.ts';
import type { Secrets } from './secrets.ts';

/** A user name and password for a data source. */
export interface DataLogin {
  readonly username: string;
  readonly password: string;
  /** Server of the connection that it was stored for; absent if there was no such connection. */
  readonly server?: string | undefined;
}

/** Placeholder for a secret in responses; when sent back it means "unchanged". */
export const MASKED_SECRET = '********';
const MAX_ENTRIES = 1_000;

/** Stores users' logins by entity. Entities are names such as `jdbc.pg`. */
export class CredentialStore {
  readonly #file: JsonFile<{ credentials?: Record<string, Record<string, string>> }>;
  readonly #secrets: Secrets;
  /** Encrypted logins by principal and entity. */
  #entries = new Map<string, ReadonlyMap<string, string>>();

  private constructor(folder: string, secrets: Secrets) {
    this.#secrets = secrets;
    this.#file = new JsonFile(join(folder, 'credentials.json'), () => ({
      credentials: Object.fromEntries(
        [...this.#entries].map(([name, own]) => [name, Object.fromEntries(own)]),
      ),
    }));
  }

  /** Reads the file of a data folder; rejects if it is damaged. */
  static async open(folder: string, secrets: Secrets): Promise<CredentialStore> {
    const made = new CredentialStore(folder, secrets);
    const stored = await made.#file.read();
    made.#entries = new Map(
      Object.entries(stored?.credentials ?? {}).map(([name, own]) => [
        name,
        new Map(Object.entries(own)),
      ]),
    );
    return made;
  }

  /**
   * Returns a user's logins by entity, decrypted. For interpreters that run for this user; never
   * send these in a response.
   */
  for(principal: string): ReadonlyMap<string, DataLogin> {
    return new Map(
      [...(this.#entries.get(principal) ?? [])].map(([entity, secret]) => [
        entity,
        JSON.parse(this.#secrets.decrypt(secret)) as DataLogin,
      ]),
    );
  }

  /** Returns a user's logins with masked passwords. */
  list(principal: string): Record<string, DataLogin> {
    return Object.fromEntries(
      [...this.for(principal)].map(([entity, { username, password }]) => [
        entity,
        { username, password: password === '' ? '' : MASKED_SECRET },
      ]),
    );
  }

  /**
   * Stores a login. The password may be empty; {@link MASKED_SECRET} keeps the current one, for the
   * server that it was stored for. Throws a 400 refusal for an empty entity or user name.
   */
  async put(
    principal: string,
    given: { entity: string; username: string; password: string },
    serverOf: (entity: string) => string | undefined = () => undefined,
  ): Promise<void> {
    const entity = given.entity.trim();
    const username = given.username.trim();
    if (!entity || !username) throw new Refusal(400, 'Username \\ Entity can not be empty.');
    const own = this.#entries.get(principal) ?? new Map<string, string>();
    if (own.size >= MAX_ENTRIES && !own.has(entity))
      throw new Refusal(
        507,
        `You already have ${MAX_ENTRIES} credentials, the maximum. Delete one first.`,
      );
    const before = given.password === MASKED_SECRET ? this.for(principal).get(entity) : undefined;
    const { password } = before ?? given;
    const login: DataLogin = {
      username,
      password,
      server: before ? before.server : serverOf(entity),
    };
    await this.#store(
      principal,
      new Map(own).set(entity, this.#secrets.encrypt(JSON.stringify(login))),
    );
  }

  /** Ties logins that were stored before their connection to its server. */
  async bind(serverOf: (entity: string) => string | undefined): Promise<void> {
    for (const principal of [...this.#entries.keys()]) {
      const own = new Map(this.#entries.get(principal));
      let isChanged = false;
      for (const [entity, login] of this.for(principal)) {
        const server = login.server === undefined ? serverOf(entity) : undefined;
        if (server === undefined) continue;
        own.set(entity, this.#secrets.encrypt(JSON.stringify({ ...login, server })));
        isChanged = true;
      }
      if (isChanged) await this.#store(principal, own);
    }
  }

  /** Removes a login and returns whether it existed. */
  async remove(principal: string, entity: string): Promise<boolean> {
    const left = new Map(this.#entries.get(principal));
    if (!left.delete(entity)) return false;
    await this.#store(principal, left);
    return true;
  }

  /** Removes all logins of a user. */
  async clear(principal: string): Promise<void> {
    if (this.#entries.has(principal)) await this.#store(principal, new Map());
  }

  /** Stores the change, or reverts it if the disk write fails. */
  async #store(principal: string, next: ReadonlyMap<string, string>): Promise<void> {
    await this.#file.saveOrUndo(
      putEntry(this.#entries, principal, next.size > 0 ? next : undefined),
    );
  }
}
