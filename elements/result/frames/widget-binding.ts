/** Connects the frame of a Jupyter widget with its kernel. */
import type { Client, CommEvent, CommStatus, Note, Paragraph } from '@tiding/client';
import type { WidgetView } from '@tiding/client/model';
import type { FrameBinding } from './frame-binding.ts';
import type { FrameConnection } from './frame-connection.ts';

/** Where a widget is shown. */
interface WidgetPlace {
  readonly client: Client;
  readonly note: Note;
  readonly paragraph: Paragraph;
  /** Whether the user may not change widgets. */
  readonly isReadOnly: boolean;
}

/** Callbacks of a binding into the page. */
interface WidgetEvents {
  onStatus(status: CommStatus): void;
  /** A change could not be sent, or the state not be read. */
  onProblem(message: string): void;
}

/** Binds the frame of a view to its kernel. */
export function bindWidget(
  { client, note, paragraph, isReadOnly }: WidgetPlace,
  { kernel, model }: WidgetView,
  { onStatus, onProblem }: WidgetEvents,
): FrameBinding {
  const comms = paragraph.comms(kernel);
  let connection: Pick<FrameConnection, 'setWidget'> | undefined;
  /** Events that arrived since the state was requested; `undefined` while no request runs. */
  let early: CommEvent[] | undefined;
  let isLoaded = false;

  const load = async (): Promise<void> => {
    early = [];
    try {
      const { status, models } = await (await comms).load(model);
      connection?.setWidget({
        type: 'widget',
        model,
        models,
        isReadOnly,
        hasEnded: status !== 'live',
      });
      if (early.length > 0) connection?.setWidget({ type: 'comms', events: early });
      isLoaded = true;
      onStatus(status);
    } catch (error) {
      if (connection) onProblem((error as Error).message);
    }
    early = undefined;
  };
  const receive = (event: CommEvent): void => {
    if (early) early.push(event);
    else if (isLoaded) connection?.setWidget({ type: 'comms', events: [event] });
    if (event.type === 'ended') onStatus('ended');
  };

  return {
    values: () => [],
    follow(opened) {
      connection = opened;
      const stops = [
        // After a reconnect the note is read again, and messages may have been missed.
        client.on('NOTE', ({ noteId }) => void (noteId === note.id && isLoaded && load())),
      ];
      void comms.then((loaded) => connection === opened && stops.push(loaded.subscribe(receive)));
      return () => {
        connection = undefined;
        isLoaded = false;
        for (const stop of stops) stop();
      };
    },
    onReady: () => void load(),
    onComms(requests) {
      for (const request of requests)
        void comms
          .then((loaded) => loaded.send(request))
          .catch((error: Error) => {
            onProblem(error.message);
            // The model waits for this before it sends its next change.
            receive({ kernel, paragraphId: paragraph.id, type: 'idle', parent: request.message });
          });
    },
  };
}
