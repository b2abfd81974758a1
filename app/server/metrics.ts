/** Figures for a monitoring system, as Prometheus reads them. Every label has few values, none of which a caller chooses. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What is asked when the figures are. */
export interface MetricSources {
  sockets(): number;
  /** Of a server with notes and interpreters of its own. */
  readonly own?: {
    /** Runs that wait for their turn, and those that go on. */
    runs(): { pending: number; running: number };
    /** Notes that wait to be stored. */
    saves(): number;
    interpreters(): number;
  };
  /** Of a server in front of another: whether that one can be reached. */
  upstream?(): boolean;
}

/** The figures of one server. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #messages: Counter<'op'>;
  readonly #calls: Counter<'route' | 'status'>;
  readonly #callSeconds: Histogram<'route'>;
  readonly #runs: Counter<'interpreter' | 'status'>;
  readonly #runSeconds: Histogram<'interpreter'>;
  readonly #saveSeconds: Histogram;
  readonly #drops: Counter;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    this.#messages = new Counter({
      name: 'tiding_messages_total',
      help: 'Live messages received',
      labelNames: ['op'],
      registers,
    });
    this.#calls = new Counter({
      name: 'tiding_rest_requests_total',
      help: 'REST calls answered',
      labelNames: ['route', 'status'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'tiding_rest_seconds',
      help: 'Time until a REST call is answered',
      labelNames: ['route'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    });
    this.#runs = new Counter({
      name: 'tiding_runs_total',
      help: 'Runs that ended',
      labelNames: ['interpreter', 'status'],
      registers,
    });
    this.#runSeconds = new Histogram({
      name: 'tiding_run_seconds',
      help: 'Time a run took',
      labelNames: ['interpreter'],
      buckets: [0.05, 0.2, 1, 5, 20, 60, 300, 1_800, 3_600],
      registers,
    });
    this.#saveSeconds = new Histogram({
      name: 'tiding_note_save_seconds',
      help: 'Time until a note is on the disk',
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
      registers,
    });
    this.#drops = new Counter({
      name: 'tiding_slow_readers_dropped_total',
      help: 'Sockets dropped because what waited for them was too much',
      registers,
    });
    const gauge = (name: string, help: string, read: () => number) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    };
    gauge('tiding_sockets', 'Open sockets', sources.sockets);
    const { own, upstream } = sources;
    if (own) {
      gauge('tiding_run_queue_length', 'Runs that wait for their turn', () => own.runs().pending);
      gauge('tiding_runs_active', 'Runs that go on', () => own.runs().running);
      gauge('tiding_save_queue_length', 'Notes that wait to be stored', own.saves);
      gauge('tiding_interpreters', 'Interpreter instances that are up', own.interpreters);
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
    gauge('tiding_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.#delay.enable();
  }

  /** A live message; `op` is one of the protocol, or `unknown`. */
  message(op: string): void {
    this.#messages.inc({ op });
  }

  /** An answer; `route` is a call's name, `page` or `unknown`. */
  call(route: string, status: number, seconds: number): void {
    this.#calls.inc({ route, status });
    this.#callSeconds.observe({ route }, seconds);
  }

  /** The end of a run; `interpreter` is one that this server comes with, or `none`. */
  run(interpreter: string, status: string, seconds: number): void {
    this.#runs.inc({ interpreter, status });
    this.#runSeconds.observe({ interpreter }, seconds);
  }

  /** A note was stored. */
  save(seconds: number): void {
    this.#saveSeconds.observe(seconds);
  }

  /** A socket that did not read was dropped. */
  drop(): void {
    this.#drops.inc();
  }

  /** All figures, as text; the delay of the event loop counts anew from here. */
  async text(): Promise<{ type: string; body: string }> {
    const body = await this.#registry.metrics();
    this.#delay.reset();
    return { type: this.#registry.contentType, body };
  }

  /** Counts no more. */
  close(): void {
    this.#delay.disable();
    this.#registry.clear();
  }
}
