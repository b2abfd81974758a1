/** The client's cost per message: from the text of a frame to the state of an open note. */
import { createClient } from '@tiding/client';
import { series } from './statistics.mjs';

const MESSAGES = 10_000;
/** Message rate for which the free time of a processor is reported, per second. */
const RATE = 10_000;
export const title = `Decoding and reducing ${MESSAGES.toLocaleString('en')} mixed messages`;

const noteId = '2DECODING';
const paragraphs = Array.from({ length: 20 }, (_, at) => ({
  id: `paragraph_1795246882721_${at}`,
  text: `%md\nparagraph ${at}`,
  status: at === 0 ? 'RUNNING' : 'READY',
  title: '',
  user: 'admin',
  config: { colWidth: 12, enabled: true, editorSetting: { language: 'markdown' } },
  settings: { params: {}, forms: {} },
  dateCreated: '2026-11-21T07:41:22+0000',
}));
const [{ id }] = paragraphs;
const frame = (op, data) =>
  JSON.stringify({ op, data, ticket: 'anonymous', principal: 'anonymous', roles: '' });

/** Mostly output, mixed with progress, whole paragraphs, note forms and note lists. */
function messages() {
  return Array.from({ length: MESSAGES }, (_, at) => {
    const place = at % 100;
    if (place === 99)
      return frame('NOTES_INFO', {
        notes: Array.from({ length: 24 }, (_note, n) => ({
          id: `2N${n}`,
          path: `/Folder ${n % 4}/Note ${n}`,
        })),
      });
    if (place === 98)
      return frame('SAVE_NOTE_FORMS', {
        formsData: {
          params: { day: 'mon' },
          forms: { day: { name: 'day', type: 'TextBox', defaultValue: 'mon' } },
        },
      });
    if (place >= 92)
      return frame('PARAGRAPH', {
        paragraph: {
          ...paragraphs[at % 20],
          status: at % 20 === 0 ? 'RUNNING' : 'FINISHED',
          dateUpdated: '2026-11-21T07:41:23+0000',
          progress: 0,
          ...(at % 20 === 0
            ? {}
            : { results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: `result ${at}\n` }] } }),
        },
      });
    if (place >= 80) return frame('PROGRESS', { id, progress: at % 101 });
    if (place >= 77)
      return frame('PARAGRAPH_UPDATE_OUTPUT', {
        noteId,
        paragraphId: id,
        index: 0,
        type: 'TEXT',
        data: '',
      });
    return frame('PARAGRAPH_APPEND_OUTPUT', {
      noteId,
      paragraphId: id,
      index: 0,
      data: `line ${at} of the stream, with as many words as a line of a log has\n`,
    });
  });
}

/** A client with an open note, and a function that delivers frames to it. */
async function openClient() {
  let events;
  const transport = (_url, given) => {
    events = given;
    queueMicrotask(() => given.onOpen());
    return {
      send: () =>
        queueMicrotask(() =>
          given.onMessage(frame('NOTE', { note: { id: noteId, path: '/decoding', paragraphs } })),
        ),
      close: () => {},
    };
  };
  const body = { version: '0.11.0', principal: 'a', ticket: 't', roles: '[]' };
  const client = createClient({
    server: 'http://server',
    transport,
    fetch: async () => Response.json({ status: 'OK', body }),
    autosave: 0,
  });
  await client.open(noteId);
  return { client, receive: (text) => events.onMessage(text) };
}

/** Calls `act` with each text and returns the mean time per call, in µs. */
function perMessage(texts, act) {
  const began = performance.now();
  for (const text of texts) act(text);
  return ((performance.now() - began) * 1e3) / texts.length;
}

/** Measures the section. The floor is a bare `JSON.parse` of the same texts. */
export async function measure(_world, repeats) {
  const time = series('a message, frame → state', 'µs');
  const free = series(`left free of a second at ${RATE.toLocaleString('en')} messages`, '%', {
    more: true,
  });
  const texts = messages();
  const decodeAll = async () => {
    const { client, receive } = await openClient();
    let wrong = 0;
    client.on('protocol-error', () => (wrong += 1));
    const our = perMessage(texts, receive);
    const { progress, outputs } = client.state.open[noteId].paragraphs[id];
    client.close();
    if (wrong > 0 || progress === undefined || outputs.length === 0)
      throw new Error(`${wrong} messages were rejected`);
    return our;
  };
  // Warm up first: in practice a flood does not start with the first messages of a page.
  await decodeAll();
  for (const _ of repeats()) {
    const our = await decodeAll();
    let sink = 0;
    const least = perMessage(texts, (text) => (sink += JSON.parse(text).op.length));
    if (sink === 0) throw new Error('nothing was parsed');
    time.add(our, least);
    free.add(100 - (our * RATE) / 1e4, 100 - (least * RATE) / 1e4);
  }
  return [time, free];
}
