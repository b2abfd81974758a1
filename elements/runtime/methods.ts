/** Methods of elements: the class has them from the start, and the view implements them. */
import { useLayoutEffect, useMemo } from 'react';
import type { MethodSpec } from './define-element.ts';

type Method = (...values: never[]) => Promise<unknown>;
interface WaitingCall {
  readonly name: string;
  resolve(method: Method): void;
  reject(reason: Error): void;
}

const implemented = new WeakMap<HTMLElement, Readonly<Record<string, Method>>>();
const waiting = new WeakMap<HTMLElement, WaitingCall[]>();

/**
 * Calls a method of an element. Until the view implements it, the call waits, or resolves at once
 * to what the spec says. It rejects if the element is removed meanwhile.
 */
export async function callMethod(
  element: HTMLElement,
  spec: MethodSpec,
  values: readonly unknown[],
): Promise<unknown> {
  const { name } = spec;
  let method = implemented.get(element)?.[name];
  if (!method && 'withoutView' in spec) return spec.withoutView;
  method ??= await new Promise<Method>((resolve, reject) =>
    waiting.set(element, [...(waiting.get(element) ?? []), { name, resolve, reject }]),
  );
  return method(...(values as never[]));
}

/** Rejects the calls that wait for the view of an element that was removed. */
export function rejectWaitingCalls(element: HTMLElement): void {
  for (const { name, reject } of waiting.get(element) ?? [])
    reject(
      new DOMException(
        `<${element.localName}> was removed from the page before ${name}() could start.`,
        'AbortError',
      ),
    );
  waiting.delete(element);
}

/**
 * Implements methods of an element while the component is mounted. Takes effect before paint: host
 * pages may call them as soon as the element is visible.
 */
export function useMethods(host: HTMLElement, methods: Readonly<Record<string, Method>>): void {
  useLayoutEffect(() => {
    implemented.set(host, { ...implemented.get(host), ...methods });
    const calls = waiting.get(host) ?? [];
    waiting.set(
      host,
      calls.filter(({ name }) => !methods[name]),
    );
    for (const { name, resolve } of calls) if (methods[name]) resolve(methods[name]);
    return () => {
      const others = Object.entries(implemented.get(host) ?? {}).filter(
        ([name, method]) => methods[name] !== method,
      );
      implemented.set(host, Object.fromEntries(others));
    };
  }, [host, methods]);
}

/**
 * Implements `mayLeave()` by `ask`, which must be the same function at each render. Calls during a
 * question get its answer.
 */
export function useMayLeave(host: HTMLElement, ask: () => Promise<boolean>): void {
  const methods = useMemo(() => {
    let asking: Promise<boolean> | undefined;
    return { mayLeave: () => (asking ??= ask().finally(() => (asking = undefined))) };
  }, [ask]);
  useMethods(host, methods);
}
