/**
 * Note lists that change faster than clients read: each request is answered, other clients get the
 * newest list, and nobody gets an older one after it.
 */
import { expect, it } from 'vitest';
import { asPage, login, onlyFor, openSocket, request, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const CHANGES = 60;

const embedded = untilEnd(await startEmpty());
const { url } = embedded.server;
const admin = await login(url);

const nameIn = (data: Record<string, unknown>, id: string) =>
  (data['notes'] as { id: string; name: string }[]).find((note) => note.id === id)?.name;

it('each rename is answered with its list, and watchers end with the newest [W93]', async () => {
  const made = await request(url, 'POST', '/api/notebook', {
    headers: asPage(admin),
    body: JSON.stringify({ name: 'change 0' }),
  });
  const id = (made.json as { body: string }).body;
  const [asker, watcher] = [
    await openSocket(url, { identity: admin.identity }),
    await openSocket(url, { identity: admin.identity }),
  ];
  watcher.send({ op: 'LIST_NOTES' });
  await watcher.next('NOTES_INFO');
  for (let change = 1; change <= CHANGES; change += 1)
    asker.send({ op: 'NOTE_RENAME', data: { id, name: `change ${change}` }, msgId: `m${change}` });
  const seen: string[] = [];
  const watching = (async () => {
    while (seen.at(-1) !== `change ${CHANGES}`)
      seen.push(nameIn((await watcher.next('NOTES_INFO')).data, id) ?? '');
  })();
  for (let change = 1; change <= CHANGES; change += 1) {
    const answer = await asker.next('NOTES_INFO');
    if (answer.msgId === undefined) change -= 1;
    else
      expect([answer.msgId, nameIn(answer.data, id)]).toEqual([`m${change}`, `change ${change}`]);
  }
  await watching;
  const numbers = seen.map((name) => Number(name.slice('change '.length)));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
});

it('a note is in no list of a user who lost the right to read it [S12]', async () => {
  const made = await request(url, 'POST', '/api/notebook', {
    headers: asPage(admin),
    body: JSON.stringify({ name: 'hidden' }),
  });
  const id = (made.json as { body: string }).body;
  const watcher = await openSocket(url, { identity: admin.identity });
  watcher.send({ op: 'LIST_NOTES' });
  expect(nameIn((await watcher.next('NOTES_INFO')).data, id)).toBe('hidden');
  const others = onlyFor('somebody');
  const set = request(url, 'PUT', `/api/notebook/${id}/permissions`, {
    headers: asPage(admin),
    body: JSON.stringify(others),
  });
  await Promise.all([
    set,
    ...Array.from({ length: 10 }, (_, at) =>
      request(url, 'POST', '/api/notebook', {
        headers: asPage(admin),
        body: JSON.stringify({ name: `beside ${at}` }),
      }),
    ),
  ]);
  expect((await set).status).toBe(200);
  for (;;) {
    const { data } = await watcher.next('NOTES_INFO');
    const count = (data['notes'] as { name: string }[]).filter(({ name }) =>
      name.startsWith('beside '),
    ).length;
    if (count < 10 || nameIn(data, id) !== undefined) continue;
    break;
  }
  watcher.send({ op: 'LIST_NOTES' });
  expect(nameIn((await watcher.next('NOTES_INFO')).data, id)).toBeUndefined();
});
