/** Logins that runs may use, and their passwords in the output. */
import type { DataLogin } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import type { Run, RunEnd } from '../interpreters/contract.ts';
import { injectCredentials, injectProperty } from '../interpreters/credential-text.ts';
import { checkLogin, type StoredSetting, settingValues } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import type { Slot } from './instances/slot.ts';
import { MaskedOutput, maskPasswords, maskValues } from './output/masked-output.ts';

/** Dependencies of {@link RunCredentials}. */
export interface RunCredentialsOptions {
  settings: InterpreterSettings;
  secrets: Secrets;
  /** A user's logins by entity name. */
  credentialsOf(principal: string): ReadonlyMap<string, DataLogin>;
  /** Whether the server has a single user. */
  isAlone(): boolean;
}

/** Gives runs the logins of their user, and masks the passwords in what they print. */
export class RunCredentials {
  readonly #options: RunCredentialsOptions;

  constructor(options: RunCredentialsOptions) {
    this.#options = options;
  }

  /** Returns whether only one user's code runs in an instance. */
  servesOne(slot: Slot): boolean {
    return slot.placement.onePerson || this.#options.isAlone();
  }

  /**
   * Returns a login, but only if no other user's code runs in the instance: that code could request
   * it as well.
   */
  credential(
    slot: Slot,
    entity: string,
    name: string,
    { isHidden = false }: { readonly isHidden?: boolean } = {},
  ): DataLogin {
    if (!this.servesOne(slot))
      throw new Error(
        'Credentials are only available to single-user interpreters. ' +
          `Set ${name} to isolated per user.`,
      );
    const login = slot.run && this.#options.credentialsOf(slot.run.principal).get(entity);
    if (!login) throw new Error(`No such credential: ${entity}`);
    const { settings } = this.#options;
    const connection = settings.get(entity);
    if (connection) checkLogin(login, connection, settings.spec(connection.group)!);
    slot.hasLogin = true;
    if (!isHidden) slot.passwords.add(login.password);
    return login;
  }

  /**
   * Prepares a run for its interpreter: inserts the user's logins into the text if the setting says
   * so, and masks every password the instance was ever given in the output. Throws an error with a
   * user-readable message if the instance is shared with other users.
   */
  prepare(
    setting: StoredSetting,
    slot: Slot,
    given: Run,
  ): { run: Run; finish(end: RunEnd): RunEnd } {
    const { passwords } = slot;
    const output = new MaskedOutput(given.output, passwords);
    const ask = given.request;
    // Values shared with pages are visible, so mask them too.
    const run: Run = {
      ...given,
      ...(ask && {
        request: (operation: string, values: Readonly<Record<string, unknown>>) =>
          ask(operation, maskValues(values, passwords) as Record<string, unknown>),
      }),
      openComms(kernel) {
        kernel.mask = (value) => maskValues(value, passwords);
        kernel.onUse = () => (slot.used = performance.now());
        given.openComms?.(kernel);
      },
    };
    const finish = (end: RunEnd): RunEnd => {
      output.finish();
      return end.code === 'ERROR'
        ? { ...end, message: maskPasswords(end.message, passwords) }
        : end;
    };
    if (
      settingValues(setting, this.#options.settings.spec(setting.group)!, this.#options.secrets)[
        injectProperty.name
      ] !== 'true'
    )
      return { run: { ...run, output }, finish };
    const logins = this.#options.credentialsOf(run.principal);
    const code = injectCredentials(run.code, (entity) =>
      logins.has(entity) ? this.credential(slot, entity, setting.name) : undefined,
    );
    return { run: { ...run, output, code, confidential: code !== run.code }, finish };
  }
}
