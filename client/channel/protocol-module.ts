/** Everything needed to talk to a server: protocol schemas, frame decoder and REST client. */

export { endpoints, sentOperations } from '../protocol/index.ts';
export { createRestClient } from '../rest/rest-client.ts';
export { decodeFrame } from './decode.ts';
