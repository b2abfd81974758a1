/** Users' credentials for data sources. Each user can see and change only their own. */

import { Refusal } from '../../base/errors.ts';
import type { RestHandlers } from '../context.ts';

export const credentialsRest = {
  listCredentials: ({ person }, { credentials }) => ({
    userCredentials: credentials.list(person.principal),
  }),
  putCredential: ({ person, body }, { credentials, settings }) =>
    credentials.put(person.principal, body, (entity) => settings.serverOf(entity)),
  deleteCredential: async ({ person, params }, { credentials }) => {
    const entity = params['entity'] ?? '';
    if (!(await credentials.remove(person.principal, entity)))
      throw new Refusal(404, `No such credential: ${entity}`);
  },
  deleteCredentials: ({ person }, { credentials }) => credentials.clear(person.principal),
} satisfies Partial<RestHandlers>;
