"""The client against a real server, which `test/python-client.test.ts` starts."""

from __future__ import annotations

import datetime
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from unittest import mock

import pandas
import pyarrow

from tiding_client import Client, Note, NoteEntry, RunResult, TidingError

SERVER = os.environ["TIDING_SERVER"]
ADMIN = os.environ["TIDING_TOKEN"]
BOB = os.environ["TIDING_TOKEN_OF_BOB"]

# Idle for a minute, and done at once when it is stopped.
ENDLESS = "%js\nconsole.log('begun');\nawait new Promise((done) => setTimeout(done, 60_000));"
STEPS = (
    "%js\nfor (let i = 1; i <= 3; i += 1) {\n"
    "  console.log('step', i);\n  await new Promise((done) => setTimeout(done, 300));\n}"
)
TABLE = (
    "%sql(limit=10)\nselect i, case when i % 2 = 0 then '' end as text, "
    "(i + 0.5)::decimal(38,10) as exact from range(25000) t(i)"
)


class Cable:
    """A way to the server that can be cut."""

    def __init__(self) -> None:
        host, port = SERVER.removeprefix("http://").split(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.server = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            self._ends += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self) -> None:
        self._listener.close()
        for end in self._ends:
            # Wakes the thread that reads from it.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = self.connect(ADMIN)

    def connect(self, token: str | None, server: str = SERVER, timeout: float = 60) -> Client:
        client = Client(server, token, timeout=timeout)
        self.addCleanup(client.close)
        return client

    def note(self, *paragraphs: str) -> Note:
        return self.client.notes.create(self.id(), paragraphs)

    def fails(self, code: str, call: Callable[[], object], text: str = ".") -> TidingError:
        with self.assertRaises(TidingError) as caught:
            call()
        error = caught.exception
        self.assertEqual(error.code, code, error)
        self.assertRegex(str(error), text)
        return error


class Notes(ClientTest):
    def test_creates_lists_opens_edits_and_removes(self) -> None:
        note = self.note("%md\n# One", "%md\n# Two")
        self.assertIn(NoteEntry(note.id, self.id()), self.client.notes.list())
        self.assertEqual([each.text for each in note.paragraphs], ["%md\n# One", "%md\n# Two"])
        inserted = note.insert("%md\nbetween", title="A title", index=1)
        inserted.update("%md\nchanged")
        note.paragraphs[0].remove()
        for found in (self.client.open(note.id), self.client.notes.get(f"/{note.path}")):
            self.assertEqual(
                [(each.title, each.text, each.status) for each in found.paragraphs],
                [("A title", "%md\nchanged", "READY"), ("", "%md\n# Two", "READY")],
            )
        self.client.notes.remove(note.path)
        self.fails("not-found", lambda: self.client.open(note.path), "There is no note")

    def test_takes_a_path_once(self) -> None:
        note = self.note("%md\nfirst")
        self.fails("conflict", self.note, "existed")
        again = self.client.notes.create(note.path, ["%md\nother"], exist_ok=True)
        self.assertEqual((again.id, len(again.paragraphs)), (note.id, 1))

    def test_exports_and_imports(self) -> None:
        note = self.note("%md\n# Exported")
        note.run().result()
        exported = self.client.notes.export(note.id)
        copy = self.client.notes.import_note(exported, f"{note.path} copy")
        self.assertEqual(copy.path, f"{note.path} copy")
        self.assertIn("Exported</h1>", copy.paragraphs[0].outputs[0].text)
        self.fails("conflict", lambda: self.client.notes.import_note(exported, note.path))
        with tempfile.TemporaryDirectory() as folder:
            notebook = Path(folder, f"{self.id()} notebook.ipynb")
            notebook.write_text(
                '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ['
                '{"cell_type": "markdown", "metadata": {}, "source": ["# A cell"]}]}'
            )
            imported = self.client.notes.import_note(notebook)
            self.assertEqual(imported.path, notebook.stem)
            self.assertIn("# A cell", imported.paragraphs[0].text)
            for content in ("{", "[]"):
                notebook.write_text(content)
                self.fails("protocol", lambda: self.client.notes.import_note(notebook), "imported")


class Runs(ClientTest):
    def test_isolated_runs_leave_the_note_as_it_is(self) -> None:
        note = self.note("%sql\nselect '${w=rain,rain|sun}' as w, $${n=1} as n")

        def rows(run: RunResult) -> list[tuple[str, int]]:
            return [(row["w"], int(row["n"])) for row in run.rows()]

        first = self.client.run(note.path, {"w": "sun", "n": 2})
        self.assertEqual(rows(first), [("sun", 2)])
        self.assertEqual(rows(self.client.run(note.path, stored_values=True)), [("sun", 2)])
        before = self.client.rest.get_note(note.id)
        paths = [each.path for each in self.client.notes.list()]

        def isolated(n: int) -> list[tuple[str, int]]:
            with self.client.isolated(note.path) as copy:
                return rows(copy.run({"n": n}, stored_values=False).result())

        with ThreadPoolExecutor(3) as pool:
            self.assertEqual(
                list(pool.map(isolated, [5, 6, 7])), [[("rain", 5)], [("rain", 6)], [("rain", 7)]]
            )
        self.assertEqual(self.client.rest.get_note(note.id), before)
        self.assertEqual([each.path for each in self.client.notes.list()], paths)
        with self.client.isolated(note.path) as copy:
            gone = copy.id
        self.fails("not-found", lambda: self.client.rest.get_note(gone))
        self.assertEqual(rows(self.client.run(note.path)), [("rain", 1)])

    def test_makes_and_ends_embed_tokens(self) -> None:
        note = self.note("%md\n${name=x}")
        rest = self.client.rest
        made = rest.create_embed_token(note_id=note.id, scope="run", params={"name": "Ann"})
        with Client(SERVER, token=made["token"]) as page:
            self.assertEqual(page.rest.get_note(note.id)["id"], note.id)
        self.fails(
            "http",
            lambda: rest.create_embed_token(note_id=note.id, scope="run", params={"nmae": "Ann"}),
        )
        self.fails(
            "not-found", lambda: rest.create_embed_token(note_id="2NOSUCHID", scope="view")
        )
        rest.revoke_embed_token(made["jti"])
        with Client(SERVER, token=made["token"]) as page:
            self.fails("signed-out", lambda: page.rest.get_note(note.id))

    def test_streams_output(self) -> None:
        paragraph = self.note(STEPS).paragraphs[0]
        run = paragraph.run()
        events = list(run)
        self.assertGreater(len(events), 1)
        self.assertEqual("".join(each.text for each in events), "step 1\nstep 2\nstep 3\n")
        self.assertTrue(all(each.append and each.type == "TEXT" for each in events))
        result = run.result()
        self.assertEqual((result.status, result.error), ("FINISHED", None))
        self.assertEqual(result.outputs[0].text, "step 1\nstep 2\nstep 3\n")
        self.assertEqual((paragraph.status, paragraph.outputs), ("FINISHED", result.outputs))
        self.assertEqual(list(run), [])

    def test_runs_a_note_with_values(self) -> None:
        note = self.note(
            "%sql\nselect '${region=EU}' as region, ${year=2020} as year",
            "%sql\nselect '$${shared=none}' as shared",
            "%md\nno form",
        )
        seen: list[str] = []
        result = self.client.run(
            note.path,
            {"region": "US", "shared": "all"},
            on_output=lambda event: seen.append(event.text),
        )
        self.assertEqual(
            (result.note_id, result.path, result.status), (note.id, note.path, "FINISHED")
        )
        self.assertEqual(
            [each.text for each in result.outputs][:2],
            ["region\tyear\nUS\t2020\n", "shared\nall\n"],
        )
        self.assertIn("US\t2020", "".join(seen))
        self.assertEqual(len(result.paragraphs), 3)
        # The values stay in the note, but are not used for the next run.
        stored = self.client.run(note.id, stored_values=True)
        self.assertEqual(stored.outputs[0].text, "region\tyear\nUS\t2020\n")
        self.assertEqual(self.client.run(note.id).outputs[0].text, "region\tyear\nEU\t2020\n")
        one = note.paragraphs[1].run({"shared": "one"}).result()
        self.assertEqual(one.outputs[0].text, "shared\none\n")
        for wrong in (
            lambda: self.client.run(note.id, {"regoin": "US"}),
            lambda: note.paragraphs[2].run({"region": "US"}),
        ):
            self.fails("protocol", wrong, "There is no form reg")

    def test_tells_how_a_note_failed(self) -> None:
        note = self.note("%md\nfine", "%sql\nselect missing", "%md\nnot reached")
        result = self.client.run(note.id)
        self.assertEqual(result.status, "ERROR")
        self.assertRegex(result.error or "", "missing")
        self.assertEqual([each.status for each in result.paragraphs], ["FINISHED", "ERROR"])
        disabled = note.paragraphs[0]
        self.client.rest.configure_paragraph(note.id, disabled.id, {"enabled": False})
        self.assertEqual(disabled.run().result().status, "READY")

    def test_cancels(self) -> None:
        paragraph = self.note(ENDLESS).paragraphs[0]
        run = paragraph.run()
        texts = []
        for event in run:
            texts.append(event.text)
            run.cancel()
        self.assertEqual(texts[0], "begun\n")
        self.assertEqual(run.result().status, "ABORT")
        # Leaving the loop stops the run too, so that the next one starts at once.
        for _ in (left := paragraph.run()):
            break
        self.assertEqual(left.result().status, "ABORT")
        other = self.connect(ADMIN).open(paragraph._note.id)
        events = iter(paragraph.run())
        next(events)
        self.assertEqual(other.stop(), None)
        other.reload()
        self.assertEqual(other.paragraphs[0].status, "ABORT")

    def test_stops_the_run_of_a_program_that_is_interrupted(self) -> None:
        note = self.note(ENDLESS)
        script = (
            "import sys; from tiding_client import Client; client = Client(*sys.argv[1:3]); "
            "client.run(sys.argv[3], on_output=lambda event: print(event.text, end='', flush=True))"
        )
        program = subprocess.Popen(
            [sys.executable, "-c", script, SERVER, ADMIN, note.id],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert program.stdout
        self.assertEqual(program.stdout.readline(), "begun\n")
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate()
        self.assertTrue(errors.endswith("KeyboardInterrupt\n"), errors)
        note.reload()
        self.assertEqual(note.paragraphs[0].status, "ABORT")

    def test_stops_a_run_that_takes_too_long(self) -> None:
        note = self.note(ENDLESS)
        paragraph = note.paragraphs[0]
        self.fails("timeout", lambda: self.client.run(note.id, timeout=2), "longer than 2 s")
        note.reload()
        self.assertIs(note.paragraphs[0], paragraph)
        self.assertEqual(paragraph.status, "ABORT")

    def test_limits_a_run_whose_output_never_stops(self) -> None:
        flood = "%js\nfor (;;) { console.log('x'); await new Promise((go) => setTimeout(go, 5)); }"
        run = self.note(flood).paragraphs[0].run(timeout=2)
        self.fails("timeout", lambda: [time.sleep(0.01) for _ in run], "longer than 2 s")

    def test_keeps_the_result_of_a_run_that_is_read_late(self) -> None:
        note = self.note(STEPS)
        run = note.paragraphs[0].run(timeout=60)
        events = iter(run)
        text = next(events).text
        while note.paragraphs[0].status != "FINISHED":
            time.sleep(0.2)
            note.reload()
        # The limit passes before the rest is read.
        run._end_by = time.monotonic()
        text += "".join(event.text for event in events)
        self.assertEqual((text, run.result().status), ("step 1\nstep 2\nstep 3\n", "FINISHED"))

    def test_refuses_what_runs_already(self) -> None:
        paragraph = self.note(ENDLESS).paragraphs[0]
        events = iter(paragraph.run())
        next(events)
        second = self.fails("busy", lambda: paragraph.run().result(), "already running")
        self.assertEqual((second.operation, second.retryable), ("RUN_PARAGRAPH", True))


class Tables(ClientTest):
    def test_reads_all_rows_as_pandas(self) -> None:
        result = self.client.run(self.note(TABLE, "%md\nlast").id)
        self.assertEqual(result.outputs[0].rows, 25_000)
        self.assertEqual(result.outputs[0].text.count("\n"), 11)
        frame = result.table()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual((len(frame), list(frame)), (25_000, ["i", "text", "exact"]))
        self.assertEqual(int(frame["i"].sum()), 25_000 * 24_999 // 2)
        self.assertEqual(frame["exact"][24_999], Decimal("24999.5"))

    def test_keeps_values_beside_missing_ones(self) -> None:
        columns = "9007199254740993::bigint as i, true as b, 1.10::decimal(9,2) as d, "
        note = self.note(
            f"%sql\nselect {columns} date '2024-01-31' as day, 1.5::double as f union all "
            "select null, null, null, null, null"
        )
        result = self.client.run(note.id)
        frame = result.table()
        types = {"i": "Int64", "b": "boolean", "d": "object", "day": "object", "f": "float64"}
        self.assertEqual(frame.dtypes.astype(str).to_dict(), types)
        first = [9007199254740993, True, Decimal("1.10"), datetime.date(2024, 1, 31), 1.5]
        self.assertEqual(frame.iloc[0].tolist(), first)
        self.assertTrue(frame.iloc[1].isna().all())
        with mock.patch("tiding_client._tables.find_spec", ("pandas",).__contains__):
            frame = result.table()
        self.assertEqual(frame.iloc[0, :2].tolist(), [9007199254740993, True])

    def test_reads_rows_without_pandas(self) -> None:
        note = self.note("%sql\nselect 1 as a, 'x' as b", '%js\nconsole.log("%table c\\n3")')
        first, second = self.client.run(note.id).paragraphs
        for installed, read in {
            ("pyarrow",): lambda: first.table().to_pylist(),
            ("pandas",): lambda: first.table().to_dict("records"),
            (): first.table,
        }.items():
            with mock.patch("tiding_client._tables.find_spec", installed.__contains__):
                self.assertEqual(read(), [{"a": 1, "b": "x"}])
        self.assertIsInstance(second.arrow(), pyarrow.Table)
        self.assertEqual(second.rows(), [{"c": 3}])

    def test_refuses_a_result_that_was_replaced(self) -> None:
        paragraph = self.note("%sql\nselect 1 as a").paragraphs[0]
        result = paragraph.run().result()
        self.assertEqual(result.rows(), [{"a": 1}])
        self.assertEqual(paragraph.result().rows(), [{"a": 1}])
        paragraph.update("%sql\nselect 2 as a")
        paragraph.run().result()
        self.fails("conflict", result.rows, "newer result")
        self.assertEqual(paragraph.result().rows(), [{"a": 2}])

    def test_refuses_a_result_without_a_table(self) -> None:
        result = self.client.run(self.note("%md\nx").id)
        self.fails("not-found", result.table, "no table")
        self.fails("not-found", result.paragraphs[0].rows, "no table")


class Files(ClientTest):
    def test_uploads_lists_downloads_and_removes(self) -> None:
        note = self.note("%sql\nselect sum(n) as n from 'numbers.csv'")
        content = b"n\n" + b"1234567\n" * 300_000
        path = self.client.files.upload(content, "numbers.csv", note_id=note.id)
        self.assertEqual(path, f"notes/{note.id}/numbers.csv")
        (listed,) = self.client.files.list(note_id=note.id)
        self.assertEqual((listed.path, listed.size), (path, len(content)))
        self.assertEqual(listed.modified.utcoffset().total_seconds(), 0)
        self.assertEqual(self.client.run(note.id).rows(), [{"n": 300_000 * 1_234_567}])
        with tempfile.TemporaryDirectory() as folder:
            file = self.client.files.download(path, folder)
            self.assertEqual((file, file.read_bytes()), (Path(folder, "numbers.csv"), content))
            shared = self.client.files.upload(file, shared=True)
            self.assertEqual(shared, "shared/numbers.csv")
            self.client.files.remove(shared)
            self.fails("not-found", lambda: self.client.files.download(shared, file))
            # The file that was there is left as it was, without another one beside it.
            self.assertEqual(os.listdir(folder), ["numbers.csv"])
            self.assertEqual(file.read_bytes(), content)
        self.assertNotIn(shared, [each.path for each in self.client.files.list(shared=True)])
        with self.assertRaises(TypeError):
            self.client.files.upload(b"1")


class Errors(ClientTest):
    def test_names_a_wrong_address(self) -> None:
        self.fails("protocol", lambda: Client("127.0.0.1:8080"), "http://")

    def test_signed_out(self) -> None:
        for token in (None, "no-token"):
            error = self.fails("signed-out", self.connect(token).notes.list)
            self.assertFalse(error.retryable)

    def test_forbidden_and_http(self) -> None:
        note = self.note("%md\nx")
        self.client.rest.set_permissions(
            note.id, owners=["admin"], writers=["admin"], runners=["admin"], readers=["bob"]
        )
        bob = self.connect(BOB)
        seen = bob.open(note.id)
        self.fails("forbidden", lambda: seen.run().result(), "Insufficient privileges")
        self.fails("forbidden", lambda: seen.paragraphs[0].run().result())
        error = self.fails("forbidden", seen.stop)
        self.assertEqual((error.status, error.operation), (403, "DELETE /notebook/job/{note_id}"))
        self.assertEqual(self.fails("not-found", lambda: bob.rest.get_note("none")).status, 404)
        self.fails("protocol", lambda: bob.rest.get_note(".."))

    def test_network(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        error = self.fails("network", self.connect(ADMIN, f"http://127.0.0.1:{port}").notes.list)
        self.assertTrue(error.retryable)

    def test_timeout(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            server = f"http://127.0.0.1:{silent.getsockname()[1]}"
            call = self.connect(ADMIN, server, timeout=0.2).notes.list
            self.assertTrue(self.fails("timeout", call).retryable)

    def test_a_connection_that_breaks_in_a_run(self) -> None:
        note = self.note(ENDLESS)
        cable = Cable()
        run = self.connect(ADMIN, cable.server).open(note.id).paragraphs[0].run()
        events = iter(run)
        self.assertEqual(next(events).text, "begun\n")
        cable.cut()
        self.fails("network", lambda: next(events), "continues on the server")
        self.fails("network", run.result)
        note.reload()
        self.assertEqual(note.paragraphs[0].status, "RUNNING")
        note.stop()

    def test_closed(self) -> None:
        note = self.note(ENDLESS, "%md\nx")
        client = self.connect(ADMIN)
        run = client.open(note.id).paragraphs[0].run()
        events = iter(run)
        next(events)
        client.close()
        self.fails("closed", lambda: next(events))
        self.fails("closed", client.notes.list)
        # A run continues when its client is closed.
        note.reload()
        self.assertEqual(note.paragraphs[0].status, "RUNNING")
        note.stop()
        removed = note.paragraphs[0]
        again = removed.run()
        events = iter(again)
        next(events)
        self.connect(ADMIN).rest.delete_paragraph(note.id, removed.id)
        with self.assertRaises(TidingError) as caught:
            for _ in events:
                pass
            self.assertEqual(again.result().status, "ABORT")
            removed.run()
        self.assertEqual(caught.exception.code, "closed")
        last = note.paragraphs[1].run
        self.client.notes.remove(note.id)
        self.fails("not-found", last)


if __name__ == "__main__":
    unittest.main()
