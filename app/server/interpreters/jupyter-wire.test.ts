import { expect, it } from 'vitest';
import { JupyterWire } from './jupyter-wire.ts';

const wire = new JupyterWire('key');

it('reads what it writes, also behind routing frames', () => {
  const { id, frames } = wire.encode('execute_request', { code: 'é' }, { msg_id: 'parent' });
  expect(wire.decode([Buffer.from('someone'), ...frames])).toMatchObject({
    id,
    type: 'execute_request',
    parentId: 'parent',
    content: { code: 'é' },
  });
});

it('drops messages that are changed, signed with another key, or cut short', () => {
  const { frames } = wire.encode('stream', { text: 'a' });
  const changed = [...frames.slice(0, -1), Buffer.from('{"text":"b"}')];
  expect(wire.decode(changed)).toBeUndefined();
  expect(new JupyterWire('other').decode(frames)).toBeUndefined();
  expect(wire.decode(frames.slice(0, 4))).toBeUndefined();
  expect(wire.decode([Buffer.from('x')])).toBeUndefined();
  expect(wire.decode([frames[0]!, Buffer.alloc(0), ...frames.slice(2)])).toBeUndefined();
});
