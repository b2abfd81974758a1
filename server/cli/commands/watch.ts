/** `tiding watch`: prints what happens in a note, as it happens. */
import type { ClientEvent, Note } from '@tiding/client';
import { clientCommand, findNote } from '../connection.ts';
import { CommandError, EXIT } from '../exit.ts';
import { headingIn } from '../heading.ts';
import { escapeFilter } from '../terminal.ts';

export default clientCommand({
  summary: 'Print the events of a note until you stop it',
  argument: ['<note>', 'id or full path of the note'],
  options: {
    json: {
      help: 'print one JSON object per line: {"time", "type", "data"}, as in the protocol',
    },
  },
  details: [
    'Prints runs, output, edits, and added, removed and moved paragraphs. Without ' +
      '--json each line is a time, an event, a paragraph and details, separated by tabs. ' +
      'The exit code is 130 after Ctrl-C, 0 after SIGTERM or when the output is closed, ' +
      'and 5 if the note is removed. After a lost connection the command reconnects.',
  ],
  examples: [
    ['tiding watch nightly', 'print what users do'],
    [
      'tiding watch nightly --json | ' +
        'jq -c \'select(.type == "PARAGRAPH") | .data.paragraph.status\'',
      'print every status change',
    ],
  ],
  run: ({ connect, io, values, args: [name = ''], terminal }) =>
    connect(async (client) => {
      const { id, path } = await findNote(client, name);
      let end: (code: number | CommandError) => void = () => {};
      const ended = new Promise<number | CommandError>((resolve) => (end = resolve));
      const onInterrupt = () => end(EXIT.interrupted);
      const onTerminate = () => end(EXIT.done);
      io.signals.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
      void terminal.hungUp.then(() => end(EXIT.done));
      const gone = () =>
        end(new CommandError(EXIT.unknown, `${path} was removed, or you may no longer read it`));
      // Write the lines in order, even if the reader is slow.
      let writing: Promise<void> = Promise.resolve();
      const put = (text: string) => (writing = writing.then(() => terminal.line(text)));
      try {
        const note = await client.open(id);
        const describe = describer(note);
        client.on('event', (event) => {
          if (event.type === 'NOTES_INFO' && !event.data.notes.some((entry) => entry.id === id))
            gone();
          if (!('noteId' in event) || event.noteId !== id) return;
          if (event.type === 'note-missing') gone();
          if (event.type === 'connection' && (event.state === 'waiting' || event.state === 'open'))
            terminal.status(
              event.state === 'open' ? 'reconnected' : 'connection lost; reconnecting',
            );
          // Protocol events are in capitals; the others are the client's own.
          if (!/^[A-Z]/.test(event.type) || !('data' in event) || event.type === 'NOTES_INFO')
            return;
          if (values.json)
            void put(
              JSON.stringify({
                time: new Date().toISOString(),
                type: event.type,
                data: event.data,
              }),
            );
          else for (const line of describe(event)) void put(`${new Date().toISOString()}\t${line}`);
        });
        client.on('session_logout', () =>
          setTimeout(() => {
            if (client.state.session.phase === 'signed-out')
              end(new CommandError(EXIT.denied, 'the session has ended'));
          }, 5_000).unref(),
        );
        terminal.status(`watching ${path}`);
        const result = await ended;
        await Promise.race([writing, terminal.hungUp]);
        if (typeof result !== 'number') throw result;
        return result;
      } finally {
        io.signals.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
      }
    }),
});

/** Describes events as lines of text: a keyword, a paragraph, and details. */
function describer(note: Note): (event: ClientEvent) => string[] {
  const states = new Map(
    note.paragraphs.map((each) => [
      each.id,
      { status: each.status, text: each.state.server.text, title: each.title },
    ]),
  );
  const clean = escapeFilter(false);
  const oneLine = (text: string) => clean(text).replace(/\p{Cc}/gu, ' ');
  const heading = (id: string) => headingIn(note, id);
  const output = (id: string, data: string) =>
    data
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `output\t${heading(id)}\t${oneLine(line)}`);
  return (event) => {
    switch (event.type) {
      case 'PARAGRAPH': {
        const { id, status = 'READY', text, title, user } = event.data.paragraph;
        const before = states.get(id);
        states.set(id, { status, text: text ?? before?.text, title: title ?? '' });
        const lines: string[] = [];
        if (before && text !== undefined && text !== before.text)
          lines.push(`edited\t${heading(id)}\t${user ? `by ${user}` : ''}`);
        if (before && (title ?? '') !== before.title) lines.push(`titled\t${heading(id)}\t`);
        if (status !== before?.status) lines.push(`${status.toLowerCase()}\t${heading(id)}\t`);
        return lines;
      }
      case 'PROGRESS':
        return [`progress\t${heading(event.data.id)}\t${event.data.progress} %`];
      case 'PARAGRAPH_UPDATE_OUTPUT':
      case 'PARAGRAPH_APPEND_OUTPUT':
        return output(event.data.paragraphId, event.data.data ?? '');
      case 'PARAGRAPH_ADDED':
        states.set(event.data.paragraph.id, {
          status: event.data.paragraph.status ?? 'READY',
          text: event.data.paragraph.text,
          title: event.data.paragraph.title ?? '',
        });
        return [`added\t${heading(event.data.paragraph.id)}\tat place ${event.data.index + 1}`];
      case 'PARAGRAPH_REMOVED':
        return [`removed\t${event.data.id}\t`];
      case 'PARAGRAPH_MOVED':
        return [`moved\t${heading(event.data.id)}\tto place ${event.data.index + 1}`];
      case 'NOTE_RUNNING_STATUS':
        return [`${event.data.status ? 'run-started' : 'run-ended'}\t${note.path}\t`];
      case 'NOTE_UPDATED':
        return [`note-changed\t${note.path}\t`];
      case 'COLLABORATIVE_MODE_STATUS':
        return [`people\t${note.path}\t${(event.data.users ?? []).join(', ')}`];
      case 'ERROR_INFO':
        return [`error\t${note.path}\t${oneLine(event.data.info ?? '')}`];
      default:
        return [];
    }
  };
}
