/** What an administrator sees and sets of the server itself. */
import { join } from 'node:path';
import type { NoteStorage } from 'tiding/protocol';
import { COMMAND_LINE_NAME, commandLineFile } from '../command-line.ts';
import type { RestHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Logger } from '../log.ts';
import { reloadNotes } from '../notes/reload.ts';
import { fileHeaders } from '../results/download.ts';
import { configurations } from './session.ts';

/** Levels as calls of this family name them; the log has them in lower case. */
const LEVELS = ['DEBUG', 'ERROR', 'FATAL', 'INFO', 'TRACE', 'WARN'] as const;
/** Name of the one logger there is. */
const LOGGER = 'root';

function setLevel(log: Logger, level: string): void {
  const known = LEVELS.find((each) => each === level);
  if (!known)
    throw new Refusal(406, `Please check LOG level specified. Valid values: ${LEVELS.join(', ')}`);
  log.level = known.toLowerCase();
}

/** The loggers; `OFF` is a level that is set at the start alone. */
const loggers = (log: Logger) => [
  { name: LOGGER, level: log.level === 'silent' ? 'OFF' : log.level.toUpperCase() },
];

/** Notes are files of one folder; it is an option of the start, and nothing of it can be set while the server runs. */
const storage = ({ options }: ServerContext): NoteStorage => ({
  name: 'FileNotebookRepo',
  className: 'tiding.FileNotebookRepo',
  settings: [
    { type: 'INPUT', name: 'Notebook Path', value: [], selected: join(options.data, 'notebook') },
  ],
});

/** REST calls. */
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
      'Nothing of this storage can be set while the server runs: its folder is the option --data.',
    );
  },
  setLogLevel: ({ params, person }, { log }) => {
    setLevel(log, params['level'] ?? '');
    log.warn(
      { event: 'log-level', principal: person.principal, level: log.level },
      'the level of the log was set',
    );
  },
  getLogger: ({ query }, { log }) => {
    const name = query.get('name');
    if (name && name !== LOGGER) throw new Refusal(404, `No such logger: ${name}`);
    return loggers(log);
  },
  setLogger: ({ body, person }, { log }) => {
    if (body.name !== LOGGER) throw new Refusal(404, `No such logger: ${body.name}`);
    setLevel(log, body.level);
    log.warn(
      { event: 'log-level', principal: person.principal, level: log.level },
      'the level of the log was set',
    );
    return loggers(log);
  },
  commandLine: async (_, { url, options }) =>
    new Response(await commandLineFile(options.publicUrl ?? url()), {
      headers: fileHeaders(COMMAND_LINE_NAME, 'application/octet-stream'),
    }),
} satisfies Partial<RestHandlers>;
