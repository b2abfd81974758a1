/** Machine-readable descriptions of the protocol, for code generators and authors of clients. */

import { asyncApi } from '../describe/asyncapi.ts';
import { docs } from '../describe/docs.ts';
import { openApi } from '../describe/openapi.ts';
import type { JsonSchema } from '../describe/schemas.ts';
import type { GatewayContext, RestHandlers } from './context.ts';

const made = new WeakMap<GatewayContext, Map<string, JsonSchema>>();

/** Generates a description once per server; it takes a few hundred milliseconds. */
function once(context: GatewayContext, make: typeof openApi): JsonSchema {
  const all = made.get(context) ?? new Map<string, JsonSchema>();
  made.set(context, all);
  const found = all.get(make.name) ?? make(context.options.publicUrl ?? context.url(), docs);
  all.set(make.name, found);
  return found;
}

/** REST handlers for the protocol descriptions. */
export const descriptionsRest = {
  openApi: (_, context) => once(context, openApi),
  asyncApi: (_, context) => once(context, asyncApi),
} satisfies Partial<RestHandlers<GatewayContext>>;
