/** Bytes in the bundle of a host, which are the same in each run. */
import { clientBytes, widgetBytes } from '../../scripts/host-bundles.mjs';
import { series } from './statistics.mjs';

export const title = 'Bundled by a host, without React';

/** Measures the section. */
export async function measure() {
  const client = series('@tiding/client, to start: bytes, gzip', 'kB', { goal: 15 });
  const widget = series('one display widget from plain data: bytes, gzip', 'kB', { goal: 60 });
  client.add((await clientBytes()).first / 1e3);
  widget.add((await widgetBytes()) / 1e3);
  return [client, widget];
}
