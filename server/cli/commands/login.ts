/** `tiding login`: stores an access token for a server. */
import { hostname } from 'node:os';
import { isHttpError } from '@tiding/client';
import { command, wrongUsage } from '../command.ts';
import { serverOf, withClient } from '../connection.ts';
import { CommandError, EXIT } from '../exit.ts';
import { loginsFile, type StoredLogin, storeLogin } from '../logins.ts';
import { readPassword } from '../secret.ts';

export default command({
  summary: 'Sign in to a server, for all following commands',
  options: {
    server: { value: 'url', help: 'server URL; default: as for other commands' },
    user: { value: 'name', help: 'create an access token for this user, with their password' },
    withToken: { help: 'read an existing access token from standard input' },
    days: { value: 'number', help: 'days until the new token expires; default: 90' },
    json: { help: 'print one JSON object: {"server", "user"}' },
  },
  details: [
    'Stores an access token in the file logins.json of the folder tiding in XDG_CONFIG_HOME or ' +
      '~/.config, readable by you only. The server becomes the default of other commands. A ' +
      'token in TIDING_TOKEN takes precedence.',
    'The password or token is prompted for, or read from standard input.',
  ],
  examples: [
    ['tiding login --server https://notes.example.com --user ann', 'sign in with a password'],
    ['tiding login --with-token < token.txt', 'sign in with a token'],
  ],
  async run({ io, values, terminal }) {
    if ((values.user === undefined) === (values.withToken !== true))
      throw wrongUsage('use either --user <name> or --with-token', 'login');
    const days = Number(values.days ?? 90);
    if (!(days >= 1 && days <= 3650))
      throw wrongUsage(`--days '${values.days}' is not a number from 1 to 3650`, 'login');
    const server = await serverOf(io, values);
    const given = values.withToken ? (await readPassword(io, 'Token: ')).trim() : '';
    if (values.withToken && given === '')
      throw new CommandError(EXIT.usage, 'no token was given on standard input');
    const { user } = values;
    const login = await withClient(
      {
        io: { ...io, env: { ...io.env, TIDING_TOKEN: given } },
        values: { server, ...(user === undefined ? {} : { user }) },
      },
      async (client): Promise<StoredLogin> => {
        const { principal } = await client.session.ticket();
        if (values.withToken) return { user: principal, token: given };
        const description = `tiding login on ${hostname()}`;
        const { token = '', tokenId } = await client.tokens
          .create({ description, expiresInDays: days })
          .catch((error: unknown) => {
            throw isHttpError(error, 403)
              ? new CommandError(
                  EXIT.denied,
                  `${principal} may not create access tokens`,
                  'Ask an administrator for the role magpie.AccessToken, or use --with-token.',
                )
              : error;
          });
        return { user: principal, token: token ?? '', tokenId };
      },
    );
    await storeLogin(io, server, login);
    if (values.json) await terminal.line(JSON.stringify({ server, user: login.user }));
    else terminal.status(`signed in to ${server} as ${login.user}; stored in ${loginsFile(io)}`);
    return EXIT.done;
  },
});
