import { same, strictPolicy, waitUntil } from '../../result/test-support.tsx';
import { startWorker } from './start-worker.ts';

const source = 'onmessage = ({ data }) => postMessage(data + 1)';
const spawn = () =>
  new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));

describe('starting a worker', () => {
  it('passes its address through the policy where a page requires Trusted Types', async () => {
    const native = globalThis.Worker;
    const violations = strictPolicy();
    let refused = '';
    try {
      spawn();
    } catch (error) {
      refused = (error as Error).name;
    }
    // Firefox and Safari may not know Trusted Types.
    const isEnforced = 'trustedTypes' in globalThis;
    same(refused, isEnforced ? 'TypeError' : '');
    if (isEnforced) await waitUntil(() => violations.length > 0, 'the report of the refusal');
    violations.length = 0;
    const worker = startWorker(spawn);
    const answer = new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(1);
    same(await answer, 2);
    worker.terminate();
    same(violations, []);
    same(globalThis.Worker === native, true, 'the global constructor is restored');
  });
});
