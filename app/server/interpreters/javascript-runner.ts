/** What runs in the child process of `%js`. It is passed to `node -e`, so the server may be bundled into one file. */

import { javascriptNote } from './javascript-note.ts';

/** Rows of a table shown at most. */
export const tableLimit = 10_000;

/**
 * Source of the runner (CommonJS). It reads commands from descriptor 4 and writes messages to descriptor 3, a JSON text a line:
 * commands `{type: 'run', id, source, isAsync, hasValue}` and `{type: 'answer', id, error?, value?}`;
 * messages `{type: 'text', text}`, `{type: 'output', kind, data}`, `{type: 'put', id, name, columns, rows}`,
 * `{type: 'credential', id, entity}`, `{type: 'request', id, run, operation, values}` and `{type: 'end', id, error?}`. Writing blocks, so that an endless loop prints and memory stays bounded.
 */
export const javascriptRunner = `(() => {
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');
const net = require('node:net');
const util = require('node:util');
const { Console } = require('node:console');
const { Writable } = require('node:stream');
const { createRequire } = require('node:module');
const { AsyncLocalStorage } = require('node:async_hooks');
const { stringify, parse } = JSON;
const files = process.argv[1];
const exit = process.exit.bind(process);
const pause = new Int32Array(new SharedArrayBuffer(4));

function send(message) {
  const bytes = Buffer.from(stringify(message) + '\\n');
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(3, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') exit(0);
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

const text = (value) => send({ type: 'text', text: value });
const output = (kind, data) => send({ type: 'output', kind, data });
const stream = () => new Writable({
  decodeStrings: false,
  write(chunk, encoding, done) {
    text(typeof chunk === 'string' ? chunk : chunk.toString());
    done();
  },
});
const stdout = stream();
const stderr = stream();
Object.defineProperty(process, 'stdout', { configurable: true, get: () => stdout });
Object.defineProperty(process, 'stderr', { configurable: true, get: () => stderr });
Object.defineProperty(globalThis, 'console', { configurable: true, writable: true, value: new Console({ stdout, stderr }) });

const clean = (value) => value.replace(/\\r\\n|[\\t\\n\\r]/g, ' ');
const dateText = (value) => Number.isNaN(value.getTime()) ? 'null' : value.toISOString().replace('T', ' ').replace(/(\\.000)?Z$/, '');
function cell(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return clean(value);
  if (value instanceof Date) return dateText(value);
  if (typeof value === 'object') {
    try {
      return clean(stringify(value, (key, part) => (typeof part === 'bigint' ? String(part) : part)));
    } catch {
      return clean(util.inspect(value));
    }
  }
  return clean(String(value));
}
const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));
const isFlat = (value) => isPlain(value) && Object.keys(value).length > 0 &&
  Object.values(value).every((part) => part === null || typeof part !== 'object' || part instanceof Date);

/** Column names and rows of cells, from a list of objects or a list of lists whose first is the header. */
function tableOf(rows, what) {
  if (!Array.isArray(rows)) throw new TypeError(what + ' wants a list of objects, or a list of lists with the header first');
  if (Array.isArray(rows[0])) return { columns: rows[0].map(String), rows: rows.slice(1) };
  const columns = [];
  const seen = new Set();
  for (const row of rows) {
    if (!row || typeof row !== 'object') throw new TypeError(what + ' wants a list of objects, or a list of lists with the header first');
    for (const name of Object.keys(row)) if (!seen.has(name)) seen.add(name) && columns.push(name);
  }
  return { columns, rows: rows.map((row) => columns.map((name) => row[name])) };
}

function showTable(value) {
  const { columns, rows } = tableOf(value, 'z.table');
  const lines = [columns, ...rows.slice(0, ${tableLimit})].map((row) => row.map(cell).join('\\t') || ' ');
  output('TABLE', lines.join('\\n') + '\\n');
  if (rows.length > ${tableLimit}) output('TEXT', 'Showing the first ${tableLimit.toLocaleString('en-US')} of ' + rows.length.toLocaleString('en-US') + ' rows.\\n');
}

/** SQL type of a column, and its values as JSON can hold them. */
function typed(values) {
  const given = values.filter((value) => value !== null && value !== undefined);
  const all = (check) => given.length > 0 && given.every(check);
  if (all((value) => typeof value === 'bigint')) return ['HUGEINT', values.map((value) => value == null ? null : String(value))];
  if (all((value) => Number.isSafeInteger(value))) return ['BIGINT', values];
  if (all((value) => typeof value === 'number')) return ['DOUBLE', values];
  if (all((value) => typeof value === 'boolean')) return ['BOOLEAN', values];
  if (all((value) => value instanceof Date)) return ['TIMESTAMP', values.map((value) => value && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, -1) : null)];
  return ['VARCHAR', values.map((value) => value === null || value === undefined ? null : typeof value === 'string' ? value : cell(value))];
}

let asked = 0;
const waiting = new Map();
${javascriptNote}
globalThis.z = Object.freeze({
  ...ofNote,
  table: (rows) => showTable(rows),
  html: (markup) => output('HTML', String(markup)),
  async put(name, value) {
    const { columns, rows } = tableOf(value, 'z.put');
    if (columns.length === 0) throw new TypeError('z.put: there are no columns');
    const parts = columns.map((column, place) => [column, ...typed(rows.map((row) => row[place]))]);
    const id = ++asked;
    send({ type: 'put', id, name: String(name), columns: parts.map(([column, type]) => [column, type]),
      rows: rows.map((_, row) => Object.fromEntries(parts.map(([column, , values]) => [column, values[row]]))) });
    await new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  },
  /** Your login for a data source, as { username, password }; only in a process of your own. */
  credential(entity) {
    const id = ++asked;
    send({ type: 'credential', id, entity: String(entity) });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  },
});

/** The error with its causes, without frames of Node and of this runner. */
function describe(error) {
  const shown = util.types.isNativeError(error) ? util.inspect(error) : 'Uncaught ' + util.inspect(error);
  return shown.split('\\n').filter((line) => !/^\\s+at .*(node:|\\[eval\\])/.test(line)).join('\\n').replace(/(\\n\\s*at .*) \\{$/, '$1 {');
}

async function run({ id, source, isAsync, hasValue }) {
  let error;
  try {
    const importModuleDynamically = vm.constants && vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const script = new vm.Script(source, { filename: 'paragraph', importModuleDynamically });
    const value = await runs.run(id, () => script.runInThisContext({ displayErrors: false }));
    if (hasValue && value !== undefined) {
      if (Array.isArray(value) && value.length > 0 && value.every(isFlat)) showTable(value);
      else text(util.inspect(value) + '\\n');
    }
  } catch (reason) {
    try {
      error = describe(reason);
    } catch {
      error = 'An error that cannot be shown';
    }
  }
  // What was asked for without being waited for is done too.
  while (open.size > 0) {
    await Promise.allSettled(open);
    // Node tells of a failure that nobody looked at only now.
    await new Promise(setImmediate);
  }
  send({ type: 'end', id, error });
}

for (const name of ['unhandledRejection', 'uncaughtException']) process.on(name, (error) => text(describe(error) + '\\n'));
for (const name of ['module', 'exports', '__filename', '__dirname']) delete globalThis[name];
globalThis.require = createRequire(files + '/');

const commands = new net.Socket({ fd: 4 });
let rest = '';
commands.setEncoding('utf8');
commands.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const command = parse(line);
    if (command.type === 'run') void run(command);
    else {
      const { resolve, reject } = waiting.get(command.id) || {};
      waiting.delete(command.id);
      if (command.error && reject) reject(new Error(command.error));
      else if (resolve) resolve(command.value);
    }
  }
});
// The server is gone.
commands.on('close', () => exit(0));
commands.on('error', () => exit(0));
})();
`;
