/** Everything needed to talk to a server: protocol schemas, channels and REST client. */

export { endpoints, sentOperations } from '../protocol/index.ts';
export { createRestClient } from '../rest/rest-client.ts';
export { ClientChannels } from './client-channels.ts';
