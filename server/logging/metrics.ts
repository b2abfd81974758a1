/**
 * Metrics in Prometheus text format. Every label has a small set of values, none of which a caller
 * can choose.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Delay of the event loop, in ms, above which all users notice that the server stopped. */
const BLOCKED_MS = 200;
/** How often the event loop is checked for such a delay, in ms. */
const CHECK_MS = 50;

/** Values that are read whenever the metrics are requested. */
interface MetricSources {
  sockets(): number;
  /** For a server with its own notes and interpreters. */
  readonly local?: {
    runs(): { pending: number; running: number };
    /** Number of notes waiting to be stored. */
    saves(): number;
    interpreters(): number;
  };
  /** For a server in front of Zeppelin: whether Zeppelin can be reached. */
  upstream?(): boolean;
}

/** The metrics of one server. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #messages = this.#counter('tiding_messages_total', 'Live messages received', 'op');
  readonly #calls = this.#counter(
    'tiding_rest_requests_total',
    'REST calls answered',
    'route',
    'status',
  );
  readonly #callSeconds = new Histogram({
    name: 'tiding_rest_seconds',
    help: 'Time until a REST call is answered',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.#registry],
  });
  readonly #runs = this.#counter('tiding_runs_total', 'Runs that ended', 'interpreter', 'status');
  readonly #runSeconds = new Histogram({
    name: 'tiding_run_seconds',
    help: 'Duration of a run',
    labelNames: ['interpreter'],
    buckets: [0.05, 0.2, 1, 5, 20, 60, 300, 1_800, 3_600],
    registers: [this.#registry],
  });
  readonly #saveSeconds = new Histogram({
    name: 'tiding_note_save_seconds',
    help: 'Time until a note is on disk',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [this.#registry],
  });
  readonly #tokens = this.#counter(
    'tiding_assistant_tokens_total',
    'Tokens that the model of the assistant has read and written',
    'kind',
  );
  readonly #drops = this.#counter(
    'tiding_slow_readers_dropped_total',
    'Sockets dropped because too much data was queued for them',
  );
  readonly #check: NodeJS.Timeout;

  constructor(sources: MetricSources) {
    const gauge = (name: string, help: string, read: () => number) => {
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(read());
        },
      });
    };
    gauge('tiding_sockets', 'Open sockets', sources.sockets);
    const { local, upstream } = sources;
    if (local) {
      gauge('tiding_run_queue_length', 'Runs waiting in a queue', () => local.runs().pending);
      gauge('tiding_runs_active', 'Runs in progress', () => local.runs().running);
      gauge('tiding_save_queue_length', 'Notes waiting to be stored', local.saves);
      gauge('tiding_interpreters', 'Running interpreter instances', local.interpreters);
    }
    if (upstream)
      gauge('tiding_upstream_up', 'Whether the Zeppelin behind this server can be reached', () =>
        upstream() ? 1 : 0,
      );
    gauge(
      'tiding_event_loop_lag_p99_seconds',
      'Delay of the event loop since the last reading, 99th percentile',
      () => (this.#delay.percentile(99) || 0) / 1e9,
    );
    gauge(
      'tiding_event_loop_lag_max_seconds',
      'Longest delay of the event loop since the last reading',
      () => (this.#delay.count === 0 ? 0 : this.#delay.max / 1e9),
    );
    const blocked = this.#counter(
      'tiding_event_loop_blocked_total',
      `Delays of the event loop above ${BLOCKED_MS} ms`,
    );
    // The histogram has no exact count above a value, so a timer measures how late it is itself.
    let checked = performance.now();
    this.#check = setInterval(() => {
      const now = performance.now();
      if (now - checked - CHECK_MS > BLOCKED_MS) blocked.inc();
      checked = now;
    }, CHECK_MS).unref();
    gauge('tiding_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.#delay.enable();
  }

  #counter<Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** Counts a live message. `op` is an operation of the protocol, or `unknown`. */
  message(op: string): void {
    this.#messages.inc({ op });
  }

  /** Counts a response. `route` is an endpoint name, `page` or `unknown`. */
  call(route: string, status: number, seconds: number): void {
    this.#calls.inc({ route, status });
    this.#callSeconds.observe({ route }, seconds);
  }

  /** Counts a finished run. `interpreter` is a built-in interpreter, or `none`. */
  run(interpreter: string, status: string, seconds: number): void {
    this.#runs.inc({ interpreter, status });
    this.#runSeconds.observe({ interpreter }, seconds);
  }

  /** Counts the tokens of an answer of the assistant. */
  assistant({ read, written }: { readonly read: number; readonly written: number }): void {
    this.#tokens.inc({ kind: 'read' }, read);
    this.#tokens.inc({ kind: 'written' }, written);
  }

  /** Records how long storing a note took. */
  save(seconds: number): void {
    this.#saveSeconds.observe(seconds);
  }

  /** Counts a socket that was dropped because it did not read. */
  drop(): void {
    this.#drops.inc();
  }

  /** Returns all metrics as text. Also resets the measured event-loop delay. */
  async text(): Promise<{ type: string; body: string }> {
    const body = await this.#registry.metrics();
    this.#delay.reset();
    return { type: this.#registry.contentType, body };
  }

  /** Stops measuring. */
  close(): void {
    clearInterval(this.#check);
    this.#delay.disable();
    this.#registry.clear();
  }
}
