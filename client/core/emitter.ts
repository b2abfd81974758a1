type Listeners<Name extends string> = Record<Name, (...args: never[]) => void>;

/** Calls the listeners of named events. `Events` maps names to functions. */
export class Emitter<Events extends Listeners<keyof Events & string>> {
  readonly #listeners = new Map<keyof Events, Set<Events[keyof Events]>>();

  on<Name extends keyof Events>(name: Name, listener: Events[Name]): void {
    const known = this.#listeners.get(name);
    if (known) known.add(listener);
    else this.#listeners.set(name, new Set([listener]));
  }

  off<Name extends keyof Events>(name: Name, listener: Events[Name]): void {
    this.#listeners.get(name)?.delete(listener);
  }

  /** Calls the listeners that are registered now, in the order of their registration. */
  emit<Name extends keyof Events>(name: Name, ...args: Parameters<Events[Name]>): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(...args);
  }

  listenerCount(name: keyof Events): number {
    return this.#listeners.get(name)?.size ?? 0;
  }
}
