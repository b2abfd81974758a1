package tiding

import java.io.{ByteArrayOutputStream, OutputStream, PrintStream, StringWriter}
import java.util.{ArrayDeque, ArrayList}
import java.util.concurrent.CountDownLatch
import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}
import scala.jdk.CollectionConverters._
import scala.tools.nsc.interpreter.{IMain, Results}

/** A call of `z`, which Python answers. */
class Request(val name: String, val values: java.util.List[Any]) {
  private val done = new CountDownLatch(1)
  @volatile private var value: Any = null
  @volatile private var problem: String = null

  def answer(given: Any): Unit = { value = given; done.countDown() }
  def fail(text: String): Unit = { problem = text; done.countDown() }
  def await(): Any = {
    done.await()
    if (problem != null) throw new RuntimeException(problem)
    value
  }
}

/** One run. Its thread writes output and requests; Python takes them in order. */
class Run(main: IMain, messages: StringWriter, code: String) extends OutputStream {
  private val maxPending = 1 << 20
  private val pending = new ByteArrayOutputStream
  private val requests = new ArrayDeque[Request]
  private val stream = new PrintStream(this, true, "UTF-8")
  private var over = false
  @volatile var outcome = ""
  @volatile var message = ""

  // It inherits the job group, the session and the class loader of the thread that starts it.
  private val thread = new Thread(null, () => work(), "scala", 16L << 20)
  thread.setDaemon(true)
  def start(): Run = { thread.start(); this }

  private def work(): Unit =
    try {
      messages.getBuffer.setLength(0)
      val result = Console.withOut(stream)(Console.withErr(stream)(main.interpret(code, false)))
      if (result == Results.Success) stream.print(messages.toString)
      else message = messages.toString
      outcome = result.toString
    } catch {
      case error: Throwable =>
        message = error.toString
        outcome = "Error"
    } finally synchronized { over = true; notifyAll() }

  override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)
  /** Waits while Python is behind. Drops what threads write after the run. */
  override def write(bytes: Array[Byte], start: Int, length: Int): Unit = synchronized {
    while (pending.size > maxPending && !over) wait()
    if (!over) pending.write(bytes, start, length)
    notifyAll()
  }

  def request(name: String, values: Any*): Any = {
    val request = new Request(name, new ArrayList(values.asJava))
    synchronized {
      if (over) throw new IllegalStateException("z can't be used after the end of its run.")
      requests.add(request)
      notifyAll()
    }
    request.await()
  }

  /** Returns output, or a request if there is none; null if there is none in this time. */
  def next(millis: Long): AnyRef = synchronized {
    if (pending.size == 0 && requests.isEmpty && !over) wait(millis)
    if (pending.size > 0) {
      val bytes = pending.toByteArray
      pending.reset()
      notifyAll()
      bytes
    } else requests.poll()
  }
  def isOver: Boolean = synchronized(over && pending.size == 0 && requests.isEmpty)

  /** Interrupts the code. With `force`, ends its thread if it runs code and not the compiler. */
  def interrupt(force: Boolean): Unit = {
    thread.interrupt()
    if (force && thread.getStackTrace.exists(_.getClassName.startsWith("$line")))
      try classOf[Thread].getMethod("stop").invoke(thread)
      catch { case _: ReflectiveOperationException => () }
  }
}

/** The interpreter that all runs share. */
class Repl(main: IMain, messages: StringWriter) {
  def start(code: String): Run = {
    Repl.run = new Run(main, messages, code)
    Repl.run.start()
  }

  /** Runs code without output. Returns what is wrong with it. */
  def define(session: SparkSession, code: String): String = {
    Repl.spark = session
    messages.getBuffer.setLength(0)
    if (main.interpret(code, false) == Results.Success) null else messages.toString
  }

  /** Returns where the completed name starts, and the names. */
  def complete(code: String, cursor: Int): java.util.List[Any] = {
    val found = main.presentationCompile(cursor, code) match {
      case Right(result) =>
        try {
          val (start, candidates) = result.completionCandidates(1)
          start +: candidates.filter(_.name.nonEmpty).map(_.name.trim).distinct
        } finally result.cleanup()
      case _ => List(cursor)
    }
    new ArrayList(found.asJava)
  }
}

object Repl {
  @volatile var run: Run = null
  @volatile var spark: SparkSession = null
  val z = new Z
}

/** What code calls: tables, forms and other paragraphs. */
class Z {
  private def ask(name: String, values: Any*): Any = Repl.run.request(name, values: _*)
  private def options(all: Seq[(Any, String)]): java.util.List[Any] =
    new ArrayList(all.map { case (value, label) => new ArrayList[Any](List(value, label).asJava) }.asJava)

  /** Shows a DataFrame as a table, and prints other values. */
  def show(value: Any): Unit = show(value, 0)
  /** Shows at most `limit` rows. */
  def show(value: Any, limit: Int): Unit = value match {
    case frame: Dataset[_] => ask("show", frame.toDF(), limit)
    case other => Console.out.println(other)
  }
  /** Creates or replaces a table in %sql. */
  def put(name: String, value: Any): Unit = value match {
    case frame: Dataset[_] => ask("put", name, frame.toDF())
    case _ =>
      throw new IllegalArgumentException(
        "z.put takes a DataFrame. Share another value with z.angularBind, or convert it with toDF.")
  }
  /** Returns a table of %sql. */
  def get(name: String): DataFrame = ask("table", name).asInstanceOf[DataFrame]
  def table(name: String): DataFrame = get(name)

  def input(name: String, default: Any = ""): Any = ask("input", name, default)
  def textbox(name: String, default: String = ""): String = String.valueOf(input(name, default))
  def password(name: String): Any = ask("password", name)
  /** An option is a value with its label. */
  def select(name: String, choices: Seq[(Any, String)], default: Any = null): Any =
    ask("select", name, options(choices), default)
  def checkbox(name: String, choices: Seq[(Any, String)], checked: Seq[Any] = Nil): Seq[Any] =
    ask("checkbox", name, options(choices), new ArrayList(checked.asJava))
      .asInstanceOf[java.util.List[Any]].asScala.toSeq

  def angularBind(name: String, value: Any): Unit = ask("angularBind", name, value)
  def angular(name: String): Any = ask("angular", name)
  def run(paragraph: Any): Unit = ask("run", paragraph)
  def runNote(note: String): Unit = ask("runNote", note)
  def runAll(): Unit = ask("runAll")
}
