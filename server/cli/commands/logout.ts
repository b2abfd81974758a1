/** `tiding logout`: removes a stored login. */
import { createClient } from '@tiding/client';
import { command } from '../command.ts';
import { serverOf } from '../connection.ts';
import { CommandError, EXIT } from '../exit.ts';
import { readLogins, storeLogin } from '../logins.ts';

/** Time limit for removing the token on the server, in ms. */
const REMOVE_MS = 5_000;

export default command({
  summary: 'Remove the stored login of a server',
  options: {
    server: { value: 'url', help: 'server URL; default: that of the last login' },
    json: { help: 'print one JSON object: {"server", "user", "revoked"}' },
  },
  details: [
    "If 'tiding login' created the token, it is revoked on the server as well, as far as the " +
      'server can be reached.',
  ],
  examples: [['tiding logout', 'sign out of the default server']],
  async run({ io, values, terminal }) {
    const server = await serverOf(io, values);
    const login = (await readLogins(io)).servers[server];
    if (!login) throw new CommandError(EXIT.failed, `there is no stored login for ${server}`);
    const { token, tokenId, user } = login;
    const client = createClient({ server, auth: { token }, timeout: REMOVE_MS });
    const revoked =
      tokenId !== undefined &&
      (await client.tokens.remove(tokenId).then(
        () => true,
        () => false,
      ));
    client.close();
    await storeLogin(io, server, undefined);
    if (values.json) await terminal.line(JSON.stringify({ server, user, revoked }));
    else
      terminal.status(
        `${user} is signed out of ${server}` +
          (revoked ? '' : '; the token stays valid until it expires or is revoked'),
      );
    return EXIT.done;
  },
});
