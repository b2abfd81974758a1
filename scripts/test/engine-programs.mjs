/** Programs on this machine that tests and measurements of interpreters use. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findJava, installPyspark, OLDEST_JAVA } from './pyspark.mjs';

/** Returns the folder of a program: that of an environment variable, or where it is installed. */
export function folderOf(program, variable, others = []) {
  const folders = [process.env[variable], ...(process.env.PATH ?? '').split(delimiter), ...others];
  return folders.find((folder) => folder && existsSync(join(folder, program)));
}

/** Folders of Debian's packages, the newest version first. */
function debianPostgres() {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(folder, name, 'bin'));
}

/** PostgreSQL. Its certificate is made with openssl. */
export const postgres = {
  folder: folderOf('initdb', 'TIDING_TEST_POSTGRESQL', debianPostgres()),
  variable: 'TIDING_TEST_POSTGRESQL',
  missing:
    'no initdb: install PostgreSQL, or set TIDING_TEST_POSTGRESQL to the folder of its programs',
};

/** MariaDB. */
export const mariadb = {
  folder: folderOf('mariadbd', 'TIDING_TEST_MARIADB', ['/usr/sbin', '/usr/libexec']),
  variable: 'TIDING_TEST_MARIADB',
  missing: 'no mariadbd: install MariaDB, or set TIDING_TEST_MARIADB to the folder of its programs',
};

/** Packages are downloaded from PyPI unless that is turned off. */
export const downloads = {
  folder: process.env.TIDING_TEST_DOWNLOADS === 'none' ? undefined : 'pypi',
  variable: 'TIDING_TEST_DOWNLOADS',
  missing: 'TIDING_TEST_DOWNLOADS=none: packages of Python are not downloaded',
};

/** PySpark is downloaded from PyPI at the first time, about 450 MB with what it needs. */
export const pyspark = {
  folder: findJava() >= OLDEST_JAVA ? downloads.folder : undefined,
  variable: 'TIDING_TEST_PYSPARK',
  missing: `no Java ${OLDEST_JAVA} or newer, or TIDING_TEST_DOWNLOADS=none: no PySpark`,
  prepare: () => installPyspark().python,
};
