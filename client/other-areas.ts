/** The areas of a client that few pages use. Loaded with the first call of one of them. */
export { AdministrationApi } from './administration/administration.ts';
export { AssistantApi } from './assistant/assistant.ts';
export { CommentsApi } from './comments/comments.ts';
export { ConnectionsApi } from './connections/connections.ts';
export { CredentialsApi } from './credentials/credentials.ts';
export { FilesApi } from './files/files.ts';
export { InterpretersApi } from './interpreters/interpreters.ts';
export { PeopleApi } from './people/people.ts';
export { ResultsApi } from './results/results.ts';
export { RevisionControlApi } from './revision-control/revision-control.ts';
export { AccessTokensApi } from './tokens/access-tokens.ts';
export { EmbedTokensApi } from './tokens/embed-tokens.ts';
export { ObjectsApi } from './widget-data/widget-data.ts';
