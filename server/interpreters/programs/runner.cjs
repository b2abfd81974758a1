/*
 * The child process of `%js`, started with `node --eval`.
 *
 * It reads commands from file descriptor 4 and writes messages to file descriptor 3, one JSON text
 * per line. Commands: `{type: 'run', id, source, isAsync, hasValue}` and `{type: 'answer', id,
 * error?, value?}`. Messages: `{type: 'text', text}`, `{type: 'output', kind, data}`,
 * `{type: 'put', id, name, columns, rows}`, `{type: 'credential', id, entity}`,
 * `{type: 'request', id, run, operation, values}` and `{type: 'end', id, error?}`. Writes block, so
 * that memory stays bounded while an endless loop prints.
 */
void (() => {
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
  /** Maximum number of rows shown per table. */
  const TABLE_LIMIT = 10_000;
  const pause = new Int32Array(new SharedArrayBuffer(4));

  function send(message) {
    const bytes = Buffer.from(stringify(message) + '\n');
    for (let at = 0; at < bytes.length; ) {
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
  const stream = () =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        text(typeof chunk === 'string' ? chunk : chunk.toString());
        done();
      },
    });
  const stdout = stream();
  const stderr = stream();
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => stdout });
  Object.defineProperty(process, 'stderr', { configurable: true, get: () => stderr });
  Object.defineProperty(globalThis, 'console', {
    configurable: true,
    writable: true,
    value: new Console({ stdout, stderr }),
  });

  const clean = (value) => value.replace(/\r\n|[\t\n\r]/g, ' ');
  const dateText = (value) =>
    Number.isNaN(value.getTime())
      ? 'null'
      : value
          .toISOString()
          .replace('T', ' ')
          .replace(/(\.000)?Z$/, '');
  function cell(value) {
    if (value === null || value === undefined) return 'null';
    if (typeof value === 'string') return clean(value);
    if (value instanceof Date) return dateText(value);
    if (typeof value === 'object') {
      try {
        return clean(
          stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)),
        );
      } catch {
        return clean(util.inspect(value));
      }
    }
    return clean(String(value));
  }
  const isPlain = (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value));
  const isFlat = (value) =>
    isPlain(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every(
      (part) => part === null || typeof part !== 'object' || part instanceof Date,
    );

  /** Converts a list of objects, or of lists with the header first, to column names and rows. */
  function tableOf(rows, what) {
    const refuse = () => {
      throw new TypeError(
        what + ' expects a list of objects, or a list of lists with the header first',
      );
    };
    if (!Array.isArray(rows)) refuse();
    if (Array.isArray(rows[0])) return { columns: rows[0].map(String), rows: rows.slice(1) };
    const columns = [];
    const seen = new Set();
    for (const row of rows) {
      if (!row || typeof row !== 'object') refuse();
      for (const name of Object.keys(row))
        if (!seen.has(name)) seen.add(name) && columns.push(name);
    }
    return { columns, rows: rows.map((row) => columns.map((name) => row[name])) };
  }

  function showTable(value) {
    const { columns, rows } = tableOf(value, 'z.table');
    const lines = [columns, ...rows.slice(0, TABLE_LIMIT)].map(
      (row) => row.map(cell).join('\t') || ' ',
    );
    output('TABLE', lines.join('\n') + '\n');
    if (rows.length > TABLE_LIMIT)
      output(
        'TEXT',
        'Showing the first ' +
          TABLE_LIMIT.toLocaleString('en-US') +
          ' of ' +
          rows.length.toLocaleString('en-US') +
          ' rows.\n',
      );
  }

  /** Returns the SQL type of a column and its values as JSON types. */
  function typed(values) {
    const given = values.filter((value) => value !== null && value !== undefined);
    const all = (check) => given.length > 0 && given.every(check);
    if (all((value) => typeof value === 'bigint'))
      return ['HUGEINT', values.map((value) => (value == null ? null : String(value)))];
    if (all((value) => Number.isSafeInteger(value))) return ['BIGINT', values];
    if (all((value) => typeof value === 'number')) return ['DOUBLE', values];
    if (all((value) => typeof value === 'boolean')) return ['BOOLEAN', values];
    if (all((value) => value instanceof Date))
      return [
        'TIMESTAMP',
        values.map((value) =>
          value && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, -1) : null,
        ),
      ];
    return [
      'VARCHAR',
      values.map((value) =>
        value === null || value === undefined
          ? null
          : typeof value === 'string'
            ? value
            : cell(value),
      ),
    ];
  }

  let lastId = 0;
  const waiting = new Map();
  /** Sends a message to the server. Resolves to its answer. */
  function ask(message) {
    const id = ++lastId;
    send({ ...message, id });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  const runs = new AsyncLocalStorage();
  /** Pending requests. */
  const open = new Set();
  function request(operation, values) {
    // A timer keeps the id of the run that started it. The server rejects requests after that
    // run's end.
    const answer = ask({ type: 'request', run: runs.getStore() ?? 0, operation, values });
    open.add(answer);
    const over = () => open.delete(answer);
    answer.then(over, over);
    return answer;
  }
  /** Requests something that has no result. */
  const act = async (operation, values) => void (await request(operation, values));
  function json(what, value) {
    const text = stringify(value, (_, part) => {
      if (typeof part === 'number' && !Number.isFinite(part))
        throw new TypeError(what + ': ' + part + ' cannot be represented in JSON');
      return part;
    });
    if (text === undefined)
      throw new TypeError(
        what + ': a value of type ' + typeof value + ' cannot be represented in JSON',
      );
    return parse(text);
  }
  /** Requests the value of a form. An option is a value, or a pair of a value and its label. */
  function form(method, noteWide, name, defaultValue, options) {
    const what = `z.${method}`;
    return request(method, {
      name: String(name),
      noteWide,
      ...(defaultValue == null ? {} : { defaultValue: json(what, defaultValue) }),
      ...(options === undefined
        ? {}
        : {
            options: Array.from(options, (option) => {
              const [value, label] = Array.isArray(option) ? option : [option, option];
              return { value: json(what, value), displayName: String(label) };
            }),
          }),
    });
  }
  const noteMethods = {
    /** Shows a text box above the result and returns its text. */
    input: (name, value = '') => form('input', false, name, value),
    noteInput: (name, value = '') => form('input', true, name, value),
    /** Shows a password field and returns its text. */
    password: (name) => form('password', false, name, ''),
    notePassword: (name) => form('password', true, name, ''),
    /** Shows a list and returns the chosen value, or null. */
    select: (name, options, value) => form('select', false, name, value, options),
    noteSelect: (name, options, value) => form('select', true, name, value, options),
    /** Shows check boxes and returns the checked values. */
    checkbox: (name, options, values = []) => form('checkbox', false, name, values, options),
    noteCheckbox: (name, options, values = []) => form('checkbox', true, name, values, options),
    /** Shares a value with the templates of this note, or of one of its paragraphs. */
    angularBind: async (name, value, paragraphId) =>
      act('angularBind', { name, value: json('z.angularBind', value), paragraphId }),
    angularBindGlobal: async (name, value) =>
      act('angularBindGlobal', { name, value: json('z.angularBindGlobal', value) }),
    /** Returns a shared value of the paragraph, else of the note, else of all notes, or null. */
    angular: (name, paragraphId) => request('angular', { name, paragraphId }),
    angularGlobal: (name) => request('angularGlobal', { name }),
    angularUnbind: (name, paragraphId) => act('angularUnbind', { name, paragraphId }),
    angularUnbindGlobal: (name) => act('angularUnbindGlobal', { name }),
    /** Starts another paragraph: run(id or number), run(noteId, id). */
    run: (first, second) =>
      act(
        'run',
        second === undefined ? { paragraph: first } : { noteId: first, paragraph: second },
      ),
    runNote: (noteId) => act('runNote', { noteId }),
    runAll: () => act('runAll', {}),
    getInterpreterContext: () => request('getInterpreterContext', {}),
  };

  globalThis.z = Object.freeze({
    ...noteMethods,
    table: (rows) => showTable(rows),
    html: (markup) => output('HTML', String(markup)),
    async put(name, value) {
      const { columns, rows } = tableOf(value, 'z.put');
      if (columns.length === 0) throw new TypeError('z.put: the table has no columns');
      const parts = columns.map((column, place) => [
        column,
        ...typed(rows.map((row) => row[place])),
      ]);
      await ask({
        type: 'put',
        name: String(name),
        columns: parts.map(([column, type]) => [column, type]),
        rows: rows.map((_, row) =>
          Object.fromEntries(parts.map(([column, , values]) => [column, values[row]])),
        ),
      });
    },
    /**
     * Returns your login for a data source, as { username, password }. Only available if the
     * interpreter starts a separate process for each user.
     */
    credential: (entity) => ask({ type: 'credential', entity: String(entity) }),
  });

  /** Describes an error with its causes, without stack frames of Node.js and of this file. */
  function describe(error) {
    const shown = util.types.isNativeError(error)
      ? util.inspect(error)
      : 'Uncaught ' + util.inspect(error);
    return shown
      .split('\n')
      .filter((line) => !/^\s+at .*(node:|\[eval\])/.test(line))
      .join('\n')
      .replace(/(\n\s*at .*) \{$/, '$1 {');
  }

  async function run({ id, source, hasValue }) {
    let error;
    try {
      const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
      const script = new vm.Script(source, { filename: 'paragraph', importModuleDynamically });
      const value = await runs.run(id, () => script.runInThisContext({ displayErrors: false }));
      if (hasValue && value !== undefined) {
        if (Array.isArray(value) && value.length > 0 && value.every(isFlat)) showTable(value);
        else text(util.inspect(value) + '\n');
      }
    } catch (reason) {
      try {
        error = describe(reason);
      } catch {
        error = 'The error cannot be shown: converting it to text failed.';
      }
    }
    // Requests that the code did not await are part of the run too.
    while (open.size > 0) {
      await Promise.allSettled(open);
      // Node.js emits unhandledRejection only after this turn of the event loop.
      await new Promise(setImmediate);
    }
    send({ type: 'end', id, error });
  }

  for (const name of ['unhandledRejection', 'uncaughtException'])
    process.on(name, (error) => text(describe(error) + '\n'));
  for (const name of ['module', 'exports', '__filename', '__dirname']) delete globalThis[name];
  globalThis.require = createRequire(files + '/');

  const commands = new net.Socket({ fd: 4 });
  let rest = '';
  commands.setEncoding('utf8');
  commands.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
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
  // The pipe closes when the server ends.
  commands.on('close', () => exit(0));
  commands.on('error', () => exit(0));
})();
