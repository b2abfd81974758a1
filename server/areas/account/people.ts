/** User search, and password resets. */

import { Refusal } from '../../base/errors.ts';
import type { GatewayContext, RestHandlers } from '../context.ts';

/** Maximum number of users returned for part of a name. */
const MAX_USERS = 5;

/** REST handlers for users and password resets. */
export const peopleRest = {
  findPrincipals: async ({ params }, { users }) => {
    await users.refresh();
    const term = (params['term'] ?? '').toLowerCase();
    const matching = (names: readonly string[]) => {
      const found = names.filter((name) => name.toLowerCase().includes(term));
      const first = (name: string) => name.toLowerCase().startsWith(term);
      return [...found.filter(first), ...found.filter((name) => !first(name))];
    };
    return { users: matching(users.names).slice(0, MAX_USERS), roles: matching(users.roles) };
  },
  principals: async (_, { users }) => {
    await users.refresh();
    return { users: users.names, roles: users.roles };
  },
  requestPasswordReset: ({ body, address, setStatus }, { passwordResets, options }) => {
    if (options.loginMode === 'SsoOnly')
      throw new Refusal(403, 'This server has no passwords. Use single sign-on.');
    const name = body.username.trim();
    if (name === '') throw new Refusal(400, 'Enter a user name.');
    passwordResets.request(name, address);
    setStatus(202);
    return {};
  },
  checkPasswordReset: async ({ params }, { passwordResets }) => ({
    valid: true,
    ...(await passwordResets.check(params['resetToken'] ?? '')),
  }),
  resetPassword: async ({ params, body, session }, { passwordResets }) => {
    await passwordResets.use(params['resetToken'] ?? '', body.newPassword, session?.key);
    return {};
  },
} satisfies Partial<RestHandlers<GatewayContext>>;
