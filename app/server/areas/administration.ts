/** What an administrator sees and sets of the server itself. */
import { join } from 'node:path';
import type { NoteStorage } from 'tiding/protocol';
import type { RestHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Logger } from '../log.ts';
import { reloadNotes } from '../notes/reload.ts';
import { fileHeaders } from '../results/download.ts';
import { SERVER_VERSION } from '../version.ts';
import { configurations } from './session.ts';

/** Levels as calls of this family name them; the log has them in lower case. */
const LEVELS = ['DEBUG', 'ERROR', 'FATAL', 'INFO', 'TRACE', 'WARN'] as const;
/** Name of the one logger there is. */
const LOGGER = 'root';

function setLevel(log: Logger, level: string): void {
  const known = LEVELS.find((each) => each === level);
  if (!known) throw new Refusal(406, `Please check LOG level specified. Valid values: ${LEVELS.join(', ')}`);
  log.level = known.toLowerCase();
}

/** The loggers; `OFF` is a level that is set at the start alone. */
const loggers = (log: Logger) => [{ name: LOGGER, level: log.level === 'silent' ? 'OFF' : log.level.toUpperCase() }];

/** Notes are files of one folder; it is an option of the start, and nothing of it can be set while the server runs. */
const storage = ({ options }: ServerContext): NoteStorage => ({
  name: 'FileNotebookRepo',
  className: 'tiding.FileNotebookRepo',
  settings: [{ type: 'INPUT', name: 'Notebook Path', value: [], selected: join(options.data, 'notebook') }],
});

const commands = (url: string) => `Tiding ${SERVER_VERSION} on the command line
${'='.repeat(SERVER_VERSION.length + 27)}

The package 'tiding' has the command, the server and the client. It needs Node 20.19 or newer.

  npx tiding                      serve a workbench of your own on http://127.0.0.1:8080
  npx tiding --help               every command and option

Scripts use the client; the token is made on the page of access tokens:

  npm install tiding
  TIDING_TOKEN=... node script.mjs

  // script.mjs
  import { createClient } from 'tiding/client';
  const client = createClient({ server: '${url}', auth: { token: process.env.TIDING_TOKEN } });
  for (const note of await client.notes.list()) console.log(note.id, note.path ?? note.name);
  client.close();
`;

/** REST calls. */
export const administrationRest = {
  configurationsByPrefix: ({ params }, context) =>
    Object.fromEntries(Object.entries(configurations(context)).filter(([key]) => key.startsWith(params['prefix'] ?? ''))),
  clientConfiguration: (_, { options }) => ({ wsMaxMessageSize: options.maxMessageBytes }),
  listStorages: (_, context) => [storage(context)],
  reloadStorages: (_, context) => reloadNotes(context),
  updateStorage: ({ body }, context) => {
    const { name, className } = storage(context);
    if (body.name !== className && body.name !== name) throw new Refusal(404, `No such storage: ${body.name}`);
    throw new Refusal(406, 'Nothing of this storage can be set while the server runs: its folder is the option --data.');
  },
  setLogLevel: ({ params, person }, { log }) => {
    setLevel(log, params['level'] ?? '');
    log.warn({ event: 'log-level', principal: person.principal, level: log.level }, 'the level of the log was set');
  },
  getLogger: ({ query }, { log }) => {
    const name = query.get('name');
    if (name && name !== LOGGER) throw new Refusal(404, `No such logger: ${name}`);
    return loggers(log);
  },
  setLogger: ({ body, person }, { log }) => {
    if (body.name !== LOGGER) throw new Refusal(404, `No such logger: ${body.name}`);
    setLevel(log, body.level);
    log.warn({ event: 'log-level', principal: person.principal, level: log.level }, 'the level of the log was set');
    return loggers(log);
  },
  commandLine: (_, { url }) => new Response(commands(url()), { headers: fileHeaders('tiding-command-line.txt', 'application/octet-stream') }),
} satisfies Partial<RestHandlers>;
