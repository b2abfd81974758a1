import { isOutdated, runFooterText } from '@tiding/client/model';
import { describe, expect, test } from 'vitest';
import type { SentFrame } from '../../../test/support/line.ts';
import { scriptedClients, settle } from '../../../test/support/scripted.ts';

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

async function opened(version: object) {
  const all = scripted({ 'GET /version': version });
  const note = await all.open({ id: 'n', paragraphs: [ran] });
  return { all, paragraph: note.paragraph('p') };
}

async function commitOf(change: 'config' | 'params', version: object = { version: '0.10.0' }) {
  const { all, paragraph } = await opened(version);
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

const serverKinds = [
  ['replies with ids', { version: '0.8.2', tiding: { version: '1', namesReplies: true } }],
  ['replies without ids', { version: '0.10.0' }],
] as const;

describe.each(serverKinds)('changes that are not answered yet (%s)', (_title, version) => {
  async function answering() {
    const { all, paragraph } = await opened(version);
    /** Waits until commit `index` was sent, and returns a function that answers it. */
    const answer = async (index: number) => {
      await settle();
      const commits = all.last().frames.filter(({ op }) => op === 'COMMIT_PARAGRAPH');
      const { data, msgId } = commits[index] as SentFrame;
      all.last().say('PARAGRAPH', committed(data), 'tiding' in version ? msgId : undefined);
      await settle();
    };
    return { paragraph, answer, say: (data: object) => all.last().say('PARAGRAPH', data) };
  }

  test.each<[kind: 'config' | 'params', first: object, second: object]>([
    ['config', { colWidth: 11 }, { colWidth: 10 }],
    ['params', { city: 'Bern' }, { city: 'Basel' }],
  ])('the answer to an earlier change of %s keeps a later one', async (kind, first, second) => {
    const { paragraph, answer, say } = await answering();
    const shown = () => {
      const { config, settings } = paragraph.state.server;
      return kind === 'config' ? config : settings?.params;
    };
    const done = [first, second].map((change) =>
      kind === 'config' ? paragraph.configure({ ...change }) : paragraph.setParams({ ...change }),
    );
    await answer(0);
    await done[0];
    expect(shown()).toMatchObject(second);
    await answer(1);
    await done[1];
    expect(shown()).toMatchObject(second);
    // Nothing is in flight any more, so a change by another user is shown.
    say({ paragraph: { ...ran, config: first, settings: { params: first } } });
    expect(shown()).toMatchObject(first);
  });

  test('a later change of the width keeps an earlier title', async () => {
    const { paragraph, answer } = await answering();
    const done = [paragraph.setTitle('Trips'), paragraph.configure({ colWidth: 6 })];
    await answer(0);
    await answer(1);
    await Promise.all(done);
    expect(paragraph.title).toBe('Trips');
    expect(paragraph.state.server.config).toMatchObject({ colWidth: 6 });
  });
});

test('a paragraph sent before the answer keeps the change, and the answer is final', async () => {
  const { all, paragraph } = await opened(serverKinds[0][1]);
  const done = paragraph.configure({ colWidth: 14 });
  await settle();
  const { data, msgId } = all.last().frames.at(-1)!;
  all.last().say('PARAGRAPH', { paragraph: { ...ran, status: 'RUNNING' } });
  expect(paragraph.state.server).toMatchObject({ status: 'RUNNING', config: { colWidth: 14 } });
  const answer = committed(data).paragraph;
  all.last().say('PARAGRAPH', { paragraph: { ...answer, config: { colWidth: 12 } } }, msgId);
  await done;
  expect(paragraph.state.server.config).toEqual({ colWidth: 12 });
});

test('a refused change is not shown again', async () => {
  const { all, paragraph } = await opened(serverKinds[0][1]);
  const refused = expect(paragraph.configure({ colWidth: 14 })).rejects.toThrow('Not allowed');
  await settle();
  all.last().say('AUTH_INFO', { info: 'Not allowed' }, all.last().frames.at(-1)!.msgId);
  await refused;
  all.last().say('PARAGRAPH', { paragraph: ran });
  expect(paragraph.state.server.config).toEqual({ colWidth: 12 });
});
