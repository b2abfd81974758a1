import { useEffect, useState } from 'react';
import { onUserInput } from '../editor/user-input.ts';
import type { Announcer } from './run-announcer.ts';
import { useNoteUi } from './ui/note-ui.ts';

/** Visually hidden live regions for screen readers: a polite one and an assertive one. */
export function Announcements() {
  const ui = useNoteUi();
  const [said, setSaid] = useState({ key: 0, message: '', urgent: false });
  useEffect(() => {
    const { client, note } = ui;
    const first = client.state.open[note.id];
    let announcer: Announcer | undefined;
    let isOpen = true;
    let isLoading = false;
    const look = () => {
      const state = client.state.open[note.id];
      const changed =
        state?.paragraphs !== first?.paragraphs || state?.connection !== first?.connection;
      if (!announcer && changed) load();
      if (state) announcer?.update(state);
    };
    // Nothing is announced before the note changes, but without a connection it is too late to load
    // the code: it is loaded when the user does something.
    const load = (): void => {
      if (isLoading) return;
      isLoading = true;
      void import('./run-announcer.ts').then(
        ({ Announcer: Made }) => {
          if (!isOpen) return;
          announcer = new Made((message, urgent) =>
            setSaid(({ key }) => ({ key: key + 1, message, urgent })),
          );
          if (first) announcer.update(first);
          look();
        },
        () => (isLoading = false),
      );
    };
    const stopWaiting = onUserInput(load);
    const stop = client.subscribe(look);
    return () => {
      isOpen = false;
      stopWaiting();
      stop();
      announcer?.close();
    };
  }, [ui]);
  // A new element each time, so that the same message twice is announced twice.
  const words = <span key={said.key}>{said.message}</span>;
  return (
    <div className="visually-hidden" data-announcements>
      <p role="status">{said.urgent ? null : words}</p>
      <p role="alert">{said.urgent ? words : null}</p>
    </div>
  );
}
