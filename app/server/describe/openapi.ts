/** Every REST call of the protocol as OpenAPI 3.1. */
import { endpoints, type EndpointName } from 'tiding/protocol';
import { SERVER_VERSION } from '../version.ts';
import type { Docs } from './docs.ts';
import { Schemas, type JsonSchema } from './schemas.ts';

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
} as const;
const redirects: readonly EndpointName[] = ['ssoLogin', 'ssoCallback'];
const failure = {
  description: 'Refused or failed; the status says which, `message` is for people.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

/** The group of a call: the first segment of its path, but for the fork's own. */
const tagOf = (path: string) =>
  path
    .split('/')
    .find((part) => part !== '' && part !== 'magpie')!
    .replace(/\..*/, '');

/** The description of every call under `url`, an address without a slash at its end. */
export function openApi(url: string, docs: Docs): JsonSchema {
  const schemas = new Schemas(docs);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path, access, encoding, body, query, answer, content, envelope, support } =
      endpoints[name];
    const parameters = [
      ...[...path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(
        (schemas.of(query)?.['properties'] ?? {}) as Record<string, JsonSchema>,
      ).map(([parameter, schema]) => ({
        name: parameter,
        in: 'query',
        required: ((schemas.of(query)?.['required'] ?? []) as string[]).includes(parameter),
        schema,
      })),
    ];
    const result = schemas.of(answer);
    const wrapped = envelope
      ? {
          type: 'object',
          required: ['status'],
          properties: {
            status: { type: 'string' },
            message: { type: 'string' },
            ...(result ? { body: result } : {}),
          },
        }
      : (result ?? {});
    const success =
      content === 'raw'
        ? redirects.includes(name)
          ? { 302: { description: 'To the next page.' } }
          : {
              '2XX': {
                description: 'The content.',
                content: method === 'HEAD' ? {} : { '*/*': {} },
              },
            }
        : { '2XX': { description: 'Done.', content: { 'application/json': { schema: wrapped } } } };
    (paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`] ??= {})[method.toLowerCase()] = {
      operationId: name,
      tags: [tagOf(path)],
      ...(docs.endpoints[name] ? { description: docs.endpoints[name] } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(encoding === 'none'
        ? {}
        : {
            requestBody: {
              required: !(body as { safeParse(value: unknown): { success: boolean } }).safeParse(
                undefined,
              ).success,
              content: { [types[encoding]]: { schema: schemas.of(body) ?? {} } },
            },
          }),
      responses: { ...success, default: failure },
      security: access === 'public' ? [] : [{ session: [] }, { token: [] }],
      ...(typeof access === 'string' ? {} : { 'x-roles': access }),
      ...(support.since === undefined && support.until === undefined
        ? {}
        : {
            'x-upstream': {
              ...(support.since ? { since: support.since } : {}),
              ...(support.until ? { until: support.until } : {}),
              ...(support.fork ? { fork: true } : {}),
            },
          }),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tiding',
      version: SERVER_VERSION,
      description:
        'REST calls. What happens to notes while they are open comes over the live channel, which is described at /api/asyncapi.json. `x-roles`: one of them is needed; `x-upstream`: which servers of the family have the call (`none`: this one alone).',
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: {
        Failure: {
          type: 'object',
          required: ['status'],
          properties: { status: { type: 'string' }, message: { type: 'string' } },
        },
        ...schemas.components,
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tiding-<port>',
          description:
            'Set by a sign-in. A call that changes something also has the header X-Requested-With.',
        },
        token: { type: 'http', scheme: 'bearer', description: 'An access token.' },
      },
    },
  };
}
