/** Values that the pages of a note share. */

import { PAGE_GROUP } from '../../run/shared-values.ts';
import type { LiveHandlers, ServerContext } from '../context.ts';

interface Place {
  readonly noteId: string;
  readonly paragraphId?: string | null | undefined;
}
const placeOf = ({ noteId, paragraphId }: Place, { notes }: ServerContext) => ({
  note: notes.get(noteId),
  paragraphId: paragraphId || undefined,
});

/** Live handlers for shared values. */
export const angularLive = {
  ANGULAR_OBJECT_UPDATED: ({ data, connection, person }, context) =>
    context.values.changedByPage(
      placeOf(data, context),
      data.interpreterGroupId,
      data.name,
      data.value,
      person,
      connection,
    ),
  ANGULAR_OBJECT_CLIENT_BIND: ({ data }, context) =>
    context.values.put(placeOf(data, context), PAGE_GROUP, data.name, data.value),
  ANGULAR_OBJECT_CLIENT_UNBIND: ({ data }, context) =>
    context.values.remove(placeOf(data, context), data.name),
} satisfies Partial<LiveHandlers>;
