/** Sentences about interpreters of Zeppelin that can't run. Each says what to do. */

/** An interpreter of Zeppelin can't run. The message is complete. */
export class ZeppelinProblem extends Error {
  override readonly name: string = 'ZeppelinProblem';
}

/** Java was not found. */
export const javaProblem = (name: string, program: string): ZeppelinProblem =>
  new ZeppelinProblem(
    `%${name} is an interpreter of Zeppelin and needs Java, but ${program} was not ` +
      'found. Install Java 11 or newer on the machine of the server (Debian: ' +
      'default-jre-headless), or set JAVA_HOME and restart the server.',
  );

/** A library of Zeppelin is not in the folder of the interpreters. */
export const libraryProblem = (name: string, folder: string): ZeppelinProblem =>
  new ZeppelinProblem(
    `%${name} needs zeppelin-interpreter-shaded-VERSION.jar, which is not in ` +
      `${folder}. Name the folder interpreter of a complete Zeppelin in ` +
      'TIDING_ZEPPELIN_INTERPRETERS, or put that file there, and restart the server.',
  );

/** The process did not report in time. */
export const lateProblem = (name: string, seconds: number): ZeppelinProblem =>
  new ZeppelinProblem(
    `The process of %${name} did not report within ${seconds} seconds and was ended. ` +
      'Run this again, or raise zeppelin.interpreter.connect.timeout in its setting on the ' +
      'page Interpreters.',
  );

/** The port of the process was open to other machines. */
export const openProblem = (name: string): ZeppelinProblem =>
  new ZeppelinProblem(
    `The process of %${name} was ended, because other machines could connect to it. Use ` +
      'zeppelin-interpreter-shaded of Zeppelin 0.9 to 0.12, and no agent in java.options.',
  );

/** The process does not speak the protocol. */
export const protocolProblem = (name: string, error: unknown): ZeppelinProblem =>
  new ZeppelinProblem(
    `The process of %${name} does not speak the protocol of Zeppelin 0.9 to 0.12: ` +
      `${error instanceof Error ? error.message : String(error)} ` +
      'Use zeppelin-interpreter-shaded of one of these versions.',
  );

/** The process ended before it reported. */
export const startProblem = (name: string, exit: string, printed: string): ZeppelinProblem =>
  new ZeppelinProblem(`The process of %${name} did not start (${exit}). ${startAdvice(printed)}`);

function startAdvice(printed: string): string {
  const memory = /Could not reserve enough space|Invalid maximum heap size/.exec(printed);
  if (memory)
    return 'Java could not get the memory that java.memory in its setting asks for. Lower it.';
  if (/UnsupportedClassVersionError/.test(printed))
    return 'The Java of the server is too old for it. Install Java 11 or newer.';
  if (/ClassNotFoundException|NoClassDefFoundError|Could not find or load main class/.test(printed))
    return `A Java library is missing in its folder: ${lastLine(printed)}`;
  return printed === '' ? 'It printed nothing.' : `It printed: ${lastLine(printed)}`;
}

/** Removes the places from stack traces of Java; the errors and their causes stay. */
export const withoutPlaces = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+(at [\w.$/<>]+\(|\.\.\. \d+ more$)/.test(line))
    .join('\n');

/** Returns the last line that is not part of a stack trace. */
export function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return (
    lines.findLast((line) => line !== '' && !/^(at |\.\.\. \d+ more|log4j:|SLF4J:)/.test(line)) ??
    ''
  );
}

/** Says why a process has ended while it was used. */
export function deathOf(name: string, exit: string, printed: string, megabytes: string): string {
  if (/OutOfMemoryError/.test(printed))
    return (
      `The process of %${name} ran out of memory (${megabytes} MB) and has ended; its variables ` +
      'are lost. Raise java.memory in its setting on the page Interpreters. The next run starts ' +
      'a new process.'
    );
  const memory = exit.includes('SIGKILL') ? ', perhaps due to lack of memory' : '';
  const line = lastLine(printed);
  return (
    `The process of %${name} ended (${exit}${memory}) and its variables are lost. The next run ` +
    `starts a new one.${line ? `\n${line}` : ''}`
  );
}
