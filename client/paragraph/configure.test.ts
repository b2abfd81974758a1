import { isOutdated, runFooterText } from '@tiding/client/model';
import { expect, test } from 'vitest';
import { scriptedClients, settle } from '../../test/support/scripted.ts';

const scripted = scriptedClients();
const ran = {
  id: 'p',
  text: '%md hello',
  config: { colWidth: 12 },
  settings: { params: {} },
  status: 'FINISHED',
  dateUpdated: 'Nov 21, 2026 7:01:50 AM',
  dateStarted: 'Nov 21, 2026 7:01:50 AM',
  dateFinished: 'Nov 21, 2026 7:01:51 AM',
};

/** Answers a commit like a Zeppelin, which renews the date whatever has changed. */
const committed = (data: unknown) => {
  const { paragraph, title, config, params } = data as Record<string, object>;
  return {
    paragraph: {
      ...ran,
      ...{ text: paragraph, title, config, settings: { params } },
      dateUpdated: 'Nov 21, 2026 7:03:00 AM',
    },
  };
};

async function commitOf(change: 'config' | 'params', version: object = { version: '0.10.0' }) {
  const all = scripted({ 'GET /version': version });
  const note = await all.open({ id: 'n', paragraphs: [ran] });
  const paragraph = note.paragraph('p');
  const done =
    change === 'config'
      ? paragraph.configure({ editorHide: true })
      : paragraph.setParams({ city: 'Bern' });
  await settle();
  const sent = all.last().frames.at(-1)!;
  all.last().say('PARAGRAPH', committed(sent.data));
  await done;
  return { server: paragraph.state.server, config: (sent.data as typeof ran).config };
}

test('a saved display setting leaves the result of a Zeppelin up to date', async () => {
  const { server } = await commitOf('config');
  expect(server.config).toMatchObject({ colWidth: 12, editorHide: true });
  expect(isOutdated(server)).toBe(false);
  expect(runFooterText(server)).not.toContain('outdated');
  // Another text, by any user.
  expect(isOutdated({ ...server, text: '%md bye' })).toBe(true);
});

test('changed form values make it outdated', async () =>
  expect(isOutdated((await commitOf('params')).server)).toBe(true));

test('a server that keeps the date of the text gets the settings alone', async () => {
  const { config } = await commitOf('config', { version: '0.8.2', tiding: { version: '1' } });
  expect(config).toEqual({ colWidth: 12, editorHide: true });
});
