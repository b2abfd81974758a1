/** All REST calls of the protocol as OpenAPI 3.1. */
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import { SERVER_VERSION } from '../base/version.ts';
import type { Docs } from './docs.ts';
import { failureSchema, failures, failuresOf } from './failures.ts';
import { type JsonSchema, Schemas } from './schemas.ts';

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
} as const;
const redirects: readonly EndpointName[] = ['ssoLogin', 'ssoCallback'];
const failure = {
  description: 'Another error; the status says which.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

/** Returns a call's tag: the first segment of its path, except for this server's own calls. */
const tagOf = (path: string) =>
  path
    .split('/')
    .find((part) => part !== '' && part !== 'magpie')!
    .replace(/\..*/, '');

/** Describes every call of a server at `url`, which has no trailing slash. */
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
          ? { 302: { description: 'Redirect to the next page.' } }
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
      responses: { ...success, ...failuresOf(name, endpoints[name]), default: failure },
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
        'REST calls. Changes to open notes are sent over the live channel, which is described at ' +
        '/api/asyncapi.json. `x-roles`: the caller needs one of these roles; ' +
        '`x-upstream`: the Zeppelin versions that have the call (`none`: only Tiding has it).',
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: {
        Failure: failureSchema,
        ...schemas.components,
      },
      responses: failures,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tiding-<port>',
          description:
            'Set by a sign-in, for programs also as JSESSIONID. Pages of other origins ' +
            'cannot change anything with it.',
        },
        token: { type: 'http', scheme: 'bearer', description: 'An access token.' },
      },
    },
  };
}
