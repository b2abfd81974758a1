import { EventEmitter } from 'eventemitter3';
import type { ClientEvent, ClientEvents } from './events.ts';
import { guardListener } from './guard-listener.ts';
import type { ClientState } from './state.ts';
import type { StateStore } from './store.ts';

/** The events of a client. */
interface EventBus {
  /** Passes an event through the reducers, then to the listeners. */
  emit(event: ClientEvent): void;
  /** Adds a listener; returns a function that removes it. */
  on<Name extends keyof ClientEvents>(name: Name, listener: ClientEvents[Name]): () => void;
}

/** Creates the event bus of a client, which dispatches every event to its store first. */
export function createEventBus(store: StateStore<ClientState, ClientEvent>): EventBus {
  const emitter = new EventEmitter<ClientEvents>();
  const raise = emitter.emit.bind(emitter) as (name: string, event: ClientEvent) => void;
  const add = emitter.on.bind(emitter) as (name: string, listener: unknown) => void;
  const remove = emitter.off.bind(emitter) as (name: string, listener: unknown) => void;
  return {
    emit(event) {
      store.dispatch(event);
      raise(event.type, event);
      raise('event', event);
    },
    on(name, listener) {
      const heard = guardListener(listener as (event: unknown) => void);
      add(name, heard);
      return () => remove(name, heard);
    },
  };
}

/**
 * Resolves when `isDone` is true, now or after an event; or earlier, when `until` settles. Rejects
 * if `until` does.
 */
export async function eventsUntil(
  { on }: Pick<EventBus, 'on'>,
  isDone: () => boolean,
  until: Promise<unknown>,
): Promise<void> {
  if (isDone()) return;
  let stop = () => {};
  const done = new Promise<void>(
    (resolve) => (stop = on('event', () => void (isDone() && resolve()))),
  );
  await Promise.race([done, until]).finally(stop);
}
