/*
 * The page inside frames of templates: AngularJS, with the values of the note in the scope of the template, and `z`.
 * A value that the template changes goes to the page around; only plain JSON does.
 */
import angular from 'angular';
import sheet from './angular.css';
import { start } from './page.ts';
import {
  maxMessageSize,
  maxNameLength,
  maxValues,
  type FrameCall,
  type FromFrame,
  type Values,
} from './protocol.ts';

/** Changes are told together, at most this often, ms: far below the rate at which the page stops listening. */
const tellInterval = 100;
/** A value whose name starts so is a function: calling it sets the value to its arguments. */
const functionPrefix = '_Z_ANGULAR_FUNC_';
/** Names that mean something to a scope, or to every object. */
const taken = new Set(['z', 'this', 'constructor', '__proto__', 'prototype']);

type Scope = angular.IRootScopeService & Record<string, unknown>;

let scope: Scope | undefined;
let send: (message: FromFrame) => void = () => {};
/** JSON of each bound value as both sides know it; a watch that finds the same has nothing to tell. */
const known = new Map<string, string>();
const watches = new Map<string, () => void>();
const changed = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

const jsonOf = (value: unknown): string => angular.toJson(value) ?? 'null';

function tell(): void {
  timer = undefined;
  let batch: [string, unknown][] = [];
  let size = 0;
  const flush = (): void => {
    if (batch.length > 0) send({ type: 'angular-set', values: batch });
    batch = [];
    size = 0;
  };
  for (const entry of changed) {
    const length = JSON.stringify(entry).length;
    if (length > maxMessageSize - 200) {
      send({ type: 'error', message: `${entry[0]}: the value is too large to be shared` });
      continue;
    }
    if (size + length > maxMessageSize - 200 || batch.length === maxValues) flush();
    batch.push(entry);
    size += length + 1;
  }
  changed.clear();
  flush();
}

function bind(target: Scope, name: string): void {
  if (watches.has(name)) return;
  watches.set(
    name,
    target.$watch(
      () => target[name],
      (value: unknown) => {
        let json: string;
        try {
          json = jsonOf(value);
        } catch {
          // What refers to itself cannot be shared.
          return;
        }
        if (known.get(name) === json) return;
        known.set(name, json);
        changed.set(name, JSON.parse(json));
        timer ??= setTimeout(tell, tellInterval);
      },
      true,
    ),
  );
  if (name.startsWith(functionPrefix)) {
    target[name.slice(functionPrefix.length)] = (...parameters: unknown[]): void => {
      // A second call with the same arguments is a call too.
      known.delete(name);
      target[name] = parameters;
    };
  }
}

function put(target: Scope, set: Values, unset: readonly string[]): void {
  for (const [name, value] of set) {
    if (name.startsWith('$') || taken.has(name)) continue;
    // What somebody else says last holds.
    changed.delete(name);
    known.set(name, jsonOf(value));
    target[name] = value;
    bind(target, name);
  }
  for (const name of unset) {
    watches.get(name)?.();
    watches.delete(name);
    known.delete(name);
    changed.delete(name);
    if (name.startsWith(functionPrefix)) delete target[name.slice(functionPrefix.length)];
    delete target[name];
  }
}

const word = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value).slice(0, maxNameLength + 1);

function call(asked: FrameCall): void {
  // What the template has changed before it asks for something arrives before it.
  clearTimeout(timer);
  tell();
  send({ type: 'call', ...asked });
}

const set = (name: unknown, value: unknown, paragraphId?: unknown): void =>
  call({
    call: 'set',
    name: word(name),
    value: JSON.parse(jsonOf(value)) as unknown,
    paragraphId: word(paragraphId),
  });
const unset = (name: unknown, paragraphId?: unknown): void =>
  call({ call: 'unset', name: word(name), paragraphId: word(paragraphId) });
const run = (paragraphId?: unknown): void => call({ call: 'run', paragraphId: word(paragraphId) });
/** Both generations' names. */
const z = Object.freeze({
  run,
  set,
  unset,
  runParagraph: run,
  angularBind: set,
  angularUnbind: unset,
});

/** A frame without the right to send forms lets none be submitted, and so tells templates of none: they are told here. */
function submits(): void {
  const submit = (form: HTMLFormElement): void =>
    void form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  document.addEventListener('click', (event) => {
    const button = (event.target as Element | null)?.closest?.('button, input');
    const form = (button as HTMLButtonElement | null)?.form;
    if (
      !form ||
      event.defaultPrevented ||
      !/^(?:submit|image)$/.test((button as HTMLButtonElement).type)
    )
      return;
    event.preventDefault();
    if (form.noValidate || form.reportValidity()) submit(form);
  });
  document.addEventListener('keydown', (event) => {
    const input = event.target as HTMLInputElement | null;
    // With a button the browser clicks it.
    if (
      event.key === 'Enter' &&
      !event.isComposing &&
      input?.tagName === 'INPUT' &&
      input.form &&
      !input.form.querySelector(
        'button:not([type=button], [type=reset]), [type=submit], [type=image]',
      )
    )
      submit(input.form);
  });
}

start({
  sheet,
  ready(values, sends) {
    send = sends;
    submits();
    // The isolation is the frame's: what is in it may show any markup of its own.
    angular
      .module('tiding', [])
      .config([
        '$sceProvider',
        '$compileProvider',
        ($sce: angular.ISCEProvider, $compile: angular.ICompileProvider) => {
          $sce.enabled(false);
          $compile.debugInfoEnabled(true);
        },
      ])
      .value('$rootElement', angular.element(document.body))
      .factory(
        '$exceptionHandler',
        () => (error: unknown) =>
          send({
            type: 'error',
            message: String((error as Error)?.message ?? error).slice(0, 500),
          }),
      )
      .run([
        '$rootScope',
        (root: Scope) => {
          scope = root;
          root['z'] = z;
          put(root, values, []);
        },
      ]);
    // As `bootstrap` does, but for its look upwards: a form of the name `parentNode` would lead it in a circle.
    const injector = angular.injector(['ng', 'tiding']);
    injector.invoke([
      '$rootScope',
      '$compile',
      (root: Scope, compile: angular.ICompileService) =>
        root.$apply(() => {
          angular.element(document.body).data('$injector', injector);
          compile(document.body)(root);
        }),
    ]);
  },
  values(set, unset) {
    scope?.$apply(() => put(scope!, set, unset));
  },
});
