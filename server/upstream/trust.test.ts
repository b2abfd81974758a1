/** Trust in notes of a Zeppelin: users trust the notes that they create, and no others. */
import { createClient } from '@tiding/client';
import { expect, it } from 'vitest';
import { json } from '../../test/support/fake-zeppelin.ts';
import { useGateway } from '../../test/support/gateway.ts';
import { untilEnd } from '../../test/support/until-end.ts';

const gateway = useGateway();

it('a user trusts a note from its creation; an imported one is not trusted', async () => {
  const { zeppelin } = gateway;
  zeppelin.accounts = false;
  for (const id of ['n1', 'n2']) {
    const note = { id, name: id, path: `/${id}`, paragraphs: [], config: {}, info: {} };
    zeppelin.replies[`GET /notebook/${id}`] = (_, response) =>
      json(response, 200, { status: 'OK', body: note });
    zeppelin.replies[`GET /notebook/${id}/permissions`] = (_, response) =>
      json(response, 200, {
        status: 'OK',
        body: { owners: [], readers: [], runners: [], writers: [] },
      });
  }
  zeppelin.replies['POST /notebook/import'] = (_, response) =>
    json(response, 200, { status: 'OK', body: 'n2' });
  zeppelin.onSocket = (socket) =>
    socket.on('message', (data) => {
      const { op, msgId } = JSON.parse(String(data)) as { op: string; msgId: string };
      const note = { id: 'n1', name: 'n1', path: '/n1', paragraphs: [], config: {}, info: {} };
      if (op === 'NEW_NOTE') socket.send(JSON.stringify({ op, data: { note }, msgId }));
      if (op === 'LIST_NOTES')
        socket.send(JSON.stringify({ op: 'NOTES_INFO', data: { notes: [] } }));
    });
  await gateway.start();
  const { cookie } = await gateway.admin();
  const { token } = (await gateway.call({ cookie } as never, 'POST', '/magpie/access-token', {}))
    .json as { token: string };
  const client = untilEnd(createClient({ server: gateway.url, auth: { token } }));
  const isTrusted = async (noteId: string) =>
    (await client.call('getTrust', { params: { noteId } })).trusted;
  expect(await isTrusted('n1')).toBe(false);
  expect(await client.notes.create({ path: 'n1' })).toBe('n1');
  expect(await isTrusted('n1')).toBe(true);
  const imported = await client.notes.importNote({ name: 'n2', paragraphs: [{ text: 'x' }] });
  expect(await isTrusted(imported)).toBe(false);
});
