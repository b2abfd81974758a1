import { Channel } from '../channel/channel.ts';
import type { ChannelOptions } from '../channel/channel-options.ts';
import { type LiveMode, liveTransport } from '../channel/live-transport.ts';
import { TidingError } from '../core/errors.ts';
import { receivedEvent } from '../core/events.ts';
import type { ChannelState } from '../core/state.ts';
import type { ClientContext } from './client-context.ts';
import { TicketRenewal } from './ticket-renewal.ts';

interface ChannelsOptions extends Omit<ChannelOptions, 'identity'> {
  readonly live: LiveMode;
}

/** All channels of one client: creates them and emits what they receive as events. */
export class ClientChannels {
  readonly #context: ClientContext;
  readonly #options: Omit<ChannelOptions, 'identity'>;
  readonly #live: ReturnType<typeof liveTransport>;
  readonly #renewal: TicketRenewal;
  readonly #all = new Set<Channel>();
  /**
   * Channels that belong to no note: the lobby, and the channel of the job list while it is
   * watched.
   */
  readonly #common = new Set<Channel>();
  #lobby: Channel | undefined;
  #sealed = false;

  constructor(context: ClientContext, { live, transport, ...options }: ChannelsOptions) {
    this.#context = context;
    this.#live = liveTransport({
      choice: live,
      call: context.call,
      url: options.url,
      socket: transport,
      onBlocked: () => {
        context.emit({ type: 'live-blocked' });
        this.wake();
      },
    });
    this.#options = { ...options, transport: this.#live.transport };
    this.#renewal = new TicketRenewal(context, (info) => {
      const error = new TidingError('signed-out', info);
      this.#all.forEach((channel) => channel.emit('refused', error));
    });
    context.on('session_logout', ({ reason, info = '' }) => {
      if (reason) this.#all.forEach((channel) => channel.signOut(info));
    });
    context.on('signed-in', () =>
      this.#all.forEach((channel) => channel.state === 'waiting' && channel.wake()),
    );
  }

  /** Creates a channel. Its messages are emitted as events with `noteId`. */
  create(noteId: string | undefined): Channel {
    const { emit } = this.#context;
    const channel = new Channel({
      ...this.#options,
      identity: () => this.#context.session.identity(),
    });
    this.#all.add(channel);
    if (noteId === undefined) this.#common.add(channel);
    channel.on('state', (state) => {
      if (state === 'closed') {
        this.#all.delete(channel);
        this.#common.delete(channel);
      }
      emit({
        type: 'connection',
        state: noteId === undefined ? this.#connection(state) : state,
        noteId,
      });
    });
    channel.on('message', (message) => {
      emit(receivedEvent(message, noteId));
      if (message.op === 'SESSION_LOGOUT') void this.#renewal.refused(message.data.info);
      else this.#renewal.worked();
    });
    channel.on('unknown', ({ op, data }) => emit({ type: 'unknown-operation', op, data, noteId }));
    channel.on('protocol-error', (error) => emit({ type: 'protocol-error', error, noteId }));
    return channel;
  }

  /**
   * Connection state of the client as a whole after one of the common channels changed to `state`.
   * Any common channel that is still in use counts; the lobby comes first.
   */
  #connection(state: ChannelState): ChannelState {
    const counts =
      this.#lobby && this.#common.has(this.#lobby) ? this.#lobby : [...this.#common].at(0);
    return counts?.state ?? (this.#sealed || state !== 'closed' ? state : 'idle');
  }

  /** Returns the channel for lists, opened on first use. */
  lobby(): Channel {
    if (!this.#lobby) {
      const lobby = this.create(undefined);
      this.#lobby = lobby;
      // The list may have changed while the connection was down.
      lobby.greeting = () => lobby.send('LIST_NOTES', {});
      lobby.open();
    }
    return this.#lobby;
  }

  /** Reconnects waiting channels immediately, and checks those that seem open. */
  wake(): void {
    this.#all.forEach((channel) => channel.wake());
  }

  /** Reconnects all channels with the current identity. */
  reconnect(): void {
    this.#all.forEach((channel) => channel.reconnect());
  }

  /** Says that the client is closed, so that the end of a channel is the end of the connection. */
  seal(): void {
    this.#sealed = true;
  }

  /** Closes all channels. */
  close(): void {
    this.#live.close();
    for (const channel of [...this.#all]) channel.close();
  }
}
