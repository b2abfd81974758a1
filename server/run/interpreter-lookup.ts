/** Resolves which interpreter a paragraph means, and who may use it. */
import type { InterpreterBinding } from '@tiding/client/protocol';
import { accountOf } from '../auth/embed-access.ts';
import type { InterpreterSpec, InterpreterVariant } from '../interpreters/contract.ts';
import type { StoredNote } from '../notes/note.ts';
import { interpreterGroup, type StoredSetting } from '../settings/setting.ts';
import type { InterpreterSettings } from '../settings/settings.ts';
import { mayUseInterpreter } from './embed-interpreters.ts';
import { knownMagics } from './known-magics.ts';
import { missingInterpreter } from './missing-interpreter.ts';
import type { RunInitiator } from './run-origin.ts';

/** An interpreter that a paragraph selects. */
export interface FoundInterpreter {
  /** Id and name of its setting. */
  readonly name: string;
  /** Name of the interpreter type. */
  readonly group: string;
  readonly editor: InterpreterSpec['editor'];
  /** Language of its code. All code of Jupyter kernels is `jupyter`, whatever its language. */
  readonly language: string | null | undefined;
  /** Name of the variant that the magic selects; `undefined`: the interpreter's own language. */
  readonly variant?: string | undefined;
  /** Whether it is a terminal; see {@link InterpreterVariant.isTerminal}. */
  readonly isTerminal?: boolean | undefined;
}

/** Zeppelin's interpreter for databases. */
const JDBC = 'jdbc';

interface Selected {
  readonly setting: StoredSetting;
  readonly variant?: string;
}

/** Dependencies of {@link InterpreterLookup}. */
export interface LookupOptions {
  settings: InterpreterSettings;
  /** Current roles of a user. */
  rolesOf(principal: string): readonly string[];
  /** Whether programs with the server's privileges may run. */
  shellAllowed(): boolean;
}

/** The user whose run names an interpreter, and the embed token of their page. */
export type Requester = Pick<RunInitiator, 'principal' | 'embed'>;

/** Finds interpreter settings by magic, by note and by user. */
export class InterpreterLookup {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  spec({ group }: StoredSetting): InterpreterSpec {
    return this.#options.settings.spec(group)!;
  }

  /** Returns whether settings of this interpreter type are currently allowed. */
  isUsable(spec: InterpreterSpec): boolean {
    return !spec.shell || this.#options.shellAllowed();
  }

  /** Returns the settings that are currently allowed. */
  usable(): StoredSetting[] {
    return this.#options.settings.all().filter((setting) => this.isUsable(this.spec(setting)));
  }

  /** Returns a usable setting by id. */
  get(id: string): StoredSetting | undefined {
    return this.usable().find((setting) => setting.id === id);
  }

  #lookUp(
    magic: string | undefined,
    note: StoredNote,
    options: Readonly<Record<string, string>>,
  ): Selected | undefined {
    const usable = this.usable();
    const first = note.bindings
      ?.map((id) => usable.find((setting) => setting.id === id))
      .find(Boolean);
    const group = importedDefault(note);
    const preset =
      group === undefined || group === magic ? undefined : this.#lookUp(group, note, {});
    if (magic === undefined) return group === undefined ? selected(first ?? usable[0]) : preset;
    // Names of Jupyter kernels and of Zeppelin's interpreters may contain dots: `julia-1.11`,
    // `zeppelin.md`.
    const dotted =
      magic.includes('.') &&
      (usable.find(({ id }) => id === magic) ??
        usable.find(({ id }) => id.includes('.') && magic.startsWith(`${id}.`)));
    if (dotted) {
      const variant = magic.slice(dotted.id.length + 1);
      if (variant === '') return selected(dotted);
      return this.#variant(dotted, variant) ? { setting: dotted, variant } : undefined;
    }
    const [place = '', name, more] = magic.split('.');
    if (more !== undefined) return undefined;
    const own =
      usable.find(({ id }) => id === place) ??
      usable.find((setting) => setting.id === setting.group && isNamed(this.spec(setting), place));
    if (name !== undefined) {
      if (!own || isNamed(this.spec(own), name)) return this.#named(own, name);
      return this.#variant(own, name) ? { setting: own, variant: name } : undefined;
    }
    // As in Zeppelin, an interpreter of the note's default takes precedence over a setting of that
    // name: `%sql` of a note of Spark is Spark SQL. Only `%sql` of a note of Python stays the
    // engine, which also reads the frames of Python.
    if (first && isNamed(this.spec(first), magic)) return this.#named(first, magic);
    const setting = first ?? preset?.setting;
    if (setting && this.spec(setting).name !== 'python' && this.#variant(setting, magic))
      return { setting, variant: magic };
    if (own && own.group !== JDBC) return this.#named(own, magic);
    if (magic === JDBC) {
      // As in Zeppelin, an option without a value names a database: `%jdbc(sales)`. It comes before
      // Zeppelin's own interpreter, so that this does not change what a note means.
      const database = usable.find(
        (each) => this.spec(each).isDatabase && options[each.id] === each.id,
      );
      if (database) return selected(database);
    }
    if (own) return selected(own);
    const other = usable.find(
      (each) => each.id === each.group && this.#variant(each, magic)?.isMagic,
    );
    return other && { setting: other, variant: magic };
  }

  /** Selects a setting by a name of its interpreter, which may mean one of its variants. */
  #named(setting: StoredSetting | undefined, name: string): Selected | undefined {
    if (!setting) return undefined;
    const { aliasVariants = {} } = this.spec(setting);
    const variant = Object.hasOwn(aliasVariants, name) ? aliasVariants[name] : undefined;
    return variant === undefined ? { setting } : { setting, variant };
  }

  #variant(setting: StoredSetting, name: string): InterpreterVariant | undefined {
    const { variants = {} } = this.spec(setting);
    return Object.hasOwn(variants, name) ? variants[name] : undefined;
  }

  /**
   * Returns the interpreter that a magic selects on a note, or the note's default without a magic;
   * `undefined` if there is none.
   * @param options the options of the magic
   */
  find(
    magic: string | undefined,
    note: StoredNote,
    options: Readonly<Record<string, string>> = {},
  ): FoundInterpreter | undefined {
    const found = this.#lookUp(magic, note, options);
    if (!found) return undefined;
    const { setting, variant } = found;
    const other = variant === undefined ? undefined : this.#variant(setting, variant);
    const spec = this.spec(setting);
    const { editor } = other ?? spec;
    const { isTerminal } = other ?? {};
    const language = spec.kernel ? 'jupyter' : editor.language;
    return { name: setting.id, group: setting.group, editor, language, variant, isTerminal };
  }

  /**
   * Explains why a magic has no interpreter, and names those that its user may use. The text starts
   * with Zeppelin's words, which other programs look for.
   * @param note the note whose default is meant without a magic
   */
  explain(magic: string | undefined, by: Requester, note?: StoredNote): string {
    const wanted = magic ?? (note && importedDefault(note)) ?? '';
    const [place = ''] = wanted.split('.');
    const off = this.#options.settings
      .all()
      .find(
        (setting) =>
          this.spec(setting).shell && (setting.id === place || isNamed(this.spec(setting), place)),
      );
    if (off)
      return (
        `Interpreter ${wanted} is turned off on this server: more than one person signs in. ` +
        'An administrator can turn it on with --shell.'
      );
    const usable = this.usable().filter(
      (setting) => this.mayUse(setting, by.principal) && mayUseInterpreter(by.embed, setting.id),
    );
    return missingInterpreter(
      wanted,
      usable.map((setting) => {
        const { aliases = [], variants = {} } = this.spec(setting);
        const others = Object.keys(variants).map((variant) => `${setting.id}.${variant}`);
        return {
          name: setting.id,
          others: setting.id === setting.group ? [...aliases, ...others] : others,
        };
      }),
      magic === undefined,
    );
  }

  /**
   * Says what a magic means in the Zeppelin that a note comes from, if it means something else
   * here: there, `%sql` of a note whose default is Spark is Spark SQL.
   */
  importedMeaning(magic: string | undefined, note: StoredNote): string | undefined {
    const group = importedDefault(note);
    if (magic === undefined || group === undefined) return undefined;
    const meant = `${group}.${magic}`;
    const [here, there] = [this.#lookUp(magic, note, {}), this.#lookUp(meant, note, {})];
    if (there && here?.setting === there.setting && here.variant === there.variant)
      return undefined;
    const advice = there
      ? `Use %${meant}.`
      : knownMagics.find(({ magics }) => magics.includes(meant))?.advice;
    return advice && `In the Zeppelin that this note comes from, %${magic} is %${meant}. ${advice}`;
  }

  mayUse({ option }: Pick<StoredSetting, 'option'>, principal: string): boolean {
    if (!option.setPermission) return true;
    const names = [accountOf(principal), ...this.#options.rolesOf(principal)];
    return option.owners.some((owner) => names.includes(owner));
  }

  /** Returns the bindings of a note: bound settings first, in their order, then the others. */
  bindings(note: StoredNote): InterpreterBinding[] {
    const settings = this.usable();
    const bound = note.bindings ?? settings.map(({ id }) => id);
    const order = [...bound, ...settings.map(({ id }) => id).filter((id) => !bound.includes(id))];
    return order.flatMap((id) => {
      const setting = settings.find((entry) => entry.id === id);
      return setting
        ? [
            {
              id,
              name: setting.name,
              selected: bound.includes(id),
              interpreters: interpreterGroup(this.spec(setting)),
            },
          ]
        : [];
    });
  }

  /**
   * Returns the setting whose tables a run can see: the first SQL setting that its note binds, else
   * `sql`.
   */
  tables(principal: string, bindings: readonly string[] | undefined): StoredSetting | undefined {
    const all = this.usable().filter(
      (setting) => setting.group === 'sql' && this.mayUse(setting, principal),
    );
    const bound = bindings?.map((id) => all.find((setting) => setting.id === id)).find(Boolean);
    return bound ?? all.find(({ id }) => id === 'sql') ?? all[0];
  }
}

const isNamed = (spec: InterpreterSpec, name: string): boolean =>
  spec.name === name || (spec.aliases?.includes(name) ?? false);

/** Returns the default interpreter of an imported note unless interpreters were bound here. */
const importedDefault = ({ bindings, defaultInterpreterGroup }: StoredNote): string | undefined =>
  bindings ? undefined : defaultInterpreterGroup || undefined;

const selected = (setting: StoredSetting | undefined): Selected | undefined =>
  setting && { setting };
