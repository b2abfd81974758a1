import type { ClientEvent } from './core/events.ts';
import type { ServerState } from './core/state.ts';
import type { EndpointAnswer } from './protocol/index.ts';
import type { RestCall } from './rest/rest-client.ts';

/** Asks a server for its version and features, once per client. */
export class ServerVersion {
  /** Whether the server is a Zeppelin without a Tiding gateway; false until it is known. */
  isPlainZeppelin = false;
  readonly #call: RestCall;
  readonly #emit: (event: ClientEvent) => void;
  #pending: Promise<void> | undefined;

  constructor(call: RestCall, emit: (event: ClientEvent) => void) {
    this.#call = call;
    this.#emit = emit;
  }

  /** Resolves when the version is in the state. After a failure, the next call asks again. */
  known(): Promise<void> {
    this.#pending ??= this.#fetch();
    this.#pending.catch(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Uses an answer that was received elsewhere. */
  accept(answer: EndpointAnswer<'version'>): void {
    this.#pending = Promise.resolve();
    this.#apply(answer);
  }

  async #fetch(): Promise<void> {
    this.#apply(await this.#call('version'));
  }

  #apply(answer: EndpointAnswer<'version'>): void {
    this.isPlainZeppelin = !answer.tiding && !answer.gateway;
    this.#emit({ type: 'server', server: serverState(answer) });
  }
}

function serverState({ version, tiding, gateway }: EndpointAnswer<'version'>): ServerState {
  return {
    version,
    generation: /^0\.[0-8]\./.test(version) ? 'A' : 'B',
    tiding: tiding?.version,
    namesReplies: tiding?.namesReplies ?? false,
    presence: tiding?.presence,
    restoresParagraphs: tiding?.restores,
    assistant: tiding?.assistant,
    gatewayCalls: gateway?.also,
  };
}
