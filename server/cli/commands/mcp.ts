/** `tiding mcp`: lets AI agents use a server through the Model Context Protocol. */
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '@tiding/client';
import { wrongUsage } from '../command.ts';
import { clientCommand, withToken } from '../connection.ts';
import { EXIT } from '../exit.ts';
import { isLoopback, type ListenAddress, listenAddress, serveHttp } from '../mcp/http.ts';
import { createMcpServer, type McpSession } from '../mcp/server.ts';
import { GRANTS, type Grant } from '../mcp/tool.ts';
import type { CommandIo } from '../terminal.ts';

/** How long runs may take to stop when the program ends, in ms. */
const STOP_MS = 10_000;

export default clientCommand({
  summary: 'Let AI agents read, run and edit notes through the Model Context Protocol (MCP)',
  options: {
    allow: {
      value: 'grant',
      help: 'read (the default); run: also run notes; edit: also create and change notes',
    },
    confirm: { help: "ask a person before each run and edit; refuse if the agent can't ask" },
    log: { help: 'write one JSON line for each call to standard error' },
    http: {
      value: '[host:]port',
      help: 'serve streamable HTTP at /mcp instead of standard input; default host: 127.0.0.1',
    },
    allowHost: {
      multiple: true,
      value: 'name',
      help: 'host name by which agents reach --http; needed beyond this machine; repeatable',
    },
  },
  details: [
    'Without --http the agent starts the command and talks to it through standard input and ' +
      'output. It signs in like the other commands; the agent may do what the signed-in user ' +
      'may do, limited by --allow. Tools that are not allowed are not listed.',
    'With --http on a loopback address, every program on this machine may call it as the ' +
      'signed-in user. On other addresses each caller sends an access token of their own as ' +
      '"Authorization: Bearer TOKEN"; use a proxy with TLS in front.',
  ],
  examples: [
    ['tiding mcp', 'serve an agent that may only read'],
    ['tiding mcp --allow edit --confirm', 'allow runs and edits that a person confirms'],
    ['tiding mcp --http 8811 --allow run --log', 'serve programs on this machine'],
  ],
  async run({ connect, io, values, terminal }) {
    const allow = grantOf(values.allow);
    const createSession = (client: Client) =>
      createMcpServer({
        client,
        allow,
        confirm: values.confirm === true,
        log: values.log
          ? (record) => void io.stderr.write(`${JSON.stringify(record)}\n`)
          : () => {},
      });
    if (values.http === undefined) {
      if (values.allowHost) throw wrongUsage('--allow-host needs --http', 'mcp');
      if (values.user !== undefined)
        throw wrongUsage(
          '--user reads a password from standard input, which the agent uses. ' +
            "Set TIDING_TOKEN, run 'tiding login', or use --token-file",
          'mcp',
        );
      return connect((client) => serveStdio(io, createSession(client)), {
        autosave: 0,
      });
    }
    const address = listenAddress(values.http);
    const names = values.allowHost ?? [];
    if (isLoopback(address))
      return connect((client) => serve(address, names, client), { autosave: 0 });
    if (names.length === 0)
      throw wrongUsage(
        `--http ${values.http} can be reached by other machines: name this server with ` +
          '--allow-host <name>',
        'mcp',
      );
    return serve(address, names, undefined);

    async function serve(
      at: ListenAddress,
      hosts: readonly string[],
      shared: Client | undefined,
    ): Promise<number> {
      const { url, close } = await serveHttp({
        address: at,
        names: hosts,
        createSession,
        async signIn(token) {
          if (token === undefined && shared) return { client: shared };
          const client = await withToken({ io, values }, token ?? '', { autosave: 0 });
          return { client, close: () => client.close() };
        },
      });
      terminal.status(`MCP server at ${url}; agents may ${allow}`);
      const ended = await untilStopped(io);
      await atMost(close());
      return ended;
    }
  },
});

function grantOf(text: string | undefined): Grant {
  const grant = GRANTS.find((each) => each === (text ?? 'read'));
  if (!grant)
    throw wrongUsage(`--allow '${text}' is not a grant. Use one of ${GRANTS.join(', ')}`, 'mcp');
  return grant;
}

const atMost = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);

/** Resolves with the exit code when the process is told to stop. */
function untilStopped({ signals }: CommandIo, ...ends: Promise<unknown>[]): Promise<number> {
  return new Promise((resolve) => {
    const end = (code: number) => {
      signals.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
      resolve(code);
    };
    const onInterrupt = () => end(EXIT.interrupted);
    const onTerminate = () => end(EXIT.done);
    signals.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
    for (const each of ends) void each.then(() => end(EXIT.done));
  });
}

/** Serves one agent until it closes standard input. */
async function serveStdio(io: CommandIo, { server, idle }: McpSession): Promise<number> {
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    io.stdin.once('end', resolve).once('close', resolve);
  });
  await server.connect(new StdioServerTransport(io.stdin as Readable, io.stdout as Writable));
  const code = await untilStopped(io, closed);
  // This aborts calls that are being answered, which cancels their runs on the server.
  await server.close();
  await atMost(idle());
  return code;
}
