/** What a channel reports, and what it needs. */
import type { ProtocolError, TidingError } from '../core/errors.ts';
import type { ChannelState } from '../core/state.ts';
import type { Identity, ReceivedMessage, SentOp } from '../protocol/index.ts';
import type { Backoff } from './backoff.ts';
import type { UnknownOperation } from './decode.ts';
import type { Transport } from './transport.ts';

/** Events of a channel. */
export interface ChannelEvents {
  state: (state: ChannelState) => void;
  message: (message: ReceivedMessage) => void;
  unknown: (message: UnknownOperation) => void;
  'protocol-error': (error: ProtocolError) => void;
  /** The server refused the connection, and says why. The channel may still try again. */
  refused: (error: TidingError) => void;
}

/** Options of a channel. */
export interface ChannelOptions {
  /** Address of the live channel, `ws:` or `wss:`. */
  url: string;
  /**
   * Called for each connection attempt, so that a renewed ticket is used. If it rejects, the
   * channel keeps waiting.
   */
  identity: () => Promise<Identity>;
  transport?: Transport | undefined;
  backoff?: Backoff | undefined;
  /** Size limit of a message in bytes. Longer messages are refused before they are sent. */
  maxMessageBytes?: number | undefined;
  /**
   * Returns an error if the server does not support an operation. `send` throws it before sending
   * anything.
   */
  refuse?: ((op: SentOp) => TidingError | undefined) | undefined;
  /**
   * Whether the server puts message ids on its replies. If not, only one request is in flight at a
   * time.
   */
  repliesHaveIds?: (() => boolean) | undefined;
}
