/** `tiding history`: lists the last runs of a note. */
import { wrongUsage } from '../command.ts';
import { clientCommand, findNote } from '../connection.ts';

export default clientCommand({
  summary: 'List the last runs of a note, the latest first',
  argument: ['<note>', 'id or full path of the note'],
  options: {
    limit: { short: 'n', value: 'number', help: 'maximum number of runs; default: all, up to 50' },
    json: { help: 'print one JSON object per line: {"start", "end", "status", "user", "tookMs"}' },
  },
  details: [
    'Prints one run of the whole note per line: start, status, seconds and user, separated by ' +
      'tabs. Times are in UTC. Runs of single paragraphs are not recorded.',
  ],
  examples: [
    ['tiding history nightly -n 5', 'print the last five runs'],
    [
      'tiding history nightly --json | jq -r "select(.status != \\"FINISHED\\") | .start"',
      'list failures',
    ],
  ],
  run: ({ connect, values, args: [name = ''], terminal }) => {
    const limit = Number(values.limit ?? 50);
    if (!Number.isInteger(limit) || limit < 1)
      throw wrongUsage(`--limit '${values.limit}' is not a whole number of at least 1`, 'history');
    return connect(async (client) => {
      const { id, path } = await findNote(client, name);
      const runs = (await client.jobs.history(id)).toReversed().slice(0, limit);
      for (const { start, end, status, who } of runs) {
        const at = new Date(start).toISOString();
        const tookMs = end - start;
        await terminal.line(
          values.json
            ? JSON.stringify({
                start: at,
                end: new Date(end).toISOString(),
                status,
                user: who,
                tookMs,
              })
            : [at, status, (tookMs / 1000).toFixed(1), who].join('\t'),
        );
      }
      if (runs.length === 0) terminal.status(`${path} has not been run as a whole`);
    });
  },
});
