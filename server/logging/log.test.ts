import { expect, it } from 'vitest';
import { createLog } from './log.ts';

it('redacts secrets at any level of a logged object', () => {
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
