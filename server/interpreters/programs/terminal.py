"""Runs a program in a pseudo-terminal. The arguments are its command.

Standard input has one JSON value a line: a text is typed, and [columns, rows] is the new size of
the terminal. Standard output is what the terminal prints. The exit status is that of the program;
128 and the number of a signal that ended it.
"""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios

PIECE = 65536


def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def start(command):
    pid, terminal = pty.fork()
    if pid == 0:
        # Python ignores it, and the program would inherit that.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvp(command[0], command)
    os.set_blocking(terminal, False)
    return pid, terminal


def copy_output(terminal):
    """Returns whether the terminal is still in use."""
    try:
        data = os.read(terminal, PIECE)
    except BlockingIOError:
        return True
    except OSError:
        # Linux: no process has the terminal open.
        return False
    while data:
        data = data[os.write(1, data):]
        if not data:
            return True
    return False


def main(command):
    pid, terminal = start(command)
    set_size(terminal, 80, 24)
    # Written to by the system when the program ends.
    ended, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    reading, unread, typed = [0, terminal, ended], b"", b""
    while True:
        # A program that doesn't read its input must not make this one store all of it.
        ready, writable, _ = select.select(
            [each for each in reading if each != 0 or not typed], [terminal] if typed else [], []
        )
        if terminal in ready and not copy_output(terminal):
            reading.remove(terminal)
        if 0 in ready:
            data = os.read(0, PIECE)
            if not data:
                # Closing the terminal hangs up.
                return 0
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if isinstance(message, str):
                    typed += message.encode("utf-8", "replace")
                else:
                    set_size(terminal, *message)
        if terminal in writable:
            try:
                typed = typed[os.write(terminal, typed):]
            except BlockingIOError:
                pass
            except OSError:
                typed = b""
        if ended in ready:
            os.read(ended, PIECE)
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                # Processes in the background may print without end.
                for _ in range(64):
                    if not select.select([terminal], [], [], 0)[0] or not copy_output(terminal):
                        break
                if os.WIFSIGNALED(status):
                    return 128 + os.WTERMSIG(status)
                return os.WEXITSTATUS(status)


sys.exit(main(sys.argv[1:]))
