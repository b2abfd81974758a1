/** The MCP server over streamable HTTP: one session for each caller, and the checks before it. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Client } from '@tiding/client';
import { wrongUsage } from '../command.ts';
import { CommandError, EXIT } from '../exit.ts';
import type { McpSession } from './server.ts';

/** Sessions at a time. Many agents never close theirs, so a new one ends the longest unused. */
export const MAX_MCP_SESSIONS = 100;

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const isLoopbackName = (host: string) =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Whether only programs on this machine reach the address. */
export const isLoopback = ({ host }: ListenAddress): boolean => isLoopbackName(host);

/** Reads `[host:]port`; without a host it is 127.0.0.1. */
export function listenAddress(text: string): ListenAddress {
  const found = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text);
  const port = Number(found?.[3]);
  if (!found || port > 65_535)
    throw wrongUsage(`--http '${text}' is not [host:]port, such as 8811 or 127.0.0.1:8811`, 'mcp');
  return { host: found[1] ?? found[2] ?? '127.0.0.1', port };
}

/** A signed-in caller. `close` is absent if the client is shared. */
export interface Caller {
  readonly client: Client;
  readonly close?: () => void;
}

interface HttpOptions {
  readonly address: ListenAddress;
  /** Names by which callers may address this server, besides `address` itself. */
  readonly names: readonly string[];
  /**
   * Signs a caller in with their access token, or without one on a loopback address. Throws if
   * the token is rejected.
   */
  readonly signIn: (token: string | undefined) => Promise<Caller>;
  readonly createSession: (client: Client) => McpSession;
}

interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly session: McpSession;
  readonly credential: Buffer;
  readonly close: () => Promise<void>;
  lastUsed: number;
  requests: number;
}

const hashOf = (token: string | undefined) =>
  createHash('sha256')
    .update(token ?? '')
    .digest();

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** Returns the host name of a `Host` header, without port and brackets. */
function hostNameOf(header: string | undefined): string | undefined {
  if (header === undefined || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '');
}

/** Starts the server. Resolves when it listens. */
export async function serveHttp(options: HttpOptions): Promise<{
  url: string;
  close: () => Promise<void>;
}> {
  const { address } = options;
  const local = isLoopback(address);
  const isOwnName = (name: string | undefined) =>
    name !== undefined &&
    (name === address.host || options.names.includes(name) || (local && isLoopbackName(name)));
  const sessions = new Map<string, HttpSession>();

  const begin = async (
    token: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    let caller: Caller;
    try {
      caller = await options.signIn(token);
    } catch (error) {
      const status = error instanceof CommandError && error.exitCode === EXIT.denied ? 401 : 502;
      const challenge: Record<string, string> =
        status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {};
      return refuse(response, status, (error as Error).message, challenge);
    }
    if (sessions.size >= MAX_MCP_SESSIONS) {
      const unused = [...sessions.values()].filter(({ requests }) => requests === 0);
      await unused.sort((a, b) => a.lastUsed - b.lastUsed)[0]?.close();
    }
    if (sessions.size >= MAX_MCP_SESSIONS) {
      caller.close?.();
      return refuse(response, 503, 'Too many sessions are in use. Close one, or try again later.');
    }
    const session = options.createSession(caller.client);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, entry),
    });
    let closing: Promise<void> | undefined;
    const close = () =>
      (closing ??= (async () => {
        if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
        // This aborts calls that are being answered, which cancels their runs on the server.
        await session.server.close();
        await session.idle();
        caller.close?.();
      })());
    const entry: HttpSession = {
      transport,
      session,
      credential: hashOf(token),
      close,
      lastUsed: Date.now(),
      requests: 0,
    };
    session.server.onclose = () => void close();
    // The declared type of `onclose` lacks `undefined`, which this project's settings distinguish.
    await session.server.connect(transport as Parameters<typeof session.server.connect>[0]);
    await pass(entry, request, response);
    // It was not an initialization, and the transport has refused it.
    if (transport.sessionId === undefined) await close();
  };

  const pass = async (
    entry: HttpSession,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    entry.requests += 1;
    entry.lastUsed = Date.now();
    response.once('close', () => {
      entry.requests -= 1;
      entry.lastUsed = Date.now();
    });
    await entry.transport.handleRequest(request, response);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host, origin, authorization } = request.headers;
    // DNS rebinding: a page of another name that resolves to this address.
    if (!isOwnName(hostNameOf(host)))
      return refuse(response, 403, `This server is not called '${host ?? ''}'. See --allow-host.`);
    if (origin !== undefined)
      return refuse(response, 403, 'Pages in a browser may not use this server.');
    if (request.url?.split('?')[0] !== '/mcp')
      return refuse(response, 404, 'The address of the MCP server is /mcp.');
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined && (!local || authorization !== undefined))
      return refuse(
        response,
        401,
        'Send an access token of the Tiding server: Authorization: Bearer TOKEN.',
        { 'WWW-Authenticate': 'Bearer' },
      );
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return begin(token, request, response);
    const entry = sessions.get(String(id));
    // A session belongs to the token that began it.
    if (!entry || !timingSafeEqual(entry.credential, hashOf(token)))
      return refuse(response, 404, 'There is no such session. Initialize a new one.');
    return pass(entry, request, response);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'The request failed. Try again.');
      else response.destroy();
    });
  });
  server.listen(address.port, address.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      EXIT.failed,
      `${address.host}:${address.port} can't be used (${error.code ?? error.message})`,
      'Choose another port.',
    );
  });
  const { port } = server.address() as AddressInfo;
  const shown = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${shown}:${port}/mcp`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...sessions.values()].map(({ close }) => close()));
      server.closeAllConnections();
      await closed;
    },
  };
}
