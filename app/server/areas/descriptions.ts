/** The protocol's own description, for generators and for people who write clients. */
import type { RestHandlers, ServerContext } from '../context.ts';
import { asyncApi } from '../describe/asyncapi.ts';
import { docs } from '../describe/docs.ts';
import { openApi } from '../describe/openapi.ts';
import type { JsonSchema } from '../describe/schemas.ts';

const made = new WeakMap<ServerContext, Map<string, JsonSchema>>();

/** Some hundred milliseconds of work, once a server. */
function once(context: ServerContext, make: typeof openApi): JsonSchema {
  const all = made.get(context) ?? new Map<string, JsonSchema>();
  made.set(context, all);
  const found = all.get(make.name) ?? make(context.options.publicUrl ?? context.url(), docs);
  all.set(make.name, found);
  return found;
}

/** REST calls. */
export const descriptionsRest = {
  openApi: (_, context) => once(context, openApi),
  asyncApi: (_, context) => once(context, asyncApi),
} satisfies Partial<RestHandlers>;
