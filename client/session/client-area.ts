import type { ClientContext } from './client-context.ts';

/** A group of calls of the client, such as those on notes. */
export abstract class ClientArea {
  /** @internal */
  protected readonly context: ClientContext;

  /** @internal */
  constructor(context: ClientContext) {
    this.context = context;
  }
}
