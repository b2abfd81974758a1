import { useEffect, useState } from 'react';
import { Announcer } from './run-announcer.ts';
import { useNoteUi } from './ui/note-ui.ts';

/** Visually hidden live regions for screen readers: a polite one and an assertive one. */
export function Announcements() {
  const ui = useNoteUi();
  const [said, setSaid] = useState({ key: 0, message: '', urgent: false });
  useEffect(() => {
    const { client, note } = ui;
    const announcer = new Announcer((message, urgent) =>
      setSaid(({ key }) => ({ key: key + 1, message, urgent })),
    );
    const look = () => {
      const state = client.state.open[note.id];
      if (state) announcer.update(state);
    };
    look();
    const stop = client.subscribe(look);
    return () => {
      stop();
      announcer.close();
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
