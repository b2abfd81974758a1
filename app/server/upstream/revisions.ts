/** Revisions of notes by REST, which a Zeppelin has since 0.11: before that they are asked for on its live channel. */
import { isReader, isWriter } from 'tiding/model';
import type { EndpointName } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import type { UpstreamNotes } from './notes.ts';
import type { OwnCall } from './own-calls.ts';
import { maskOf } from './seats.ts';
import type { UpstreamIdentity } from './identity.ts';
import type { Zeppelin } from './zeppelin.ts';

/** A call on the live channel has so long, in ms. */
const LIMIT_MS = 30_000;

interface Frame {
  readonly op: string;
  readonly data?: Record<string, unknown>;
}

/** Says something on a socket of its own and hears the answer. Refuses as upstream does, in its words. */
function ask(
  zeppelin: Zeppelin,
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
    const fail = (error: Refusal) => end(() => reject(error));
    const timer = setTimeout(
      () => fail(new Refusal(504, 'The Zeppelin behind this server did not answer in time.')),
      LIMIT_MS,
    );
    socket.on('error', ({ message }) =>
      fail(new Refusal(502, `The Zeppelin behind this server cannot be reached (${message}).`)),
    );
    socket.on('close', () => fail(new Refusal(502, 'The Zeppelin behind this server hung up.')));
    socket.on('open', () => socket.send(JSON.stringify({ op, data, ...identity })));
    socket.on('message', (bytes) => {
      let frame: Frame;
      try {
        frame = JSON.parse(mask.over(bytes as Buffer).toString('utf8')) as Frame;
      } catch {
        return fail(
          new Refusal(502, 'The Zeppelin behind this server sent a message that cannot be read.'),
        );
      }
      const { op: heard, data: told = {} } = frame;
      const info = String(told['info'] ?? '');
      if (heard === answer) end(() => resolve(told));
      else if (heard === 'AUTH_INFO')
        fail(new Refusal(403, info || 'Insufficient privileges.', 'forbidden'));
      else if (heard === 'ERROR_INFO')
        fail(
          new Refusal(
            /not found|^Missing unknown|^Fail to set given note revision/i.test(info) ? 404 : 409,
            info,
          ),
        );
      else if (heard === 'SESSION_LOGOUT') fail(new Refusal(401, 'Not signed in.'));
    });
  });
}

/** The calls, by name. Upstream's live channel shows revisions to everybody: the rights of REST are looked at here. */
export function revisionCalls(
  zeppelin: Zeppelin,
  notes: UpstreamNotes,
): Pick<
  Record<EndpointName, (call: OwnCall) => Promise<unknown>>,
  'listRevisions' | 'checkpointNote' | 'getRevision' | 'setRevision'
> {
  const told = async (
    { request: { params, person }, seat }: OwnCall,
    op: string,
    more: Record<string, unknown> = {},
    answer = op,
  ) => {
    const noteId = params['noteId'] ?? '';
    const { upstream } = seat!;
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
  const revisionId = ({ request: { params } }: OwnCall) => params['revisionId'] ?? '';
  const list = async (call: OwnCall, op: string, more?: Record<string, unknown>) =>
    ((await told(call, op, more, 'LIST_REVISION_HISTORY'))['revisionList'] ?? []) as unknown[];
  return {
    listRevisions: (call) => list(call, 'LIST_REVISION_HISTORY'),
    checkpointNote: async (call) => {
      const { commitMessage } = call.request.body as unknown as { commitMessage: string };
      return (await list(call, 'CHECKPOINT_NOTE', { commitMessage }))[0];
    },
    getRevision: async (call) => {
      const { note } = await told(call, 'NOTE_REVISION', { revisionId: revisionId(call) });
      if (!note) throw new Refusal(404, `No such revision: ${revisionId(call)}`);
      return note;
    },
    setRevision: async (call) => {
      const { status } = await told(call, 'SET_NOTE_REVISION', { revisionId: revisionId(call) });
      if (status !== true)
        throw new Refusal(
          404,
          "Couldn't set note to the given revision. Please check the logs for more details.",
        );
      return undefined;
    },
  };
}
