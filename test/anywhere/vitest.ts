/**
 * `vitest` for a page and for a worker: its own `expect`, `vi` and clock, which run anywhere, without the process that
 * usually stands behind them. What of it needs that process (`vi.mock`, snapshots) is not there.
 */
import { setSafeTimers } from '@vitest/utils/timers';

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  chai,
  describe,
  expect,
  it,
  onTestFailed,
  onTestFinished,
  test,
  vi,
} from 'vitest';

// What it reads of the process it usually runs in.
Object.defineProperty(globalThis, '__vitest_worker__', {
  value: {
    config: { expect: {}, snapshotOptions: { expand: false } },
    filepath: '',
    environment: { name: 'browser' },
    ctx: { pool: 'browser' },
    providedContext: {},
  },
  configurable: true,
});
// Waiting by `vi.waitUntil` goes by the real clock, whatever clock a test has set.
setSafeTimers();
