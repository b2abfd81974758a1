/** Web servers that play the pages of others. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilEnd } from './until-end.ts';

/** Serves on a free port until the tests of the file are done; resolves with the origin. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = untilEnd(createServer(answer).listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
