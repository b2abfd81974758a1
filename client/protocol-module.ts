/**
 * Everything needed to talk to a server: protocol schemas, frame decoder, REST client, and the areas
 * that only make REST calls. Loaded with the first call.
 */

export { AdministrationApi } from './administration/administration.ts';
export { decodeFrame } from './channel/decode.ts';
export { ClustersApi } from './clusters/clusters.ts';
export { CredentialsApi } from './credentials/credentials.ts';
export { FilesApi } from './files/files.ts';
export { InterpretersApi } from './interpreters/interpreters.ts';
export { NotesApi } from './notes/notes.ts';
export { PackagesApi } from './packages/packages.ts';
export { PeopleApi } from './people/people.ts';
export { endpoints, sentOperations } from './protocol/index.ts';
export { createRestClient } from './rest/rest-client.ts';
export { ResultsApi } from './results/results.ts';
export { AccessTokensApi } from './tokens/access-tokens.ts';
export { EmbedTokensApi } from './tokens/embed-tokens.ts';
export { ObjectsApi } from './widget-data/widget-data.ts';
