/** What speaks with a server: the schemas of the protocol, the decoder of frames, REST. Loaded with the first call. */
export { decode } from './channel/decode.ts';
export { endpoints, sentOperations } from './protocol/index.ts';
export { createHttp } from './rest/http.ts';
