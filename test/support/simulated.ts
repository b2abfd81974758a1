/**
 * A simulated server and network, in memory and on the test's clock: frames take time, connections
 * break, go dead silently, or are accepted and never answered. The server stores texts like a real
 * one: a commit names its base, an author's earlier typing is no conflict, and everyone on the note
 * is notified.
 */
import type { Connection, Transport } from '@tiding/client';

/**
 * State of the network for new connections. `silent`: accepted but never open; `mute`: open but
 * never answered.
 */
export type Weather = 'fine' | 'offline' | 'silent' | 'mute';

interface Stored {
  id: string;
  text: string;
  rev: number;
  status: string;
  author?: string | undefined;
  authorSeq?: number | undefined;
  dateStarted?: string;
  results?: { code: string; msg: { type: string; data: string }[] };
}
interface Link {
  readonly number: number;
  readonly asked: Record<string, number>;
  noteId: string | undefined;
  alive: boolean;
  isReachable: boolean;
  say(op: string, data: object, msgId?: string): void;
  end(code: number): void;
}
interface Sent {
  op: string;
  data: Record<string, unknown>;
  msgId: string;
}

/** The simulated server and its network. `random` returns numbers from 0 to 1. */
export class Simulated {
  weather: Weather = 'fine';
  /** Maximum delay of a frame, in ms. */
  latency = 40;
  /** Duration of a run, in ms; by default up to half a second. */
  runTime: number | undefined;
  readonly notes = new Map<string, Stored[]>();
  /** Every connection, oldest first. */
  readonly links: Link[] = [];
  /** Frames sent on a new connection before anything else: late frames of an earlier one. */
  stale: (noteId: string) => { op: string; data: object }[] = () => [];
  readonly #random: () => number;
  #runs = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Live connections. */
  get open(): Link[] {
    return this.links.filter(({ alive }) => alive);
  }

  /** Breaks every connection; `dead`: without notifying the client, like a lost network. */
  cut(dead = false): void {
    for (const link of this.open) {
      if (dead) link.isReachable = false;
      else link.end(1006);
    }
  }

  readonly transport: Transport = (_url, events) => {
    const { weather } = this;
    const way = 1 + this.#random() * this.latency;
    let closed = false;
    const close = (code: number) => {
      if (closed) return;
      closed = true;
      link.alive = false;
      events.onClose(code, '');
    };
    const link: Link = {
      number: this.links.length,
      asked: {},
      noteId: undefined,
      alive: true,
      isReachable: weather === 'fine',
      say: (op, data, msgId) => {
        const text = JSON.stringify({ op, data, ...(msgId === undefined ? {} : { msgId }) });
        setTimeout(() => {
          if (link.alive && link.isReachable) events.onMessage(text);
        }, way);
      },
      end: (code) => close(code),
    };
    if (weather === 'offline') setTimeout(() => close(1006), way);
    else if (weather !== 'silent') {
      this.links.push(link);
      setTimeout(() => link.alive && events.onOpen(), way);
    }
    return this.#connection(link, way, close);
  };

  #connection(link: Link, way: number, close: ConnectionCloser): Connection {
    return {
      send: (text) => {
        setTimeout(() => {
          if (link.alive && link.isReachable) this.#receive(link, JSON.parse(text) as Sent);
        }, way);
      },
      // A close by the client takes effect immediately, as with a real socket.
      close: (code) => close(code ?? 1000),
    };
  }

  #broadcast(noteId: string, op: string, data: object, from: Link, msgId: string): void {
    for (const link of this.open)
      if (link.noteId === noteId) link.say(op, data, link === from ? msgId : undefined);
  }

  #receive(link: Link, { op, data, msgId }: Sent): void {
    link.asked[op] = (link.asked[op] ?? 0) + 1;
    if (op === 'GET_NOTE') {
      link.noteId = String(data['id']);
      for (const late of this.stale(link.noteId)) link.say(late.op, late.data);
      link.say(
        'NOTE',
        {
          note: {
            id: link.noteId,
            path: `/${link.noteId}`,
            paragraphs: structuredClone(this.notes.get(link.noteId)),
          },
        },
        msgId,
      );
    } else if (op === 'LIST_CONFIGURATIONS')
      link.say('CONFIGURATIONS_INFO', { configurations: {} }, msgId);
    else if (op === 'LIST_NOTES')
      link.say(
        'NOTES_INFO',
        { notes: [...this.notes.keys()].map((id) => ({ id, path: `/${id}` })) },
        msgId,
      );
    else if (op === 'COMMIT_PARAGRAPH' || op === 'RUN_PARAGRAPH')
      this.#write(link, op, data, msgId);
  }

  #write(link: Link, op: string, data: Record<string, unknown>, msgId: string): void {
    const noteId = String(data['noteId']);
    const paragraph = this.notes.get(noteId)!.find(({ id }) => id === data['id'])!;
    const {
      paragraph: text,
      baseRev,
      author,
      authorSeq,
    } = data as { paragraph: string; baseRev?: number; author?: string; authorSeq?: number };
    const own = author !== undefined && author === paragraph.author;
    const late = own && (authorSeq ?? 0) <= (paragraph.authorSeq ?? 0);
    if (!late && text !== paragraph.text && baseRev !== paragraph.rev && !own) {
      link.say(
        'PARAGRAPH_CONFLICT',
        { id: paragraph.id, noteId, rev: paragraph.rev, text: paragraph.text },
        msgId,
      );
      return;
    }
    if (!late && text !== paragraph.text)
      Object.assign(paragraph, { text, rev: paragraph.rev + 1, author, authorSeq });
    if (op === 'RUN_PARAGRAPH') this.#run(noteId, paragraph, link, msgId);
    else this.#broadcast(noteId, 'PARAGRAPH', { paragraph: { ...paragraph } }, link, msgId);
  }

  #run(noteId: string, paragraph: Stored, link: Link, msgId: string): void {
    if (paragraph.status === 'RUNNING')
      return link.say(
        'ERROR_INFO',
        { info: 'The paragraph is already running.', op: 'RUN_PARAGRAPH', id: paragraph.id },
        msgId,
      );
    const number = (this.#runs += 1);
    Object.assign(paragraph, {
      status: 'RUNNING',
      dateStarted: `run ${number}`,
      results: undefined,
    });
    this.#broadcast(noteId, 'PARAGRAPH', { paragraph: { ...paragraph } }, link, msgId);
    const data = `out ${number}`;
    this.#broadcast(
      noteId,
      'PARAGRAPH_APPEND_OUTPUT',
      { paragraphId: paragraph.id, index: 0, data },
      link,
      '',
    );
    setTimeout(
      () => {
        Object.assign(paragraph, {
          status: 'FINISHED',
          results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data }] },
        });
        this.#broadcast(noteId, 'PARAGRAPH', { paragraph: { ...paragraph } }, link, '');
      },
      this.runTime ?? 5 + this.#random() * 500,
    );
  }
}

type ConnectionCloser = (code: number) => void;
