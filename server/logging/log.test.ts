import { expect, it } from 'vitest';
import { createLog } from './log.ts';

it('redacts secrets at any level of a logged object [S24 S44]', () => {
  let text = '';
  const log = createLog('debug', { write: (line) => void (text += line) });
  for (const name of ['ticket', 'token', 'password', 'authorization', 'cookie', 'secret']) {
    log.info(
      {
        [name]: 'abracadabra',
        request: { [name]: 'abracadabra', headers: { [name]: 'abracadabra' } },
        path: '/x',
      },
      'told',
    );
  }
  expect(text.trimEnd().split('\n')).toHaveLength(6);
  expect(text).toContain('"path":"/x"');
  expect(text).not.toContain('abracadabra');
});

it('cuts long texts, which strangers choose', () => {
  let text = '';
  const log = createLog('debug', { write: (line) => void (text += line) });
  log.warn({ principal: 'x'.repeat(1_000_000), address: '203.0.113.9' }, 'sign-in failed');
  expect(text.length).toBeLessThan(3_000);
  expect(text).toContain('"address":"203.0.113.9"');
});
