import { restoreNumbers } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { JupyterCodec, messageOf } from './jupyter-messages.ts';

const codec = new JupyterCodec('key');

it('decodes encoded messages, also after routing frames', () => {
  const { id, frames } = codec.encode('execute_request', { code: 'é' }, { msg_id: 'parent' });
  expect(codec.decode([Buffer.from('someone'), ...frames])).toMatchObject({
    id,
    type: 'execute_request',
    parentId: 'parent',
    content: { code: 'é' },
  });
});

it('drops messages that are altered, signed with another key, or truncated [S62]', () => {
  const { frames } = codec.encode('stream', { text: 'a' });
  const changed = [...frames.slice(0, -1), Buffer.from('{"text":"b"}')];
  expect(codec.decode(changed)).toBeUndefined();
  expect(new JupyterCodec('other').decode(frames)).toBeUndefined();
  expect(codec.decode(frames.slice(0, 4))).toBeUndefined();
  expect(codec.decode([Buffer.from('x')])).toBeUndefined();
  expect(codec.decode([frames[0]!, Buffer.alloc(0), ...frames.slice(2)])).toBeUndefined();
});

it('keeps the digits of numbers in a JSON output, also in a message as a whole', () => {
  const content = '{"data": {"application/json": {"id": 9007199254740993, "n": [1.0, 2]}}}';
  const parts = { content: JSON.parse(content) as unknown };
  for (const text of [content, `{"channel": "iopub", "content": ${content}}`]) {
    const message = messageOf(parts as JsonObject, [], text);
    expect(restoreNumbers(JSON.stringify(message.json))).toBe(
      '{"id":9007199254740993,"n":[1.0,2]}',
    );
  }
  expect(messageOf({ content: { text: '"application/json"' } }, [], '{}').json).toBeUndefined();
});
