/** The protocol as others describe theirs. */
import { asyncApi } from './asyncapi.ts';
import { docs } from './docs.ts';
import { openApi } from './openapi.ts';
import type { JsonSchema } from './schemas.ts';

/** REST calls as OpenAPI 3.1 and live operations as AsyncAPI 3, of a server at `url`; a server answers its own at `/api/openapi.json` and `/api/asyncapi.json`. */
export const describe = (
  url = 'http://127.0.0.1:8080',
): { openapi: JsonSchema; asyncapi: JsonSchema } => ({
  openapi: openApi(url, docs),
  asyncapi: asyncApi(url, docs),
});
