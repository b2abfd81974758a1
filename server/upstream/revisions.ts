/**
 * REST calls for note revisions, which Zeppelin supports since 0.11. For older versions they are
 * mapped to its live channel.
 */
import { isReader, isWriter } from '@tiding/client/model';
import type { EndpointName } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import { maskOf } from './gateway-sessions.ts';
import type { UpstreamIdentity } from './identity.ts';
import type { LocalCall } from './local-calls.ts';
import type { UpstreamNotes } from './notes.ts';
import type { ZeppelinClient } from './zeppelin.ts';

/** Time limit of a request on the live channel, in ms. */
const LIMIT_MS = 30_000;

interface Frame {
  readonly op: string;
  readonly data?: Record<string, unknown>;
}

/** Sends a message on a separate socket and returns the reply. Throws with Zeppelin's message. */
function ask(
  zeppelin: ZeppelinClient,
  who: UpstreamIdentity,
  op: string,
  data: Record<string, unknown>,
  answer: string,
): Promise<Record<string, unknown>> {
  const { cookie, ...identity } = who;
  const mask = maskOf(who);
  return new Promise((resolve, reject) => {
    const socket = zeppelin.socket(cookie);
    const end = (then: () => void) => {
      clearTimeout(timer);
      socket.removeAllListeners('close');
      socket.close();
      then();
    };
    const fail = (...why: ConstructorParameters<typeof Refusal>) =>
      end(() => reject(new Refusal(...why)));
    const timer = setTimeout(
      () => fail(504, 'The Zeppelin behind this server did not answer in time.'),
      LIMIT_MS,
    );
    socket.on('error', ({ message }) =>
      fail(502, `The Zeppelin behind this server cannot be reached (${message}).`),
    );
    socket.on('close', () => fail(502, 'The Zeppelin behind this server closed the connection.'));
    socket.on('open', () => socket.send(JSON.stringify({ op, data, ...identity })));
    socket.on('message', (bytes) => {
      let frame: Frame;
      try {
        frame = JSON.parse(mask.over(bytes as Buffer).toString('utf8')) as Frame;
      } catch {
        return fail(502, 'The Zeppelin behind this server sent a message that cannot be read.');
      }
      const { op: receivedOp, data: content = {} } = frame;
      const info = String(content['info'] ?? '');
      if (receivedOp === answer) end(() => resolve(content));
      else if (receivedOp === 'AUTH_INFO')
        fail(403, info || 'Insufficient privileges.', 'forbidden');
      else if (receivedOp === 'ERROR_INFO')
        fail(
          /not found|^Missing unknown|^Fail to set given note revision/i.test(info) ? 404 : 409,
          info,
        );
      else if (receivedOp === 'SESSION_LOGOUT') fail(401, 'Not signed in.');
    });
  });
}

/**
 * Returns the handlers by call name. Zeppelin's live channel shows revisions to everybody, so the
 * permissions that REST requires are checked here.
 */
export function revisionCalls(
  zeppelin: ZeppelinClient,
  notes: UpstreamNotes,
): Pick<
  Record<EndpointName, (call: LocalCall) => Promise<unknown>>,
  'listRevisions' | 'checkpointNote' | 'getRevision' | 'setRevision'
> {
  const askAsUser = async (
    { request: { params, person }, session }: LocalCall,
    op: string,
    more: Record<string, unknown> = {},
    answer = op,
  ) => {
    const noteId = params['noteId'] ?? '';
    const { upstream } = session!;
    const mayDo = op === 'CHECKPOINT_NOTE' || op === 'SET_NOTE_REVISION' ? isWriter : isReader;
    if (
      !mayDo(await notes.permissions(upstream, noteId), {
        principal: person.principal,
        roles: [...person.roles],
      })
    )
      throw new Refusal(
        403,
        'Insufficient privileges for the revisions of this note.',
        'forbidden',
      );
    return ask(zeppelin, upstream, op, { noteId, ...more }, answer);
  };
  const revisionId = ({ request: { params } }: LocalCall) => params['revisionId'] ?? '';
  const list = async (call: LocalCall, op: string, more?: Record<string, unknown>) =>
    ((await askAsUser(call, op, more, 'LIST_REVISION_HISTORY'))['revisionList'] ?? []) as unknown[];
  return {
    listRevisions: (call) => list(call, 'LIST_REVISION_HISTORY'),
    checkpointNote: async (call) => {
      const { commitMessage } = call.request.body as unknown as { commitMessage: string };
      return (await list(call, 'CHECKPOINT_NOTE', { commitMessage }))[0];
    },
    getRevision: async (call) => {
      const { note } = await askAsUser(call, 'NOTE_REVISION', { revisionId: revisionId(call) });
      if (!note) throw new Refusal(404, `No such revision: ${revisionId(call)}`);
      return note;
    },
    setRevision: async (call) => {
      const { status } = await askAsUser(call, 'SET_NOTE_REVISION', {
        revisionId: revisionId(call),
      });
      if (status !== true)
        throw new Refusal(
          404,
          "Couldn't set note to the given revision. Please check the logs for more details.",
        );
      return undefined;
    },
  };
}
