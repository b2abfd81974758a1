/**
 * Everything needed to talk to a server: protocol schemas, frame decoder and REST client. Loaded
 * with the first call.
 */
export { decodeFrame } from './channel/decode.ts';
export { endpoints, sentOperations } from './protocol/index.ts';
export { createRestClient } from './rest/rest-client.ts';
