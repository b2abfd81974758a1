package tiding;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.ProtectionDomain;
import org.apache.zeppelin.shaded.org.apache.thrift.transport.TServerSocket;
import org.apache.zeppelin.shaded.org.apache.thrift.transport.TSocket;
import org.apache.zeppelin.shaded.org.apache.thrift.transport.TTransportException;

/**
 * Java agent for the processes of Zeppelin's interpreters, which listen on all interfaces and ask
 * nobody who they are. With it they listen on loopback, and each connection begins with a secret.
 * In Zeppelin's classes, it replaces the names of the two classes of Thrift that open sockets.
 *
 * zeppelin-guard.txt is the jar in base64. After a change here, make it again with
 * UPDATE=1 npx vitest run server/interpreters/zeppelin/guard.test.ts
 */
public final class ZeppelinGuard implements ClassFileTransformer {
  private static final String THRIFT = "org/apache/zeppelin/shaded/org/apache/thrift/transport/";
  private static final byte[] SECRET =
      String.valueOf(System.getenv("TIDING_PROCESS_SECRET")).getBytes(StandardCharsets.US_ASCII);
  /** Time in which a connection must send the secret, in ms. */
  private static final int SECRET_MS = 5_000;

  public static void premain(String options, Instrumentation instrumentation) {
    instrumentation.addTransformer(new ZeppelinGuard());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    if (name == null || !name.startsWith("org/apache/zeppelin/interpreter/remote/")) return null;
    try {
      return renamed(bytes);
    } catch (IOException | RuntimeException error) {
      System.err.println("The sockets of " + name + " can't be guarded: " + error);
      return null;
    }
  }

  /** Copies a class; in its constants, the names of the classes of Thrift are replaced. */
  private static byte[] renamed(byte[] bytes) throws IOException {
    DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
    ByteArrayOutputStream copy = new ByteArrayOutputStream(bytes.length);
    DataOutputStream to = new DataOutputStream(copy);
    to.writeLong(from.readLong());
    int count = from.readUnsignedShort();
    to.writeShort(count);
    for (int index = 1; index < count; index++) {
      int tag = from.readUnsignedByte();
      to.writeByte(tag);
      if (tag == 1) to.writeUTF(nameFor(from.readUTF()));
      else to.write(from.readNBytes(sizeOf(tag)));
      // A long and a double take two places.
      if (tag == 5 || tag == 6) index++;
    }
    to.write(from.readAllBytes());
    return copy.toByteArray();
  }

  private static String nameFor(String name) {
    if (name.equals(THRIFT + "TServerSocket")) return "tiding/ZeppelinGuard$Listener";
    return name.equals(THRIFT + "TSocket") ? "tiding/ZeppelinGuard$Caller" : name;
  }

  /** Size of a constant without its tag, in bytes. */
  private static int sizeOf(int tag) {
    switch (tag) {
      case 7: case 8: case 16: case 19: case 20:
        return 2;
      case 15:
        return 3;
      case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18:
        return 4;
      case 5: case 6:
        return 8;
      default:
        throw new IllegalArgumentException("unknown constant " + tag);
    }
  }

  /** Listens on loopback. */
  public static final class Listener extends TServerSocket {
    public Listener(int port) throws IOException, TTransportException {
      super(new GuardedServerSocket(port));
    }
  }

  /** Sends the secret before anything else. */
  public static final class Caller extends TSocket {
    public Caller(String host, int port) throws TTransportException {
      super(host, port);
    }

    @Override
    public void open() throws TTransportException {
      super.open();
      write(SECRET, 0, SECRET.length);
      flush();
    }
  }

  private static final class GuardedServerSocket extends ServerSocket {
    GuardedServerSocket(int port) throws IOException {
      super(port, 100, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }

    @Override
    public Socket accept() throws IOException {
      Socket socket = new GuardedSocket();
      implAccept(socket);
      return socket;
    }
  }

  /** Reads the secret in the thread of the connection, so that nobody holds up others. */
  private static final class GuardedSocket extends Socket {
    private InputStream input;

    @Override
    public synchronized InputStream getInputStream() throws IOException {
      if (input == null) input = new GuardedStream(this, super.getInputStream());
      return input;
    }
  }

  private static final class GuardedStream extends FilterInputStream {
    private final Socket socket;
    private boolean isTrusted;

    GuardedStream(Socket socket, InputStream input) {
      super(input);
      this.socket = socket;
    }

    @Override
    public int read() throws IOException {
      check();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      check();
      return super.read(bytes, offset, length);
    }

    private void check() throws IOException {
      if (isTrusted) return;
      socket.setSoTimeout(SECRET_MS);
      if (!MessageDigest.isEqual(SECRET, in.readNBytes(SECRET.length))) {
        socket.close();
        throw new IOException("A connection without the secret was closed.");
      }
      socket.setSoTimeout(0);
      isTrusted = true;
    }
  }
}
