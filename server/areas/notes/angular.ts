/** Values that the pages of a note share. */

import { PAGE_GROUP } from '../../run/shared-values.ts';
import type { LiveHandlers } from '../context.ts';

/** Live handlers for shared values. */
export const angularLive = {
  ANGULAR_OBJECT_UPDATED: async ({ data, connection, person }, { notes, values }) => {
    const place = { note: notes.get(data.noteId), paragraphId: data.paragraphId || undefined };
    await values.changedByPage(
      place,
      data.interpreterGroupId,
      data.name,
      data.value,
      person,
      connection,
    );
  },
  ANGULAR_OBJECT_CLIENT_BIND: async ({ data }, { notes, values }) => {
    await values.put(
      { note: notes.get(data.noteId), paragraphId: data.paragraphId || undefined },
      PAGE_GROUP,
      data.name,
      data.value,
    );
  },
  ANGULAR_OBJECT_CLIENT_UNBIND: async ({ data }, { notes, values }) => {
    await values.remove(
      { note: notes.get(data.noteId), paragraphId: data.paragraphId || undefined },
      data.name,
    );
  },
} satisfies Partial<LiveHandlers>;
