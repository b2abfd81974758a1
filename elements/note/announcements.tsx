import { useEffect, useState } from 'react';
import { Announcer } from './announce.ts';
import type { NoteView } from './view.tsx';

/** The places that screen readers listen to: one that waits for a pause, one that does not. Nothing of them is seen. */
export function Announcements({ view }: { view: NoteView }) {
  const [said, setSaid] = useState({ key: 0, message: '', urgent: false });
  useEffect(() => {
    const { client, note } = view;
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
  }, [view]);
  // A new element each time: the same words twice are two messages.
  const words = <span key={said.key}>{said.message}</span>;
  return (
    <div className="visually-hidden" data-announcements>
      <p role="status">{said.urgent ? null : words}</p>
      <p role="alert">{said.urgent ? words : null}</p>
    </div>
  );
}
