/** The error responses of REST calls, by the status that each call can answer. */
import type { EndpointName, endpoints } from '@tiding/client/protocol';
import { statusName } from '../http/rest-gate.ts';
import type { JsonSchema } from './schemas.ts';

const meanings: Readonly<Record<number, string>> = {
  400:
    'Invalid request. The body or a parameter does not fit its schema, or the call is not ' +
    'possible; `message` says why.',
  401:
    'Not signed in. There is no session, or the token is unknown, disabled or expired. ' +
    'With single sign-on alone, the header `Location` names the page to sign in. As by a ' +
    'Zeppelin, a caller that accepts more than JSON is redirected to `/api/login` instead.',
  403: 'Not allowed. A right or role is missing, or a page of another origin sent the call.',
  404: 'Not found. The object does not exist, or the user may not see it.',
  405: 'Not possible here. The server has no single sign-on; sign in with a password.',
  409: 'Conflict. The object changed meanwhile, exists already, or is in use.',
  410: 'Gone. The result or the link existed once and has expired.',
  413: 'Body too large. The body is over the limit of the server.',
  415: 'Wrong content type. The header `Content-Type` does not name the format of the body.',
  429: 'Too many requests. Try again later.',
  500: 'Server failure. Details are in the log of the server.',
  502:
    'Upstream failure. In front of a Zeppelin: it could not be reached, or its answer could ' +
    'not be read.',
  503: 'Not available now. The server is shutting down, or all of a resource is in use.',
  504: 'Upstream timeout. In front of a Zeppelin: it did not answer in time.',
};

/** Calls that refuse a caller who tries too often. */
const limited: readonly EndpointName[] = ['login', 'requestPasswordReset'];

const nameOf = (status: number) =>
  statusName(status)
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every error as a response of OpenAPI; `x-name` is the `status` of its body. */
export const failures: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(meanings).map(([status, description]) => [
    nameOf(Number(status)),
    {
      description,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          example: { status: statusName(Number(status)), message: description.split('. ')[0] },
        },
      },
      'x-status': Number(status),
      'x-name': statusName(Number(status)),
    },
  ]),
);

export const failureSchema: JsonSchema = {
  description: 'The body of every error.',
  type: 'object',
  required: ['status', 'message'],
  properties: {
    status: {
      type: 'string',
      enum: Object.keys(meanings).map((status) => statusName(Number(status))),
      description: 'Name of the HTTP status.',
    },
    message: { type: 'string', description: 'What went wrong, for people.' },
    body: { description: 'Details, if the call has any.' },
  },
};

/** The errors of a call, by status, as references to {@link failures}. */
export function failuresOf(
  name: EndpointName,
  { path, access, encoding, query, method }: (typeof endpoints)[EndpointName],
): JsonSchema {
  const takesBody = encoding !== 'none';
  const takesQuery = Object.keys((query as unknown as { shape?: object }).shape ?? {}).length > 0;
  const statuses = [
    ...(takesBody || takesQuery ? [400] : []),
    ...(access !== 'public' || name === 'login' ? [401] : []),
    403,
    ...(path.includes(':') ? [404] : []),
    ...(name === 'loginAddress' ? [405] : []),
    ...(method === 'GET' || method === 'HEAD' ? [] : [409]),
    ...(takesBody ? [413, 415] : []),
    ...(limited.includes(name) ? [429] : []),
    500,
    502,
    503,
    504,
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}
