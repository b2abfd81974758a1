/** What a message costs a client: from the text of the frame to the state of an open note, as a run floods it. */
import { createClient } from 'tiding/client';
import { series } from './statistics.mjs';

const MESSAGES = 10_000;
/** Messages a second at which what is left of it is told. */
const RATE = 10_000;
export const title = `Decoding and reducing ${MESSAGES.toLocaleString('en')} mixed messages`;
export const weight = 2;

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

/** Most of it is output, as of a run that prints; between it progress, whole paragraphs, the forms, the list. */
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

/** A client with the note open, and the way frames come to it. */
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
  return { client, hear: (text) => events.onMessage(text) };
}

/** µs a message of something done to each. */
function perMessage(texts, act) {
  const began = performance.now();
  for (const text of texts) act(text);
  return ((performance.now() - began) * 1e3) / texts.length;
}

/** Measures the section; the floor is the bare `JSON.parse` of the same texts. */
export async function measure(_world, repeats) {
  const time = series('a message, frame → state', 'µs');
  const free = series(`left free of a second at ${RATE.toLocaleString('en')} messages`, '%', {
    more: true,
  });
  const texts = messages();
  const once = async () => {
    const { client, hear } = await openClient();
    let wrong = 0;
    client.on('protocol-error', () => (wrong += 1));
    const our = perMessage(texts, hear);
    const { progress, outputs } = client.state.open[noteId].paragraphs[id];
    client.close();
    if (wrong > 0 || progress === undefined || outputs.length === 0)
      throw new Error(`${wrong} of the messages were not understood`);
    return our;
  };
  // The first messages of a page are slower; a flood is not its first.
  await once();
  for await (const _ of repeats()) {
    const our = await once();
    let sink = 0;
    const least = perMessage(texts, (text) => (sink += JSON.parse(text).op.length));
    if (sink === 0) throw new Error('nothing was parsed');
    time.add(our, least);
    free.add(100 - (our * RATE) / 1e4, 100 - (least * RATE) / 1e4);
  }
  return [time, free];
}
