/** Objects of the platform, as the display widgets show them. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type { Envelope } from '../widgets/envelope.ts';

/** Objects of the catalogue behind `%magpie`. Ours only: `unsupported` elsewhere. */
export class Objects {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * What a widget shows of an object: `get('data-set-profile', 'core.trips')`, `get('job-graph', 'flights.daily_load')`. Profiles and relationships are
   * computed for it. Rejects with 404 where there is no such object, or the caller may not see it; 422 where the engine fails.
   */
  get(widget: string, name: string, options: CallOptions = {}): Promise<Envelope> {
    return this.#context.call('getObject', { ...options, params: { widget, name } });
  }
}
