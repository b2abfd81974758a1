/**
 * The generated descriptions of the protocol are complete, valid, and contain the comments of the
 * sources.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EndpointName,
  endpoints,
  receivedOperations,
  sentOperations,
} from '@tiding/client/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { asyncApi } from '../server/describe/asyncapi.ts';
import type { Docs } from '../server/describe/docs.ts';
import { openApi } from '../server/describe/openapi.ts';
import { asPage, login, request, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<
    string,
    {
      $ref?: string;
      description?: string;
      content?: Record<string, { schema?: Record<string, unknown> }>;
    }
  >;
  security: object[];
  'x-roles'?: string[];
}
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<
      string,
      {
        description?: string;
        required?: string[];
        properties?: Record<string, { description?: string; enum?: string[] }>;
      }
    >;
    responses: Record<string, { description: string; 'x-status': number; 'x-name': string }>;
    securitySchemes: object;
  };
}
interface AsyncApi {
  asyncapi: string;
  channels: { live: { address: string; messages: Record<string, { $ref: string }> } };
  operations: Record<
    string,
    { action: string; description?: string; messages: { $ref: string }[]; 'x-right'?: string }
  >;
  components: {
    messages: Record<
      string,
      {
        name: string;
        payload: { required: string[]; properties: Record<string, Record<string, unknown>> };
      }
    >;
    schemas: object;
  };
}

const { protocolDocs } = (await import(
  join(import.meta.dirname, '../scripts/protocol-docs.mjs')
)) as { protocolDocs: () => Docs };
const docs = protocolDocs();
const rest = openApi('http://127.0.0.1:8080', docs) as unknown as OpenApi;
const live = asyncApi('https://notes.example.org', docs) as unknown as AsyncApi;
const names = Object.keys(endpoints) as EndpointName[];
const operations = new Map(
  Object.entries(rest.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [operation.operationId, { path, method, operation }] as const,
    ),
  ),
);

/** References in a document without a target. */
function dangling(document: unknown): string[] {
  const found: string[] = [];
  const at = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[key],
        document,
      );
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, entry] of Object.entries(value)) {
      if (key === '$ref' && typeof entry === 'string' && at(entry) === undefined) found.push(entry);
      walk(entry);
    }
  };
  walk(document);
  return found;
}

describe('OpenAPI', () => {
  it('has every call once, with method, path, parameters and access', () => {
    expect(rest.openapi).toBe('3.1.0');
    expect([...operations.keys()].sort()).toEqual([...names].sort());
    for (const name of names) {
      const { path, method, operation } = operations.get(name)!;
      const { path: own, access, encoding, method: verb } = endpoints[name];
      expect([method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1')]).toEqual([
        verb,
        `/api${own}`,
      ]);
      expect(
        (operation.parameters ?? [])
          .filter((each) => each.in === 'path')
          .map((each) => `:${each.name}`),
      ).toEqual(own.match(/:\w+/g) ?? []);
      expect(operation.security.length === 0).toBe(access === 'public');
      expect(operation['x-roles']).toEqual(typeof access === 'string' ? undefined : access);
      expect(operation.requestBody !== undefined).toBe(encoding !== 'none');
      for (const response of Object.values(operation.responses))
        expect(response.$ref ?? response.description ?? '').not.toBe('');
    }
    expect(operations.get('searchNotes')!.operation.parameters).toEqual([
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
    ]);
    expect(operations.get('login')!.operation.requestBody!.content).toHaveProperty(
      ['application/x-www-form-urlencoded', 'schema', 'required'],
      ['userName', 'password'],
    );
    expect(operations.get('runNote')!.operation.requestBody?.required ?? false).toBe(false);
  });

  it('has no duplicate paths', () => {
    const shapes = Object.keys(rest.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('has valid references, and names objects', () => {
    expect(dangling(rest)).toEqual([]);
    const { properties } = operations.get('getNote')!.operation.responses['2XX']!.content![
      'application/json'
    ]!.schema as { properties: Record<string, unknown> };
    expect(properties['body']).toEqual({ $ref: '#/components/schemas/note' });
    expect(rest.components.schemas['note']!.properties).toHaveProperty('paragraphs');
    expect(JSON.stringify(rest)).not.toContain('$defs');
  });

  it('names the errors of each call, with the status in their body', () => {
    const { status } = rest.components.schemas['Failure']!.properties!;
    for (const { operation } of operations.values()) {
      const errors = Object.entries(operation.responses).filter(([code]) => /^[45]/.test(code));
      expect(errors.map(([code]) => code)).toEqual(expect.arrayContaining(['403', '500']));
      for (const [code, { $ref }] of errors) {
        const failure = rest.components.responses[$ref!.replace('#/components/responses/', '')]!;
        expect(failure['x-status']).toBe(Number(code));
        expect(status!.enum).toContain(failure['x-name']);
      }
    }
    const errorsOf = (name: EndpointName) =>
      Object.keys(operations.get(name)!.operation.responses).filter((code) => /^4/.test(code));
    expect(errorsOf('getNote')).toEqual(['401', '403', '404']);
    expect(errorsOf('login')).toEqual(['400', '401', '403', '409', '413', '415', '429']);
    expect(errorsOf('version')).toEqual(['403']);
  });

  it('contains the comments of the sources', () => {
    expect(operations.get('requestPasswordReset')!.operation.description).toBe(
      'Answers 202 whether or not the user exists.',
    );
    expect(operations.get('version')!.operation.description).toContain(
      '`tiding` is present on a Tiding server',
    );
    for (const [name, doc] of Object.entries(docs.endpoints))
      expect(operations.get(name)!.operation.description).toBe(doc);
    for (const [name, schema] of Object.entries(rest.components.schemas))
      if (docs.objects[name]) expect(schema.description).toBe(docs.objects[name]);
    const field = openApi('http://x', {
      ...docs,
      fields: { 'note.paragraphs': 'In their order.' },
    }) as unknown as OpenApi;
    expect(field.components.schemas['note']!.properties!['paragraphs']!.description).toBe(
      'In their order.',
    );
  });

  it('finds every comment before a call', () => {
    const folder = join(import.meta.dirname, '../client/protocol/rest');
    const text = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
    const commented = [...text.matchAll(/\*\/\n {2}(\w+): endpoint\(/g)].map(([, name]) => name!);
    expect(commented.length).toBeGreaterThan(15);
    expect(commented.filter((name) => !docs.endpoints[name])).toEqual([]);
  });
});

describe('AsyncAPI', () => {
  it('has every operation of both sides [D41]', () => {
    expect(live.asyncapi).toBe('3.0.0');
    const wanted = [
      ...Object.keys(sentOperations).map((op) => `client.${op}`),
      ...Object.keys(receivedOperations).map((op) => `server.${op}`),
    ];
    for (const all of [live.operations, live.channels.live.messages, live.components.messages])
      expect(Object.keys(all).sort()).toEqual([...wanted].sort());
    for (const [key, { action, messages }] of Object.entries(live.operations)) {
      expect(action).toBe(key.startsWith('client.') ? 'receive' : 'send');
      expect(messages).toEqual([{ $ref: `#/channels/live/messages/${key}` }]);
      expect(live.components.messages[key]!.payload.properties['op']).toEqual({
        const: key.slice(7),
      });
      // Keys of channels and components may contain only these characters.
      expect(key).toMatch(/^[\w.-]+$/);
    }
    expect(live.operations['client.NOTE_RENAME']).toMatchObject({
      'x-right': 'owner',
      'x-idempotent': false,
    });
    expect(live.components.messages['client.GET_NOTE']!.payload.properties['data']).toMatchObject({
      type: 'object',
      required: ['id'],
    });
  });

  it('has valid references, and contains the comments of the sources', () => {
    expect(dangling(live)).toEqual([]);
    expect(live).toMatchObject({
      servers: { live: { host: 'notes.example.org', protocol: 'wss' } },
    });
    const said = [
      ...Object.keys(docs.sent).map((op) => [`client.${op}`, docs.sent[op]]),
      ...Object.keys(docs.received).map((op) => [`server.${op}`, docs.received[op]]),
    ];
    expect(said.length).toBeGreaterThan(20);
    // Comments before fields too, including fields shared by several operations.
    expect(docs.sent['COMMIT_PARAGRAPH']).toContain('`baseRev`: Tiding: the `rev` of the text');
    for (const [key, doc] of said) expect(live.operations[key!]!.description).toBe(doc);
  });
});

describe('a server', () => {
  let embedded: Awaited<ReturnType<typeof startEmpty>>;
  beforeAll(async () => {
    embedded = untilEnd(await startEmpty());
  });

  it('returns only errors that the description of the call lists', async () => {
    const { url } = embedded.server;
    const headers = asPage(await login(url));
    const bodies = {
      json: ['application/json', '[1]'],
      form: ['application/x-www-form-urlencoded', 'x=1'],
      text: ['text/plain', 'x'],
    } as const;
    const seen = new Map<number, number>();
    for (const name of names) {
      // These end the session or the server's work.
      if (name === 'logout' || name === 'ssoLogin' || name === 'ssoCallback') continue;
      const { method, encoding, access } = endpoints[name];
      const path = operations.get(name)!.path.replace(/\{\w+\}/g, 'nowhere');
      const takesBody = method !== 'GET' && method !== 'HEAD';
      const calls = [
        ...(access === 'public' ? [] : [{ headers: {} }]),
        { headers: { Origin: 'https://elsewhere.example' } },
        // A body without meaning, and one of the wrong type.
        ...(encoding === 'none' || !takesBody
          ? []
          : [
              {
                headers: { ...headers, 'Content-Type': bodies[encoding][0] },
                body: bodies[encoding][1],
              },
              { headers: { ...headers, 'Content-Type': 'image/png' }, body: 'x' },
            ]),
      ];
      for (const call of calls) {
        const answer = await request(url, method, path, call);
        const { status } = answer;
        if (status < 400) continue;
        seen.set(status, (seen.get(status) ?? 0) + 1);
        const { responses } = operations.get(name)!.operation;
        expect(Object.keys(responses), `${method} ${path}: ${status}`).toContain(String(status));
        if (method !== 'HEAD')
          expect(answer.json, `${method} ${path}: ${status}`).toEqual({
            status:
              rest.components.responses[responses[status]!.$ref!.split('/').at(-1)!]!['x-name'],
            message: expect.any(String),
          });
      }
    }
    // Each status occurred often.
    for (const status of [400, 401, 403, 415])
      expect(seen.get(status), String(status)).toBeGreaterThan(10);
  });

  it('serves both documents to signed-in users', async () => {
    const { url } = embedded.server;
    const headers = asPage(await login(url));
    for (const [name, field] of [
      ['openapi', 'paths'],
      ['asyncapi', 'operations'],
    ] as const) {
      const answer = await request(url, 'GET', `/api/${name}.json`, { headers });
      expect(answer.headers['content-type']).toContain('application/json');
      expect(Object.keys((answer.json as Record<string, object>)[field]!).length).toBeGreaterThan(
        50,
      );
      expect(answer.text).toContain(new URL(url).host);
      expect((await request(url, 'GET', `/api/${name}.json`)).status).toBe(401);
    }
  });
});
