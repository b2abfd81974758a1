/** `tiding whoami`: prints the user of the connection. */
import { clientCommand } from '../connection.ts';

export default clientCommand({
  summary: 'Print the name of the user that commands act as',
  options: {
    json: { help: 'print one JSON object: {"server", "user", "roles"}' },
  },
  details: ['The exit code is 4 if nobody is signed in.'],
  examples: [['tiding whoami --json | jq -r .roles[]', 'list the roles of the user']],
  run: ({ connect, values, terminal }) =>
    connect(async (client) => {
      const { principal: user } = await client.session.ticket();
      const { roles } = client.session;
      await terminal.line(
        values.json ? JSON.stringify({ server: client.server, user, roles }) : user,
      );
    }),
});
