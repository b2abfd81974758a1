import type { CallOptions } from '../core/abort.ts';
import { ClientArea } from '../session/client-area.ts';
import type { Envelope } from '../widgets/shared/envelope.ts';

/**
 * Objects in the catalog of the `%magpie` language, as widgets display them. Tiding servers only;
 * others reject with `unsupported`.
 */
export class ObjectsApi extends ClientArea {
  /**
   * Returns the data that a widget displays for an object. Profiles and relationships are computed
   * on request. Rejects with status 404 if there is no such object or the user may not see it, and
   * with status 422 if the engine fails.
   *
   * @example
   * const profile = await client.objects.get('data-set-profile', 'core.trips');
   * const graph = await client.objects.get('job-graph', 'flights.daily_load');
   */
  get(widget: string, name: string, options: CallOptions = {}): Promise<Envelope> {
    return this.context.call('getObject', { ...options, params: { widget, name } });
  }
}
