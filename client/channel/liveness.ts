/**
 * Time limit for opening a connection, in ms. A connection that is accepted but never completed
 * would not report anything.
 */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * If nothing was received for this long after sending a message, the connection is probed. In ms.
 */
const SILENCE_MS = 15_000;
/** Time limit for the answer to a probe, in ms. After it the connection is replaced. */
const PROBE_TIMEOUT_MS = 5_000;

/** What a {@link Liveness} check needs from its channel. */
interface LivenessOptions {
  /** Sends a message that every server answers. May throw. */
  probe(): void;
  /** Closes the connection, because the other side does not respond. */
  giveUp(reason: string): void;
}

/** Detects dead connections of a channel: those that never open, and those that fall silent. */
export class Liveness {
  readonly #options: LivenessOptions;
  /** Time limit for opening or for a probe; else the timer from a sent message to a probe. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  /**
   * Number of consecutive connections that ended because nothing was received. On slow networks the
   * time limits grow with it.
   */
  #silent = 0;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  get #patience(): number {
    return 2 ** Math.min(Math.max(0, this.#silent - 1), 4);
  }

  /** A connection is being opened. */
  connecting(): void {
    this.#timer = setTimeout(() => this.#options.giveUp('not opened in time'), CONNECT_TIMEOUT_MS);
  }

  /** A message was sent that the server answers. */
  sent(): void {
    this.#timer ??= setTimeout(() => this.probe(), SILENCE_MS * this.#patience);
  }

  /** A message was received: the other side is alive. */
  received(): void {
    this.stop();
    this.#silent = 0;
  }

  /** Checks whether the other side is alive. */
  probe(): void {
    if (this.#probing) return;
    this.stop();
    this.#probing = true;
    this.#timer = setTimeout(() => {
      this.#silent += 1;
      this.#options.giveUp('no answer');
    }, PROBE_TIMEOUT_MS * this.#patience);
    try {
      this.#options.probe();
    } catch {
      // Could not even be sent, so there will be no answer: the time limit decides.
    }
  }

  /** Stops the check, because the connection opened or ended. */
  stop(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#probing = false;
  }
}
