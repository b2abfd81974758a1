/** `tiding status`: prints what a server is and does. */
import { isTrashed } from '@tiding/client/model';
import { clientCommand } from '../connection.ts';
import { EXIT } from '../exit.ts';

export default clientCommand({
  summary: 'Print the version of a server, the user, and what is running',
  options: {
    json: {
      help:
        'print one JSON object: {"server", "version", "tiding", "user", "notes", "running"}; ' +
        'running lists {"id", "path"}',
    },
  },
  details: ['The exit code is 3 if the server cannot be reached, and 4 if nobody is signed in.'],
  examples: [['tiding status --json | jq ".running | length"', 'count the running notes']],
  run: ({ connect, values, terminal }) =>
    connect(async (client) => {
      const { version, tiding } = await client.connect();
      const { principal: user } = await client.session.ticket();
      const notes = await client.notes.list();
      const jobs = await client.jobs.list();
      const running = notes.filter(({ id }) =>
        jobs.some(({ noteId, isRunningJob }) => noteId === id && isRunningJob),
      );
      const count = notes.filter(({ path }) => !isTrashed(path)).length;
      const { server } = client;
      if (values.json) {
        const record = { server, version, tiding, user, notes: count, running };
        await terminal.line(JSON.stringify(record));
        return EXIT.done;
      }
      await terminal.line(`server   ${server}`);
      await terminal.line(
        `version  ${tiding === undefined ? `Zeppelin ${version}` : `Tiding ${tiding}`}`,
      );
      await terminal.line(`user     ${user}`);
      await terminal.line(`notes    ${count}`);
      await terminal.line(`running  ${running.map(({ path }) => path).join(', ') || 'nothing'}`);
    }),
});
