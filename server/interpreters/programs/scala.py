def _tiding_scala(settings, session, show_rows):
    """Returns functions that run Scala in the JVM of the session.

    `settings` has `classes`, the folder of compiled classes, `scala`, the code of the helper, and
    `scalaMark`, the text before Scala in requests for completion.
    `session` returns the session, and `show_rows` shows a DataFrame.
    """
    import ast
    import codecs
    import re
    import sys

    from IPython import get_ipython

    shell = get_ipython()
    state = {'repl': None, 'session': None}
    #: What the code finds defined, as in spark-shell.
    definitions = '''@transient val spark = tiding.Repl.spark
@transient val sc = spark.sparkContext
@transient val z = tiding.Repl.z
import spark.implicits._
import spark.sql
import org.apache.spark.SparkContext._
import org.apache.spark.sql.functions._'''

    class ScalaError(Exception):
        def _render_traceback_(self):
            """The message is the one of Scala; the stack is not of the user's code."""
            return [str(self)]

    def prepare(conf):
        """Starts the JVM and makes its class loader find the classes of the interpreter.

        Threads of the session inherit the loader, so it must be set before the session starts:
        otherwise results with classes of a paragraph could not be read.
        """
        from pyspark import SparkConf, SparkContext

        if SparkContext._gateway is not None:
            return
        given = SparkConf()
        for name, value in conf.items():
            given.set(name, value)
        SparkContext._ensure_initialized(conf=given)
        jvm = SparkContext._jvm
        urls = SparkContext._gateway.new_array(jvm.java.net.URL, 1)
        urls[0] = jvm.java.io.File(settings['classes']).toURI().toURL()
        thread = jvm.java.lang.Thread.currentThread()
        thread.setContextClassLoader(
            jvm.java.net.URLClassLoader(urls, thread.getContextClassLoader())
        )

    def class_path(jvm, context):
        """Returns the class path of the JVM with the jars of the session."""
        jars = context.getConf().get('spark.repl.local.jars', '') or ''
        paths = [jvm.java.net.URI(jar).getPath() for jar in jars.split(',') if jar]
        return ':'.join([jvm.java.lang.System.getProperty('java.class.path'), *paths])

    def start():
        """Makes the interpreter, unless there is one, and defines `spark`, `sc` and `z`."""
        import pyspark
        from py4j.java_gateway import JavaClass

        if settings['remote']:
            raise ScalaError(
                'Scala is not available over Spark Connect. Use %pyspark or %spark.sql.'
            )
        now = session()
        context = now.sparkContext
        jvm = context._jvm
        if state['repl'] is None:
            version = jvm.scala.util.Properties.versionNumberString()
            kinds = jvm.scala.tools.nsc.interpreter
            if not version.startswith('2.13.') or not isinstance(kinds.IMain, JavaClass):
                raise ScalaError(
                    f'Scala is not available with PySpark {pyspark.__version__}: it has Scala '
                    f'{version}'
                    + (' without its compiler' if version.startswith('2.13.') else '')
                    + '. Install PySpark 4 from PyPI, or use %pyspark.'
                )
            options = jvm.java.util.ArrayList()
            for option in (
                '-Yrepl-class-based',
                '-Yrepl-outdir',
                settings['classes'],
                '-classpath',
                class_path(jvm, context),
                '-Wconf:cat=deprecation:silent',
            ):
                options.append(option)
            given = jvm.scala.tools.nsc.Settings()
            given.processArguments(jvm.PythonUtils.toList(options), True)
            messages = jvm.java.io.StringWriter()
            reporter = kinds.shell.ReplReporterImpl(given, jvm.java.io.PrintWriter(messages, True))
            loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
            main = kinds.IMain(given, jvm.scala.Option.apply(loader), given, reporter)
            if not main.compileString(settings['scala']):
                raise ScalaError(f'Scala did not start: {messages.toString()}')
            state['repl'] = jvm.tiding.Repl(main, messages)
        if state['session'] is not now:
            problem = state['repl'].define(now._jsparkSession, definitions)
            if problem is not None:
                raise ScalaError(f'Scala did not start: {problem}')
            state['session'] = now

    def to_python(value):
        """Converts lists of the JVM."""
        kind = type(value).__name__
        return [to_python(item) for item in value] if kind in ('JavaList', 'JavaArray') else value

    def to_java(value):
        from py4j.java_collections import ListConverter

        if isinstance(value, (list, tuple)):
            gateway = session().sparkContext._gateway
            return ListConverter().convert([to_java(item) for item in value], gateway._gateway_client)
        return value

    def answer(request):
        """Calls the method of `z` in Python."""
        from pyspark.sql import DataFrame

        z = shell.user_ns_hidden['z']
        name, values = request.name(), [to_python(value) for value in request.values()]
        try:
            if name == 'show':
                show_rows(DataFrame(values[0], session()), values[1])
                result = None
            elif name == 'put':
                result = z.put(values[0], DataFrame(values[1], session()).toPandas())
            elif name == 'table':
                result = session().createDataFrame(z.table(values[0]))._jdf
            elif name == 'select':
                result = z.select(values[0], values[1], values[2])
            else:
                result = getattr(z, name)(*values)
            request.answer(to_java(result))
        except Exception as error:
            request.fail(str(error))

    def is_python(code):
        """Whether code with an error of the compiler is probably Python."""
        try:
            statements = ast.parse(code).body
        except (SyntaxError, ValueError):
            return False
        return any(
            not isinstance(each, (ast.Expr, ast.Import))
            or any(name.asname for name in getattr(each, 'names', ()))
            for each in statements
        )

    def problem_of(code, outcome, message):
        """Returns the message of a failed run; an empty one if the code is only a comment."""
        if outcome == 'Incomplete':
            text = 'The code is incomplete: a bracket, a string or a definition is not finished.'
        elif 'error: ' not in message:
            return message.strip()
        else:
            # The shell indents them by the length of its prompt, and does not quote a single line.
            text = re.sub(r'^ {7}', '', message, flags=re.M).rstrip()
            if '\n' not in code:
                quoted = lambda found: f'{code}\n{found[1]}\nOn line 1: error: '
                text = re.sub(r'^( *\^)\nerror: ', quoted, text, flags=re.M)
        return f'{text}\nIf this is Python, use %pyspark.' if is_python(code) else text

    def run(code, watch):
        start()
        work = state['repl'].start(code)
        decode = codecs.getincrementaldecoder('utf-8')('replace').decode
        if watch is not None:
            watch.scala = work
        while not work.isOver():
            event = work.next(100)
            if isinstance(event, (bytes, bytearray)):
                sys.stdout.write(decode(event))
            elif event is not None:
                answer(event)
        if watch is not None:
            watch.scala = None
            if watch.is_cancelled:
                raise KeyboardInterrupt
        if work.outcome() != 'Success':
            message = problem_of(code, work.outcome(), work.message())
            if message:
                raise ScalaError(message)

    def utf16(text):
        return text.encode('utf-16-le')

    def complete(code, cursor):
        """Answers requests of the kernel; `cursor` counts characters, Scala UTF-16 units."""
        mark = settings['scalaMark']
        if not code.startswith(mark):
            return complete_python(code, cursor)
        names, start = [], cursor
        if state['repl'] is not None:
            script = code[len(mark) :]
            place = len(utf16(script[: cursor - len(mark)])) // 2
            found, *names = state['repl'].complete(script, place)
            start = len(mark) + len(utf16(script)[: 2 * found].decode('utf-16-le'))
        return {
            'matches': names,
            'cursor_start': start,
            'cursor_end': cursor,
            'metadata': {},
            'status': 'ok',
        }

    complete_python = shell.kernel.do_complete
    shell.kernel.do_complete = complete
    return prepare, start, run
