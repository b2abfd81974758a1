/**
 * `npm run python-client`: writes the generated modules of the Python client, from the OpenAPI
 * document of the built server: `rest.py` has a method for each call, `types.py` the objects.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const folder = 'clients/python/src/tiding_client';
/** Tags of the calls that scripts need. `client.notes` and `client.files` build on them. */
const TAGS = [
  'connections',
  'embed-token',
  'file',
  'image',
  'jobs',
  'notebook',
  'object',
  'principals',
  'result',
  'run-copy',
  'security',
  'users',
  'version',
];
const WIDTH = 100;
const HEADER = 'Generated from the OpenAPI document of the server: run `npm run python-client`.';

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

function docstring(paragraphs, indent) {
  const lines = paragraphs.flatMap((text, index) => {
    const wrapped = [indent + (index === 0 ? '"""' : '')];
    for (const word of text.replaceAll('\\', '\\\\').split(/\s+/)) {
      const line = wrapped.at(-1);
      const glue = line === indent || line.endsWith('"""') ? '' : ' ';
      if (line.length + glue.length + word.length > WIDTH - 3) wrapped.push(indent + word);
      else wrapped[wrapped.length - 1] = line + glue + word;
    }
    return index === 0 ? wrapped : ['', ...wrapped];
  });
  return lines.length === 1 ? `${lines[0]}"""` : [...lines, `${indent}"""`].join('\n');
}

/** A type as Python writes it. `prefix` is put before the names of objects. */
function typeOf(schema, prefix) {
  if (!schema || Object.keys(schema).length === 0) return 'Any';
  if (schema.$ref) return prefix + pascal(schema.$ref.split('/').at(-1));
  if (schema.enum) return `Literal[${schema.enum.map((each) => JSON.stringify(each)).join(', ')}]`;
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map((each) => typeOf(each, prefix)))].join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, prefix)).join(' | ');
  if (schema.type === 'array') return `list[${typeOf(schema.items, prefix)}]`;
  if (schema.type === 'object') return `dict[str, ${typeOf(schema.additionalProperties, prefix)}]`;
  return { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' }[
    schema.type
  ];
}
const withoutNull = (type) => type.replace(/ \| None$/, '');

/** The names of the objects that a value refers to. */
function referencesOf(value, found = new Set()) {
  if (typeof value !== 'object' || value === null) return found;
  if (typeof value.$ref === 'string' && value.$ref.startsWith('#/components/schemas/'))
    found.add(value.$ref.split('/').at(-1));
  for (const each of Object.values(value)) referencesOf(each, found);
  return found;
}

/** The class of an object, or the alias of another type. */
function definition(name, schema) {
  if (!schema.properties) return `${pascal(name)} = ${typeOf(schema, '')}`;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([field, type]) => {
    const python = typeOf(type, '');
    return `    ${field}: ${required.has(field) ? python : `NotRequired[${withoutNull(python)}]`}`;
  });
  const doc = schema.description ? [docstring([schema.description], '    '), ''] : [];
  return [`class ${pascal(name)}(TypedDict):`, ...doc, ...fields].join('\n');
}

/** An object that only an answer has: `ListFilesItem`. */
function answerObject(name, schema, schemas) {
  if (schema?.type === 'array' && schema.items.properties)
    return { type: 'array', items: answerObject(name, schema.items, schemas) };
  if (!schema?.properties) return schema;
  schemas[`${name}Answer`] = schema;
  return { $ref: `#/components/schemas/${name}Answer` };
}

const argument = (name, schema, isRequired) => ({
  name: snake(name),
  key: name,
  text: isRequired
    ? `${snake(name)}: ${withoutNull(typeOf(schema, 'types.'))}`
    : `${snake(name)}: ${withoutNull(typeOf(schema, 'types.'))} | None = None`,
  isRequired,
});

/** A method of the class `RestCalls`. */
function methodOf({ verb, path, operation }, schemas, operations) {
  const { operationId, parameters = [], requestBody, responses, description } = operation;
  const inPath = parameters.filter((each) => each.in === 'path').map((each) => snake(each.name));
  const query = parameters
    .filter((each) => each.in === 'query')
    .map((each) => argument(each.name, each.schema, each.required));
  const content = requestBody?.content['application/json']?.schema;
  if (requestBody && !content) throw new Error(`${operationId}: only JSON bodies are supported.`);
  const required = new Set(content?.required ?? []);
  const fields = Object.entries(content?.properties ?? {}).map(([name, schema]) =>
    argument(name, schema, required.has(name)),
  );
  const whole = content && !content.properties ? typeOf(content, 'types.') : undefined;
  const named = [...query, ...fields].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const names = [...inPath, ...named.map((each) => each.name)];
  if (new Set(names).size < names.length) throw new Error(`${operationId}: two equal parameters.`);

  const { content: answers } = responses['2XX'];
  const isRaw = !answers?.['application/json'];
  const wrapped = answers?.['application/json']?.schema;
  const body = wrapped?.properties?.status ? wrapped.properties.body : wrapped;
  const isEmpty = !body || Object.keys(body).length === 0;
  const answer = isEmpty ? 'None' : typeOf(answerObject(operationId, body, schemas), 'types.');
  const returns = isRaw ? 'bytes' : answer;

  const own = new Set([...names, ...operations.map(snake)]);
  const doc = description?.replace(/`(\w+)`/g, (code, name) =>
    own.has(snake(name)) ? `\`${snake(name)}\`` : code,
  );
  const list = [
    'self',
    ...inPath.map((name) => `${name}: str`),
    ...(whole ? [`body: ${whole}`] : []),
    ...(named.length > 0 ? ['*', ...named.map(({ text }) => text)] : []),
  ];
  const pairs = (before, all) =>
    bracketed(
      `            ${before}`,
      all.map(({ key, name }) => `"${key}": ${name}`),
      ',',
      '{}',
    )
      .join('\n')
      .trim()
      .slice(0, -1);
  const values = [
    JSON.stringify(verb),
    JSON.stringify(path.replace(/^\/api/, '').replace(/\w+(?=\})/g, snake)),
    ...(inPath.length > 0 ? [`{${inPath.map((name) => `"${name}": ${name}`).join(', ')}}`] : []),
    ...(query.length > 0 ? [pairs('query=', query)] : []),
    ...(whole ? ['body=body'] : fields.length > 0 ? [pairs('body=', fields)] : []),
    ...(isRaw ? ['raw=True'] : []),
  ];
  const call = `${returns === 'None' ? '' : 'return '}self._call`;
  return [
    ...bracketed(`    def ${snake(operationId)}`, list, ` -> ${returns}:`),
    docstring([doc, `\`${verb} ${path}\``].filter(Boolean), '        '),
    ...bracketed(`        ${call}`, values, ''),
  ].join('\n');
}

/** A list in brackets on one line, or else one item a line, as formatters of Python write it. */
function bracketed(before, items, after, [open, close] = '()') {
  const line = before + open + items.join(', ') + close + after;
  if (line.length <= WIDTH && !line.includes('\n')) return [line];
  const indent = /^ */.exec(before)[0];
  return [before + open, ...items.map((each) => `${indent}    ${each},`), indent + close + after];
}

/** Returns the text of the generated modules, by file name. */
export function pythonModules({ paths, components }) {
  const schemas = { ...components.schemas };
  const calls = Object.entries(paths)
    .flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => ({
        verb: verb.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation: each }) => TAGS.includes(each.tags[0]))
    // Calls that Zeppelin has dropped are not for new programs, and HEAD answers only headers.
    .filter(({ verb, operation: each }) => !each['x-upstream']?.until && verb !== 'HEAD')
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const operations = calls.map(({ operation: { operationId } }) => operationId);
  const methods = calls.map((each) => methodOf(each, schemas, operations));

  const used = new Set();
  const use = (name) => {
    if (used.has(name)) return;
    used.add(name);
    for (const each of referencesOf(schemas[name])) use(each);
  };
  for (const [, name] of methods.join('\n').matchAll(/\btypes\.(\w+)/g))
    use(name[0].toLowerCase() + name.slice(1));
  // An alias is evaluated when the module is loaded, so it comes after what it names.
  const definitions = [...used]
    .sort(
      (a, b) => Number(!schemas[a].properties) - Number(!schemas[b].properties) || (a < b ? -1 : 1),
    )
    .map((name) => definition(name, schemas[name]));
  return {
    'rest.py': `"""The REST calls of a server, one method each.

${HEADER}
"""

from __future__ import annotations

from typing import Any, Protocol

from . import types


class Call(Protocol):
    """Sends a call and returns its answer."""

    def __call__(
        self,
        method: str,
        path: str,
        params: dict[str, str] = ...,
        *,
        query: dict[str, Any] = ...,
        body: Any = ...,
        raw: bool = ...,
    ) -> Any: ...


class RestCalls:
    """The REST calls of a server. Arguments that are \`None\` are not sent."""

    def __init__(self, call: Call) -> None:
        self._call = call

${methods.join('\n\n')}
`,
    'types.py': `"""Objects that the REST calls carry, as typed dictionaries.

A server may add fields.

${HEADER}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # In \`typing\` since Python 3.11. Annotations are not evaluated.
    from typing_extensions import NotRequired


${definitions.join('\n\n\n')}
`,
  };
}

if (process.argv[1] === import.meta.filename) {
  const { build } = await import('./build.mjs');
  await build({ say: (text) => console.error(text) });
  const { describeProtocol } = await import(join(root, 'server/dist/index.js'));
  for (const [name, text] of Object.entries(pythonModules(describeProtocol().openapi))) {
    const file = join(root, folder, name);
    writeFileSync(file, text);
    console.log(file);
  }
}
