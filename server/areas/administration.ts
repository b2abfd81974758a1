/** Administration of the server itself: log levels and storage. */
import { join } from 'node:path';
import type { NoteStorage } from '@tiding/client/protocol';
import type { ActingUser } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../logging/log.ts';
import { reloadNotes } from '../notes/reload.ts';
import { fileHeaders } from '../results/download.ts';
import { configurations } from './account/session.ts';
import { COMMAND_LINE_NAME, commandLineFile } from './command-line.ts';
import type { GatewayContext, RestHandlers, ServerContext } from './context.ts';

/** Log levels as Zeppelin spells them; pino uses lower case. */
const LEVELS = ['DEBUG', 'ERROR', 'FATAL', 'INFO', 'TRACE', 'WARN'] as const;
/** Name of the only logger. */
const LOGGER = 'root';

function setLevel(level: string, { principal }: ActingUser, { log }: ServerContext): void {
  const known = LEVELS.find((each) => each === level);
  if (!known)
    throw new Refusal(406, `Please check LOG level specified. Valid values: ${LEVELS.join(', ')}`);
  log.level = known.toLowerCase();
  log.warn({ event: 'log-level', principal, level: log.level }, 'log level changed');
}

/** Lists the loggers. `OFF` can only be set at startup. */
const loggers = (log: Logger) => [
  { name: LOGGER, level: log.level === 'silent' ? 'OFF' : log.level.toUpperCase() },
];

/**
 * Describes the note storage. It is a folder given at startup and can't be changed while the server
 * runs.
 */
const storage = ({ options }: ServerContext): NoteStorage => ({
  name: 'FileNotebookRepo',
  className: 'tiding.FileNotebookRepo',
  settings: [
    { type: 'INPUT', name: 'Notebook Path', value: [], selected: join(options.data, 'notebook') },
  ],
});

export const administrationRest = {
  configurationsByPrefix: ({ params }, context) =>
    Object.fromEntries(
      Object.entries(configurations(context)).filter(([key]) =>
        key.startsWith(params['prefix'] ?? ''),
      ),
    ),
  clientConfiguration: (_, { options }) => ({ wsMaxMessageSize: options.maxMessageBytes }),
  listStorages: (_, context) => [storage(context)],
  reloadStorages: (_, context) => reloadNotes(context),
  updateStorage: ({ body }, context) => {
    const { name, className } = storage(context);
    if (body.name !== className && body.name !== name)
      throw new Refusal(404, `No such storage: ${body.name}`);
    throw new Refusal(
      406,
      'Storage settings cannot be changed while the server runs. ' +
        'Restart it with another --data folder.',
    );
  },
  setLogLevel: ({ params, person }, context) => setLevel(params['level'] ?? '', person, context),
  getLogger: ({ query }, { log }) => {
    const name = query.get('name');
    if (name && name !== LOGGER) throw new Refusal(404, `No such logger: ${name}`);
    return loggers(log);
  },
  setLogger: ({ body, person }, context) => {
    if (body.name !== LOGGER) throw new Refusal(404, `No such logger: ${body.name}`);
    setLevel(body.level, person, context);
    return loggers(context.log);
  },
} satisfies Partial<RestHandlers>;

/** REST handler that downloads the command-line program. */
export const commandLineRest = {
  commandLine: async (_, { url, options }) =>
    new Response(await commandLineFile(options.publicUrl ?? url()), {
      headers: fileHeaders(COMMAND_LINE_NAME, 'application/octet-stream'),
    }),
} satisfies Partial<RestHandlers<GatewayContext>>;
