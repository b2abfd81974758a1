/** `tiding whoami`: prints the user of the connection. */
import { command } from '../command.ts';
import { connectionOptions, SECRETS, withClient } from '../connection.ts';
import { EXIT } from '../exit.ts';

export default command({
  summary: 'Print the name of the user that commands act as',
  options: {
    json: { help: 'print one JSON object: {"server", "user", "roles"}' },
    ...connectionOptions,
  },
  details: ['The exit code is 4 if nobody is signed in.', SECRETS],
  examples: [['tiding whoami --json | jq -r .roles[]', 'list the roles of the user']],
  run: ({ io, values, terminal }) =>
    withClient({ io, values }, async (client) => {
      const { principal: user } = await client.session.ticket();
      const { roles } = client.session;
      await terminal.line(
        values.json ? JSON.stringify({ server: client.server, user, roles }) : user,
      );
      return EXIT.done;
    }),
});
