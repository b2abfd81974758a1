/** Who may talk to code that another request has started. */

import { Refusal } from '../../base/errors.ts';
import { requireInterpreter } from '../../run/embed-interpreters.ts';
import type { RunPlace } from '../../run/run-origin.ts';
import type { LiveRequest, ServerContext } from '../context.ts';

/**
 * Throws a refusal unless a user could run code in the same process: whoever types into running
 * code needs the same permissions as to run it.
 *
 * @param otherUser sentence for code in the process of another user
 */
export function requireRunPlace(
  { interpreter, group }: RunPlace,
  { noteId, person }: Pick<LiveRequest<'PING'>, 'noteId' | 'person'>,
  { pool, settings }: Pick<ServerContext, 'pool' | 'settings'>,
  otherUser: string,
): void {
  requireInterpreter(person.embed, interpreter);
  // Absent: the interpreter was turned off meanwhile.
  const setting = pool.setting(interpreter) && settings.get(interpreter);
  if (!setting || !pool.lookup.mayUse(setting, person.principal))
    throw new Refusal(
      403,
      `You don't have permission to use interpreter ${interpreter}.`,
      'forbidden',
    );
  const own = pool.valueGroup({ name: interpreter }, { noteId, principal: person.principal });
  if (own !== group) throw new Refusal(403, otherUser, 'forbidden');
}
