/** Pages of the REST API and the live channel, from the OpenAPI and AsyncAPI documents. */
import { code, page, section, sentence, table } from './markdown.mjs';

const nameOf = (reference) => reference.split('/').at(-1);
/** The anchor that VitePress and GitHub give a heading. */
const anchorOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Describes a type and links named objects. `objects` is the address of their page. */
function typeOf(schema, objects) {
  if (schema === undefined || schema === true || Object.keys(schema).length === 0) return 'any';
  if (schema.$ref)
    return `[${sentence(nameOf(schema.$ref))}](${objects}#${anchorOf(nameOf(schema.$ref))})`;
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((each) => code(JSON.stringify(each))).join(' or ');
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts)
    return (
      [
        ...new Set(
          parts.filter(({ type }) => type !== 'null').map((each) => typeOf(each, objects)),
        ),
      ].join(schema.allOf ? ' and ' : ' or ') || 'null'
    );
  const types = [schema.type].flat().filter((each) => each !== 'null' && each !== undefined);
  if (types.includes('array')) return `list of ${typeOf(schema.items, objects)}`;
  if (types.includes('object')) {
    if (schema.properties && Object.keys(schema.properties).length > 0)
      return `object with ${Object.keys(schema.properties).map(code).join(', ')}`;
    return schema.additionalProperties && Object.keys(schema.additionalProperties).length > 0
      ? `object of ${typeOf(schema.additionalProperties, objects)}`
      : 'object';
  }
  return types.join(' or ') || 'any';
}

/** A table of the fields of an object, or one line for another type. */
function fieldsOf(schema, objects) {
  const { properties } = schema ?? {};
  if (!properties || Object.keys(properties).length === 0)
    return schema ? `Type: ${typeOf(schema, objects)}.` : '';
  const required = new Set(schema.required ?? []);
  return table(
    ['Field', 'Type', 'Description'],
    Object.entries(properties).map(([name, each]) => [
      `${code(name)}${required.has(name) ? '' : ' (optional)'}`,
      typeOf(each, objects),
      sentence(each.description ?? ''),
    ]),
  );
}

/** Describes which servers support a call or operation. */
function availability(upstream) {
  if (!upstream) return '';
  const { since, until } = upstream;
  if (since === 'none') return 'Only a Tiding server has this. A Zeppelin does not.';
  const parts = [since ? `since version ${since}` : '', until ? `until version ${until}` : '']
    .filter(Boolean)
    .join(' and ');
  return parts ? `A Zeppelin has this ${parts}.` : '';
}

const titles = {
  'access-token': 'Access tokens',
  'embed-token': 'Embed tokens',
  'password-reset': 'Password resets',
  'revision-control': 'Revision control',
  'notebook-repositories': 'Notebook storage',
  helium: 'Packages',
  cli: 'Command line file',
  result: 'Results',
  file: 'Files',
  object: 'Catalogue objects',
  notebook: 'Notes',
  jobs: 'Job history',
  interpreter: 'Interpreters',
  credential: 'Credentials',
  session: 'Interpreter sessions',
  log: 'Log level',
  admin: 'Administration',
  trust: 'Trusted notes',
  login: 'Sign-in',
  openapi: 'OpenAPI document',
  asyncapi: 'AsyncAPI document',
};
const titleOf = (tag) => titles[tag] ?? tag[0].toUpperCase() + tag.slice(1);

function operationBlocks(method, path, operation, document) {
  const objects = './objects.md';
  const { parameters = [], requestBody, responses, security } = operation;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const success = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const answer = success
    .flatMap(([, { content }]) => Object.values(content ?? {}))
    .map(({ schema }) => schema?.properties?.body ?? schema)
    .find(Boolean);
  const whole = success.flatMap(([, { content }]) => Object.keys(content ?? {}));
  const roles = operation['x-roles'];
  const resolved = ([status, response]) => [
    status,
    response.$ref ? document.components.responses[nameOf(response.$ref)] : response,
  ];
  const errors = Object.entries(responses)
    .filter(([status]) => status.startsWith('4'))
    .map(resolved);
  return [
    `## ${operation.operationId}`,
    `\`${method.toUpperCase()} ${path}\``,
    sentence(operation.description ?? ''),
    security.length === 0
      ? 'No sign-in needed.'
      : roles
        ? `Needs one of the roles ${roles.map(code).join(', ')}.`
        : '',
    availability(operation['x-upstream']),
    table(
      ['Parameter', 'In', 'Type'],
      parameters.map(({ name, in: where, required, schema }) => [
        `${code(name)}${required ? '' : ' (optional)'}`,
        where,
        typeOf(schema, objects),
      ]),
    ),
    ...(body
      ? [
          `Request body${requestBody.required ? '' : ' (optional)'}, \`${type}\`:`,
          fieldsOf(body.schema, objects),
        ]
      : []),
    answer && whole.includes('application/json')
      ? ['Response:', fieldsOf(answer, objects)]
      : success.some(([status]) => status.startsWith('3'))
        ? 'Response: a redirect.'
        : whole.includes('*/*')
          ? 'Response: the content itself.'
          : '',
    errors.length === 0
      ? ''
      : `Errors: ${errors
          .map(([status, { description }]) => {
            const reason = sentence(description.split('.')[0].toLowerCase());
            return `${status} (${reason})`;
          })
          .join(', ')}.`,
  ]
    .flat()
    .filter(Boolean);
}

/** A page of the objects that calls or frames contain. */
const objectsPage = (front, { components }) =>
  page(
    front,
    Object.entries(components.schemas)
      .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
      .flatMap(([name, schema]) => [
        `## ${name}`,
        sentence(schema.description ?? ''),
        fieldsOf(schema, ''),
      ]),
  );

/** Pages of the REST calls, one per group, and of the objects they exchange. */
export function restPages(document) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  }
  const group = 'REST API';
  const pages = new Map();
  const overview = [];
  [...groups]
    .sort(([a], [b]) => (titleOf(a) < titleOf(b) ? -1 : 1))
    .forEach(([tag, calls], index) => {
      const title = titleOf(tag);
      overview.push(
        ...calls.map(({ method, path, operation }) => [
          `[${operation.operationId}](./${tag}.md#${anchorOf(operation.operationId)})`,
          code(`${method.toUpperCase()} ${path}`),
          title,
        ]),
      );
      pages.set(
        `reference/rest/${tag}.md`,
        page(
          {
            title,
            order: 210 + index,
            group,
            description: `REST calls: ${calls
              .map(({ operation }) => operation.operationId)
              .join(', ')}.`,
          },
          [
            calls.flatMap(({ method, path, operation }) =>
              operationBlocks(method, path, operation, document),
            ),
          ],
        ),
      );
    });
  pages.set(
    'reference/rest/index.md',
    page(
      {
        title: 'REST overview',
        order: 200,
        group,
        description: 'How to call the REST API, how it reports errors, and a list of every call.',
      },
      [
        [
          'A running server publishes this description as OpenAPI 3.1 at `/api/openapi.json`.',
          'The file for this version is',
          '<a href="/docs/openapi.json" target="_self">openapi.json</a>.',
        ].join(' '),
        section(
          'Authentication',
          [
            'A script sends an access token in the header `Authorization: Bearer …`.',
            'The app uses the cookie of its session.',
            'With the cookie, pages of other origins cannot change anything.',
            'Other programs can use it as `JSESSIONID`, like with a Zeppelin.',
          ].join(' '),
        ),
        section(
          'Envelope',
          [
            'Most calls respond with a JSON object: `status` is `OK` or the name of an error,',
            '`body` is the result. The pages of the calls describe `body`.',
          ].join(' '),
        ),
        section(
          'Errors',
          [
            'An error has an HTTP status from 400 on, and a JSON body with `status` and a readable',
            '`message`. Every call can respond with a status from 500 on; the pages of the calls',
            'list the others.',
          ].join(' '),
          '```json\n{ "status": "NOT_FOUND", "message": "No such note: 2ABCDEFGH" }\n```',
          table(
            ['Status', 'Name', 'Meaning'],
            Object.values(document.components.responses).map((each) => [
              String(each['x-status']),
              code(each['x-name']),
              sentence(each.description),
            ]),
          ),
        ),
        section('Calls', table(['Call', 'Request', 'Group'], overview)),
      ],
    ),
  );
  pages.set(
    'reference/rest/objects.md',
    objectsPage(
      {
        title: 'Objects',
        order: 290,
        group,
        description: 'The JSON objects that REST calls exchange.',
      },
      document,
    ),
  );
  return pages;
}

/** Pages of the operations of the live channel. */
export function channelPages(document) {
  const group = 'Live channel';
  const objects = './objects.md';
  const sides = {
    client: { file: 'sent', title: 'Sent by clients', order: 310 },
    server: { file: 'received', title: 'Sent by the server', order: 320 },
  };
  const pages = new Map();
  for (const [side, { file, title, order }] of Object.entries(sides)) {
    const messages = Object.entries(document.components.messages)
      .filter(([key]) => key.startsWith(`${side}.`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    pages.set(
      `reference/live-channel/${file}.md`,
      page(
        {
          title,
          order,
          group,
          description: `Every operation that is ${title.toLowerCase()} over the WebSocket.`,
        },
        messages.flatMap(([key, { name, payload }]) => {
          const {
            description,
            'x-right': right,
            'x-idempotent': idempotent,
            'x-upstream': upstream,
          } = document.operations[key];
          return [
            `## ${sentence(name)} {#${anchorOf(name)}}`,
            sentence(description ?? ''),
            right && right !== 'none' ? `Needs the right ${code(right)} on the note.` : '',
            idempotent ? 'A client may send it again after a reconnect.' : '',
            availability(upstream),
            ...(payload.properties.data && Object.keys(payload.properties.data).length > 0
              ? ['`data`:', fieldsOf(payload.properties.data, objects)]
              : []),
          ];
        }),
      ),
    );
  }
  pages.set(
    'reference/live-channel/index.md',
    page(
      {
        title: 'Channel overview',
        order: 300,
        group,
        description: 'Frames, identity and replies on the WebSocket.',
      },
      [
        [
          'Notes are edited and run over one WebSocket, `/ws`.',
          'A running server publishes this description as AsyncAPI 3 at `/api/asyncapi.json`.',
          'The file for this version is',
          '<a href="/docs/asyncapi.json" target="_self">asyncapi.json</a>.',
        ].join(' '),
        section(
          'Frames',
          'Each text frame is one JSON object. `op` is the operation, `data` its content. ' +
            'A client may send a `msgId`; replies to it carry the same one.',
          [
            '```json',
            '{ "op": "GET_NOTE", "data": { "id": "2ABCDEFGH" }, "msgId": "1", ' +
              '"principal": "admin", "ticket": "…", "roles": "[]" }',
            '```',
          ].join('\n'),
        ),
        section(
          'Identity',
          'Every frame of a client has `principal`, `ticket` and `roles`. ' +
            '`GET /api/security/ticket` responds with them after a sign-in.',
        ),
        section(
          'Operations',
          '[Sent by clients](./sent.md), [sent by the server](./received.md), ' +
            'and the [objects](./objects.md) in them.',
        ),
      ],
    ),
  );
  pages.set(
    'reference/live-channel/objects.md',
    objectsPage(
      {
        title: 'Objects of the channel',
        order: 330,
        group,
        description: 'The JSON objects in the frames of the live channel.',
      },
      document,
    ),
  );
  return pages;
}
