/** Starts workers of this package, also on pages that require Trusted Types. */

interface Policy {
  createScriptURL(text: string): string;
}

let policy: Policy | null | undefined;

function workerPolicy(): Policy | null {
  try {
    const { trustedTypes } = globalThis as {
      trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
    };
    return trustedTypes?.createPolicy('tiding#worker', { createScriptURL: (text) => text }) ?? null;
  } catch {
    return null;
  }
}

/**
 * Calls `spawn`, which creates a worker from a file of this package. If the page requires Trusted
 * Types, it must allow the policy `tiding#worker`. Otherwise the page refuses the worker, and this
 * function throws.
 *
 * @param spawn contains `new Worker(new URL(…, import.meta.url), …)`. Bundlers don't recognize a
 * worker if a function is called with its URL, so the policy is applied by `Worker` itself.
 */
export function startWorker(spawn: () => Worker): Worker {
  if (policy === undefined) policy = workerPolicy();
  if (!policy) return spawn();
  const trusted: Policy = policy;
  const { Worker: Native } = globalThis;
  globalThis.Worker = class extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(trusted.createScriptURL(`${url}`), options);
    }
  };
  try {
    return spawn();
  } finally {
    globalThis.Worker = Native;
  }
}
