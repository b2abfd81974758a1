/** The command that starts interpreters of Zeppelin, and how their ports are guarded. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import type { InterpreterProperty } from '../contract.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import guard from '../programs/zeppelin-guard.txt?raw';
import { property } from '../property.ts';
import type { ZeppelinGroup } from './catalogue.ts';
import type { ZeppelinCommand } from './interpreter-process.ts';

const MAIN = 'org.apache.zeppelin.interpreter.remote.RemoteInterpreterServer';
const MEMORY = 'java.memory';
const OPTIONS = 'java.options';
const START = 'zeppelin.interpreter.connect.timeout';
/** Maximum size of the outputs of a run in an interpreter, in bytes. This server cuts at less. */
const OUTPUT_LIMIT = String(4 * 2 ** 20);
/** Packages of Java that libraries of Zeppelin and Spark reach into. */
const opened = [
  ...['lang', 'lang.invoke', 'lang.reflect', 'io', 'net', 'nio', 'util', 'util.concurrent'],
  'util.concurrent.atomic',
]
  .map((name) => `java.base/java.${name}`)
  .concat('java.base/sun.nio.ch', 'java.base/sun.nio.cs', 'java.base/sun.security.action');

/** Properties of the process, in addition to those of its interpreters. */
export const processProperties: readonly InterpreterProperty[] = [
  property(MEMORY, 'number', 'Maximum memory of the heap of the Java process, in MB', {
    defaultValue: '1024',
    check: (value) =>
      /^\d{2,6}$/.test(value) ? undefined : 'must be a whole number of MB from 10 to 999999',
  }),
  property(
    OPTIONS,
    'string',
    'More options of the Java process, separated by blanks, such as -Duser.timezone=UTC',
  ),
  property(START, 'number', 'Milliseconds that the process may take to start', {
    defaultValue: '60000',
    check: (value) => (Number(value) >= 1_000 ? undefined : 'must be a number from 1000'),
  }),
];

/** Values of the properties of a setting. */
type Values = Readonly<Record<string, string>>;

/** Returns how long a process may take to start, in ms. */
export const startLimitOf = (values: Values): number => Number(values[START]) || 60_000;
/** Returns the maximum memory of a process, in MB. */
export const memoryOf = (values: Values): string => values[MEMORY] || '1024';

/** As in Zeppelin, properties with such names are environment variables of the process. */
const isVariable = (name: string): boolean => /^[A-Z_][A-Z_0-9]*$/.test(name);

function variablesOf(values: Values, secret: string): Record<string, string> {
  return childEnvironment({
    ...Object.fromEntries(
      Object.entries(values).filter(([name, value]) => isVariable(name) && value !== ''),
    ),
    // Otherwise it reports an address of the network.
    ZEPPELIN_LOCAL_IP: '127.0.0.1',
    // Other accounts can read the arguments of a process, but not its variables.
    TIDING_PROCESS_SECRET: secret,
  });
}

/** Returns the program `java` that these values select. */
export function javaOf(values: Values): string {
  const home = values['JAVA_HOME'] || process.env['JAVA_HOME'];
  return home ? join(home, 'bin', 'java') : 'java';
}

export const interpreterProperties = (values: Values, folder: string): Record<string, string> => ({
  'zeppelin.interpreter.localRepo': join(folder, 'local-repo'),
  'zeppelin.interpreter.output.limit': OUTPUT_LIMIT,
  ...values,
});

/** Where a process listens and reports. */
export interface LaunchPlace {
  readonly port: number;
  readonly groupId: string;
  /** What each connection begins with, in both directions. */
  readonly secret: string;
  /** Folder of the setting with the jars of its dependencies. */
  readonly jars: string;
  /** Folder for files of the process. */
  readonly folder: string;
}

/** Returns the command of a group: Java, or `spark-submit` if `SPARK_HOME` is set for Spark. */
export function commandOf(
  group: ZeppelinGroup,
  classPath: readonly string[],
  values: Values,
  { port, groupId, secret, jars, folder }: LaunchPlace,
): ZeppelinCommand {
  const path = [...classPath, join(jars, '*')].join(delimiter);
  const options = [
    `-javaagent:${writeGuard(folder)}`,
    ...opened.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]),
    '-XX:+ExitOnOutOfMemoryError',
    '-Dfile.encoding=UTF-8',
    `-Dzeppelin.log.file=${join(folder, 'zeppelin-interpreter.log')}`,
    // An installation has its own configuration of the log in the class path.
    ...(classPath.some((each) => each.endsWith(`${sep}conf`))
      ? []
      : [`-Dlog4j.configuration=file:${writeLogSettings(folder)}`]),
    ...(values[OPTIONS] ?? '').split(/\s+/).filter(Boolean),
  ];
  const place = ['127.0.0.1', String(port), groupId, ':'];
  const env = variablesOf(values, secret);
  const spark = values['SPARK_HOME'];
  const jar = sparkJar(group.folder);
  if (group.name === 'spark' && spark && jar)
    return {
      command: join(spark, 'bin', 'spark-submit'),
      args: [
        ...['--class', MAIN, '--driver-class-path', path],
        ...['--driver-java-options', options.join(' '), '--driver-memory', `${memoryOf(values)}m`],
        ...Object.entries(values)
          .filter(([name, value]) => name.startsWith('spark.') && value !== '')
          .filter(([name]) => name !== 'spark.driver.memory')
          .flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
        jar,
        ...place,
      ],
      env: { ...env, ...pythonPath(spark, env) },
    };
  return {
    command: javaOf(values),
    args: [...options, `-Xmx${memoryOf(values)}m`, '-cp', path, MAIN, ...place],
    env,
  };
}

/** Writes the agent that guards the ports of the process, and returns the path of the file. */
function writeGuard(folder: string): string {
  const file = join(folder, 'zeppelin-guard.jar');
  writeFileSync(file, Buffer.from(guard, 'base64'), { mode: 0o600 });
  return file;
}

/** Writes settings with which warnings are printed, and returns the path of the file. */
function writeLogSettings(folder: string): string {
  const file = join(folder, 'log4j.properties');
  const lines = [
    'log4j.rootLogger=WARN, printed',
    'log4j.appender.printed=org.apache.log4j.ConsoleAppender',
    'log4j.appender.printed.layout=org.apache.log4j.PatternLayout',
    'log4j.appender.printed.layout.ConversionPattern=%d{ISO8601} %p %c{1} - %m%n',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}

/** The jar of the interpreter for Spark, which `spark-submit` wants to know. */
function sparkJar(folder: string): string | undefined {
  const jar = readdirSync(folder).find((name) => /^spark-interpreter.*\.jar$/.test(name));
  return jar && join(folder, jar);
}

function pythonPath(spark: string, env: Values): Record<string, string> {
  const libraries = join(spark, 'python', 'lib');
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  const bridge = names.filter((name) => /^py4j-.*-src\.zip$/.test(name));
  const parts = [join(spark, 'python'), ...bridge.map((name) => join(libraries, name))];
  return { PYTHONPATH: [...parts, env['PYTHONPATH'] ?? ''].filter(Boolean).join(delimiter) };
}
