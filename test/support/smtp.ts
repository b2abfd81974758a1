/**
 * A mail server for tests: the part of SMTP that a sender needs. It keeps every mail as received.
 */
import { createServer, type Socket } from 'node:net';

/** A received mail. */
export interface Letter {
  from: string;
  to: string[];
  /** Headers in order, unfolded. */
  headers: [string, string][];
  /** The body, decoded. */
  text: string;
}

export interface MailServer {
  readonly url: string;
  readonly letters: Letter[];
  /** Every line the senders sent. */
  readonly lines: string[];
  /** Answer to RCPT TO. */
  recipients: string;
  stop(): Promise<void>;
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function letter(from: string, to: string[], data: string): Letter {
  const end = data.indexOf('\r\n\r\n');
  const headers = data
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
  const encoding =
    headers
      .find(([name]) => name.toLowerCase() === 'content-transfer-encoding')?.[1]
      .toLowerCase() ?? '7bit';
  return { from, to, headers, text: decode(data.slice(end + 4), encoding) };
}

/** Starts a mail server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const state: Omit<MailServer, 'stop' | 'url'> & { recipients: string } = {
    letters: [],
    lines: [],
    recipients: '250 ok',
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let [pending, data, from] = ['', undefined as string[] | undefined, ''];
    let to: string[] = [];
    const receive = (line: string) => {
      state.lines.push(line);
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\./, ''));
        state.letters.push(letter(from, to, data.join('\r\n')));
        data = undefined;
        return void say('250 kept');
      }
      const [verb = ''] = line.toUpperCase().split(' ');
      if (verb === 'EHLO' || verb === 'HELO') say('250 mail.test');
      else if (verb === 'MAIL') {
        from = /<(.*)>/.exec(line)?.[1] ?? '';
        to = [];
        say('250 ok');
      } else if (verb === 'RCPT') {
        to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        say(state.recipients);
      } else if (verb === 'DATA') {
        data = [];
        say('354 go on');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('502 not here');
    };
    socket.on('data', (chunk) => {
      const lines = (pending + chunk.toString('latin1')).split('\r\n');
      pending = lines.pop()!;
      lines.forEach(receive);
    });
    say('220 mail.test ESMTP');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
