/** Machine-readable descriptions of the protocol: OpenAPI and AsyncAPI. */
import { asyncApi } from './asyncapi.ts';
import { docs } from './docs.ts';
import { openApi } from './openapi.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * Returns the REST calls as OpenAPI 3.1 and the live operations as AsyncAPI 3, for a server at
 * `url`. A server publishes its own at `/api/openapi.json` and `/api/asyncapi.json`.
 */
export const describeProtocol = (
  url = 'http://127.0.0.1:8080',
): { openapi: JsonSchema; asyncapi: JsonSchema } => ({
  openapi: openApi(url, docs),
  asyncapi: asyncApi(url, docs),
});
