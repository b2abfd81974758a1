/*
 * Page inside frames of Angular outputs: AngularJS with the note's shared values in the template's
 * scope, and the object `z`. Values changed by the template are sent to the host page as plain
 * JSON.
 */
import angular from 'angular';
import type { FrameCall, FromFrame } from '../frames/frame-messages.ts';
import sheet from './angular.css';
import { failureOf, startFramePage } from './frame-page.ts';
import {
  type FrameValues,
  MAX_MESSAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_VALUES_PER_MESSAGE,
} from './protocol.ts';

/**
 * Minimum interval between messages with changes, in ms; far below the rate limit of the host page.
 */
const tellInterval = 100;
/**
 * A value whose name has this prefix is exposed as a function; calling it sets the value to the
 * arguments.
 */
const functionPrefix = '_Z_ANGULAR_FUNC_';
/** Names that are reserved by scopes or exist on every object. */
const taken = new Set(['z', 'this', 'constructor', '__proto__', 'prototype']);

type Scope = angular.IRootScopeService & Record<string, unknown>;

let scope: Scope | undefined;
let send: (message: FromFrame) => void = () => {};
/** JSON of each bound value as both sides know it; unchanged values are not sent. */
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
    if (length > MAX_MESSAGE_CHARACTERS - 200) {
      send({ type: 'error', message: `The value of ${entry[0]} is too large to be shared.` });
      continue;
    }
    if (size + length > MAX_MESSAGE_CHARACTERS - 200 || batch.length === MAX_VALUES_PER_MESSAGE)
      flush();
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
          // Circular values cannot be shared.
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
      // A second call with the same arguments must be sent too.
      known.delete(name);
      target[name] = parameters;
    };
  }
}

function put(target: Scope, set: FrameValues, unset: readonly string[]): void {
  for (const [name, value] of set) {
    if (name.startsWith('$') || taken.has(name)) continue;
    // The latest change from outside wins.
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
  value === undefined || value === null ? '' : String(value).slice(0, MAX_NAME_CHARACTERS + 1);

function call(asked: FrameCall): void {
  // Send pending changes first, so that they arrive before the call.
  clearTimeout(timer);
  tell();
  send(asked);
}

const set = (name: unknown, value: unknown, paragraphId?: unknown): void =>
  call({
    type: 'call',
    call: 'set',
    name: word(name),
    value: JSON.parse(jsonOf(value)) as unknown,
    paragraphId: word(paragraphId),
  });
const unset = (name: unknown, paragraphId?: unknown): void =>
  call({ type: 'call', call: 'unset', name: word(name), paragraphId: word(paragraphId) });
const run = (paragraphId?: unknown): void =>
  call({ type: 'call', call: 'run', paragraphId: word(paragraphId) });
/** Method names of both Zeppelin generations. */
const z = Object.freeze({
  run,
  set,
  unset,
  runParagraph: run,
  angularBind: set,
  angularUnbind: unset,
});

/** In a sandbox without allow-forms the browser fires no submit events, so fire them here. */
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
    // If the form has a submit button, the browser clicks it on Enter.
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

startFramePage({
  sheet,
  ready(values, sends) {
    send = sends;
    submits();
    // The sandboxed frame isolates the content, so the template may use any HTML.
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
      .factory('$exceptionHandler', () => (error: unknown) => send(failureOf(error)))
      .run([
        '$rootScope',
        (root: Scope) => {
          scope = root;
          root['z'] = z;
          put(root, values, []);
        },
      ]);
    // Like `angular.bootstrap`, but without its search through parent nodes, which loops forever if
    // a form control is named `parentNode`.
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
