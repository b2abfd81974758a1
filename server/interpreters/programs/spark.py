def _tiding_spark(settings):
    """Starts Spark, defines `spark`, `sc` and functions for SQL and Scala, and reports jobs.

    `settings` is JSON with `conf`, `message` (the type of the reports), `maxRows`, what
    `_tiding_scala` needs, and `remote`: the address of Spark Connect, or null.
    """
    import json
    import logging
    import os
    import re
    import shutil
    import signal
    import threading
    import uuid

    from IPython import get_ipython
    from IPython.display import display
    from pyspark.sql import SparkSession

    settings = json.loads(settings)
    shell = get_ipython()
    kernel = shell.kernel
    max_rows = settings['maxRows']
    remote = settings['remote']
    interval = 0.3
    state = {'watch': None}

    def is_stopped(known):
        if remote:
            return known.is_stopped
        java = known.sparkContext._jsc
        return java is None or java.sc().isStopped()

    class NoContext:
        """Stands for `sc` over Spark Connect."""

        def __getattr__(self, name):
            if name.startswith('_'):
                raise AttributeError(name)
            raise RuntimeError('sc is not available over Spark Connect. Use spark.')

    def connect(builder):
        """Connects to Spark Connect, which would try for minutes if nobody answered."""
        import socket
        from urllib.parse import urlsplit

        place = urlsplit(remote.split(';')[0])
        try:
            socket.create_connection((place.hostname, place.port or 15002), 10).close()
        except OSError as error:
            raise ConnectionError(
                f'{place.netloc} does not answer: {error.strerror or error}'
            ) from None
        known = builder.remote(remote).getOrCreate()
        # The first call to the server.
        known.version
        known.registerProgressHandler(progress)
        return known

    def progress(stages, inflight_tasks, operation_id, done):
        watch = state['watch']
        if watch is not None:
            watch.progress(list(stages or ()), operation_id, done)

    def session():
        """Returns the session. Starts another one after `spark.stop()`."""
        builder = SparkSession.builder
        for name, value in settings['conf'].items():
            builder = builder.config(name, value)
        known = state.get('session')
        if known is not None and is_stopped(known):
            # Scala may have stopped it; now Python knows, too.
            known.stop()
            known = None
        if known is None:
            state['session'] = known = connect(builder) if remote else builder.getOrCreate()
            names = {'spark': known, 'sc': NoContext() if remote else known.sparkContext}
            shell.user_ns.update(names)
            shell.user_ns_hidden.update(names)
        return known

    class Watch:
        """Reports the jobs of one execution until it ends, and cancels them."""

        def __init__(self):
            self.session = session()
            self.group = f'tiding-{uuid.uuid4()}'
            self.parent = kernel.get_parent('shell')
            self.over = threading.Event()
            self.is_busy = False
            self.is_cancelled = False
            #: The run of Scala, in a thread of its own.
            self.scala = None
            self.sent = None
            self.mark()
            threading.Thread(target=self.follow, daemon=True).start()

        def mark(self):
            """Makes the jobs of this thread ones of this execution."""
            self.context = self.session.sparkContext
            self.context.setJobGroup(self.group, 'Paragraph of a note', interruptOnCancel=True)

        def unmark(self):
            """The next execution replaces the group."""

        def follow(self):
            while not self.over.wait(interval):
                self.report()

        def report(self):
            try:
                report = self.look()
            except Exception:
                # Spark has ended; the code of the user says so.
                return
            if (report['jobs'] or report['percent']) and report != self.sent:
                self.sent = report
                kernel.session.send(
                    kernel.iopub_socket, settings['message'], report, parent=self.parent
                )

        def look(self):
            tracker = self.context.statusTracker()
            jobs = sorted(tracker.getJobIdsForGroup(self.group))
            known = [info for info in map(tracker.getJobInfo, jobs) if info]
            self.is_busy = any(info.status == 'RUNNING' for info in known)
            stages = {stage for info in known for stage in info.stageIds}
            counts = [info for info in map(tracker.getStageInfo, stages) if info]
            total = sum(info.numTasks for info in counts)
            done = sum(info.numCompletedTasks for info in counts)
            return {
                'jobs': jobs,
                'page': self.context.uiWebUrl or '',
                'percent': 100 * done / total if total else 0,
            }

        def cancel(self):
            try:
                self.context.cancelJobGroup(self.group)
            except Exception:
                pass

        def interrupt(self, number, frame):
            """Cancels the jobs, which ends the call that waits for them.

            An exception in the middle of that call would leave its answer for the next call, so the
            code is only interrupted if no job runs, or at the second interrupt.
            """
            is_first = not self.is_cancelled
            self.is_cancelled = True
            threading.Thread(target=self.cancel, daemon=True).start()
            if self.scala is not None:
                stop = self.scala.interrupt
                threading.Thread(target=stop, args=(not is_first,), daemon=True).start()
            elif not (is_first and self.is_busy):
                signal.default_int_handler(number, frame)

    class RemoteWatch(Watch):
        """Reports the progress of operations of Spark Connect, which have no page."""

        def mark(self):
            self.operations = {}
            self.session.addTag(self.group)

        def unmark(self):
            self.session.removeTag(self.group)

        def progress(self, stages, operation, done):
            self.operations[operation] = (stages, done)

        def look(self):
            known = list(self.operations.values())
            self.is_busy = any(not done for _, done in known)
            counts = [stage for stages, _ in known for stage in stages]
            total = sum(stage.num_tasks for stage in counts)
            done = sum(stage.num_completed_tasks for stage in counts)
            return {'jobs': [], 'page': '', 'percent': 100 * done / total if total else 0}

        def cancel(self):
            try:
                self.session.interruptTag(self.group)
            except Exception:
                pass

    def begin(*_):
        try:
            watch = state['watch'] = RemoteWatch() if remote else Watch()
        except Exception as error:
            state['watch'] = None
            print(f'Spark is not available: {error}. Restart the interpreter.')
            return
        signal.signal(signal.SIGINT, watch.interrupt)

    def end(*_):
        watch, state['watch'] = state['watch'], None
        if watch is None:
            return
        watch.over.set()
        watch.unmark()
        # Jobs of threads may still run.
        if watch.is_cancelled:
            watch.cancel()
        watch.report()

    show_traceback = shell.showtraceback

    def show_unless_cancelled(*args, **kwargs):
        """Shows no stack after a cancel: a long one takes more time than the server waits."""
        watch = state['watch']
        if watch is None or not watch.is_cancelled:
            return show_traceback(*args, **kwargs)
        shell._last_traceback = []

    class SqlError(Exception):
        def _render_traceback_(self):
            """The stack consists of frames of PySpark and of this program."""
            return [str(self)]

    def representable(frame):
        """
        Casts what Spark can't convert to Arrow: intervals of months, and structs that are NULL
        although none of their fields may be.
        """
        months = re.compile(r'\binterval(?! (?:day|hour|minute|second))')
        casts = {}
        for at, kind in enumerate(field.dataType for field in frame.schema):
            if months.search(kind.simpleString()):
                casts[at] = 'string'
            elif 'struct<' in kind.simpleString():
                text = kind.json().replace('"nullable":false', '"nullable":true')
                casts[at] = type(kind).fromJson(json.loads(text))
        if not casts:
            return frame
        # Names may be used twice.
        named = frame.toDF(*map(str, range(len(frame.columns))))
        columns = [named[each] for each in named.columns]
        for at, kind in casts.items():
            columns[at] = columns[at].cast(kind)
        return named.select(*columns).toDF(*frame.columns)

    def show_rows(frame, limit):
        rows = representable(frame).limit(limit + 1)
        table = rows.toArrow() if hasattr(rows, 'toArrow') else rows.toPandas()
        has_more = len(table) > limit
        display(table[:limit] if has_more else table)
        if has_more:
            print(f'The result has more rows. The first {limit:,} were read.')

    def message_of(error):
        """Returns the message of an error without the stack and the plan of the query."""
        text = str(error)
        for end in ('\n\nJVM stacktrace:', '\n\nDriver stacktrace:', ";\n'"):
            text = text.split(end)[0]
        # The blanks in front of a statement are quoted too.
        return re.sub(r'\n\s*\n', '\n', text.strip())

    def run_sql(statements, limit=None):
        for statement in statements:
            try:
                frame = session().sql(statement)
                if frame.columns:
                    show_rows(frame, limit or max_rows)
            except Exception as error:
                raise SqlError(message_of(error)) from None

    z = shell.user_ns['z']
    show = z.show

    def show_any(value, limit=max_rows):
        """Shows a value; a table with at most `limit` rows."""
        if hasattr(value, 'sparkSession') and hasattr(value, 'toPandas'):
            show_rows(value, limit)
        else:
            show(value, limit)

    prepare, start_scala, run_scala = _tiding_scala(
        settings, session, lambda frame, limit: show_rows(frame, limit or max_rows)
    )
    if not remote:
        # Executors load the classes of Scala from the driver.
        shutil.rmtree(settings['classes'], ignore_errors=True)
        os.makedirs(settings['classes'], mode=0o700)
        settings['conf']['spark.repl.class.outputDir'] = settings['classes']
        prepare(settings['conf'])
    session()
    # It prints the stack of every wrong query.
    logging.getLogger('SQLQueryContextLogger').disabled = True
    z.show = show_any
    shell.showtraceback = show_unless_cancelled
    for name, function in {
        'sql': run_sql,
        'scala_start': start_scala,
        'scala': lambda code: run_scala(code, state['watch']),
    }.items():
        name = f'_tiding_spark_{name}'
        shell.user_ns_hidden[name] = shell.user_ns[name] = function
    shell.events.register('pre_run_cell', begin)
    shell.events.register('post_run_cell', end)
