import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder, untilEnd } from '../../../test/support/until-end.ts';
import guard from '../programs/zeppelin-guard.txt?raw';

const programs = join(import.meta.dirname, '../programs');
const source = join(programs, 'ZeppelinGuard.java');
const manifest = `Source: ${createHash('md5').update(readFileSync(source)).digest('hex')}`;
const hasJava = spawnSync('javac', ['-version']).status === 0;
const thrift = 'org.apache.zeppelin.shaded.org.apache.thrift.transport';
const server = 'org.apache.zeppelin.interpreter.remote.RemoteInterpreterServer';
const SECRET = 's'.repeat(64);

/** Thrift's classes as far as Zeppelin's server uses them, and a server that echoes lines. */
const classes = {
  [`${thrift}.TTransportException`]: 'public class TTransportException extends Exception {}',
  [`${thrift}.TServerSocket`]: `public class TServerSocket {
    public final java.net.ServerSocket socket;
    public TServerSocket(int port) throws java.io.IOException, TTransportException {
      this(new java.net.ServerSocket(port));
    }
    public TServerSocket(java.net.ServerSocket socket) throws TTransportException {
      this.socket = socket;
    }
  }`,
  [`${thrift}.TSocket`]: `public class TSocket {
    protected final java.net.Socket socket;
    public TSocket(String host, int port) throws TTransportException {
      try { socket = new java.net.Socket(host, port); }
      catch (java.io.IOException error) { throw new TTransportException(); }
    }
    public void open() throws TTransportException {}
    public void flush() throws TTransportException {}
    public void write(byte[] bytes, int from, int count) throws TTransportException {
      try { socket.getOutputStream().write(bytes, from, count); }
      catch (java.io.IOException error) { throw new TTransportException(); }
    }
  }`,
  [server]: `public class RemoteInterpreterServer {
    static final long LONG = 1234567890123L;
    static final double DOUBLE = 0.5;
    public static void main(String[] args) throws Exception {
      ${thrift}.TServerSocket listener = new ${thrift}.TServerSocket(0);
      ${thrift}.TSocket caller = new ${thrift}.TSocket("127.0.0.1", Integer.parseInt(args[0]));
      caller.open();
      byte[] port = (listener.socket.getLocalPort() + "\\n").getBytes();
      caller.write(port, 0, port.length);
      while (true) {
        java.net.Socket socket = listener.socket.accept();
        new Thread(() -> {
          try { socket.getInputStream().transferTo(socket.getOutputStream()); socket.close(); }
          catch (java.io.IOException error) {}
        }).start();
      }
    }
  }`,
};

/** Sends a text and returns what comes back until the connection ends. */
async function answerOf(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host }).on('error', () => undefined);
  socket.end(text);
  let answer = '';
  socket.setEncoding('utf8').on('data', (data: string) => (answer += data));
  await once(socket, 'close');
  return answer;
}

describe('the guard of the ports of Java processes', () => {
  it('is the jar of its source', () => {
    expect(Buffer.from(guard, 'base64').includes(manifest), 'see ZeppelinGuard.java').toBe(true);
  });

  describe.skipIf(!hasJava)('in Java', { timeout: 60_000 }, () => {
    const folder = temporaryFolder();
    const built = join(folder, 'built');
    let child: ChildProcess;
    let told = '';
    let port = 0;
    const events = untilEnd(
      createServer((socket) =>
        socket.setEncoding('utf8').on('data', (data: string) => (told += data)),
      ),
    );

    beforeAll(async () => {
      const files = Object.entries(classes).map(([name, code]) => {
        const file = join(folder, `${name.replaceAll('.', '/')}.java`);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, `package ${name.slice(0, name.lastIndexOf('.'))};\n${code}`);
        return file;
      });
      execFileSync('javac', ['--release', '11', '-d', built, ...files, source]);
      const jar = join(folder, 'guard.jar');
      if (process.env['UPDATE']) {
        const lines = join(folder, 'manifest');
        writeFileSync(lines, `Premain-Class: tiding.ZeppelinGuard\n${manifest}\n`);
        execFileSync('jar', ['-0cfm', jar, lines, '-C', built, 'tiding']);
        const text = readFileSync(jar).toString('base64');
        writeFileSync(join(programs, 'zeppelin-guard.txt'), text);
      } else writeFileSync(jar, Buffer.from(guard, 'base64'));
      rmSync(join(built, 'tiding'), { recursive: true });
      await once(events.listen(0, '127.0.0.1'), 'listening');
      const to = String((events.address() as AddressInfo).port);
      child = spawn('java', [`-javaagent:${jar}`, '-Xmx64m', '-cp', built, server, to], {
        env: { ...process.env, TIDING_PROCESS_SECRET: SECRET },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await vi.waitUntil(() => told.includes('\n'), { timeout: 60_000 });
      port = Number(told.slice(SECRET.length));
    });
    afterAll(() => {
      child.kill('SIGKILL');
    });

    it('listens on loopback only, and sends the secret first [S85]', async () => {
      expect(told.startsWith(SECRET)).toBe(true);
      expect(await answerOf(port, `${SECRET}hello`)).toBe('hello');
      const elsewhere = connect({ port, host: '127.0.0.2' });
      await expect(once(elsewhere, 'connect')).rejects.toThrow('ECONNREFUSED');
    });

    it.each(['', 'hello', `${SECRET.slice(1)}thello`])(
      'closes a connection that begins with %j',
      async (text) => {
        expect(await answerOf(port, text)).toBe('');
      },
    );
  });
});
