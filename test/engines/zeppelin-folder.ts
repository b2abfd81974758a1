/** Interpreters of Zeppelin for tests, from Maven Central. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Version of the interpreters. */
const ZEPPELIN_VERSION = '0.10.1';
const log = ['org.slf4j:slf4j-log4j12:1.7.30', 'org.slf4j:jcl-over-slf4j:1.7.30'];
const artifacts: Readonly<Record<string, readonly string[]>> = {
  md: ['org.apache.zeppelin:zeppelin-markdown'],
  kotlin: ['org.apache.zeppelin:zeppelin-kotlin'],
  python: ['org.apache.zeppelin:zeppelin-python'],
};

/** Folder of the program `mvn`. Without it, these tests are skipped. */
export const MAVEN = process.env['TIDING_TEST_MAVEN'];

/** Returns a folder `interpreter`, downloaded by Maven at the first time and kept then. */
export function zeppelinFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const kept = join(cache, 'tiding-test', `zeppelin-interpreters-${ZEPPELIN_VERSION}`);
  if (existsSync(kept)) return kept;
  mkdirSync(join(cache, 'tiding-test'), { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tiding-maven-'));
  const made = mkdtempSync(join(cache, 'tiding-test', 'zeppelin-'));
  for (const [name, coordinates] of Object.entries(artifacts)) {
    const pom = join(work, `${name}.xml`);
    const own = coordinates.map((each) => `${each}:${ZEPPELIN_VERSION}`);
    writeFileSync(pom, pomOf(name, join(made, name), [...own, ...log]));
    execFileSync(join(MAVEN ?? '', 'mvn'), [
      ...['-q', '-B', '-f', pom, '-DincludeScope=runtime', 'dependency:copy-dependencies'],
    ]);
  }
  rmSync(work, { recursive: true });
  renameSync(made, kept);
  return kept;
}

function pomOf(name: string, folder: string, coordinates: readonly string[]): string {
  const dependencies = coordinates.map((each) => {
    const [group, artifact, version] = each.split(':');
    return (
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${version}</version></dependency>`
    );
  });
  return (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>' +
    `<groupId>tiding</groupId><artifactId>${name}</artifactId><version>1</version>` +
    `<properties><outputDirectory>${folder}</outputDirectory></properties>` +
    `<dependencies>${dependencies.join('')}</dependencies></project>`
  );
}

/**
 * Returns a program that runs the `python3` of this machine with the names that the bridge of
 * Zeppelin 0.10 imports from `collections`, where they were until Python 3.9.
 * @param folder an empty folder for it
 */
export function olderPython(folder: string): string {
  writeFileSync(
    join(folder, 'sitecustomize.py'),
    'import collections\nimport collections.abc\n\nfor name in collections.abc.__all__:\n' +
      '    if not hasattr(collections, name):\n' +
      '        setattr(collections, name, getattr(collections.abc, name))\n',
  );
  const program = join(folder, 'python');
  writeFileSync(program, `#!/bin/sh\nPYTHONPATH="${folder}:$PYTHONPATH" exec python3 "$@"\n`, {
    mode: 0o755,
  });
  return program;
}
