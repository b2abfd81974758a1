/** Magics of Zeppelin that this server has no interpreter for, and what to use instead. */

/** One row of {@link knownMagics}. */
interface KnownMagic {
  /** Magics without `%`. A name without a dot also includes its other languages. */
  readonly magics: readonly [string, ...string[]];
  /** One sentence: what to install or use instead. */
  readonly advice: string;
}

const pyspark =
  'create a setting pyspark of the group pyspark on the page Interpreters, with pyspark in its ' +
  'dependencies.';

/** How to query a database for which there is a group of settings. */
const setting = (name: string, group: string): string =>
  `To query ${name}, create a setting of the group ${group} on the page Interpreters, and use ` +
  'its name as the magic.';

/** How to query a database from Python with a driver that SQLAlchemy uses. */
const database = (name: string, ...packages: string[]): string =>
  `To query ${name}, use %python with ${['sqlalchemy', ...packages].join(' and ')} in the ` +
  'dependencies of its setting, and call pandas.read_sql.';

/** How to query a database with a dialect of SQLAlchemy. */
const connection = (name: string, packages: string): string =>
  `To query ${name}, create a connection with its SQLAlchemy URL and the package ${packages} on ` +
  'the page Connections, and use its name as the magic.';

/** How to run a language on its Jupyter kernel. */
const kernel = (language: string, install: string): string =>
  `To run ${language}, ${install} on the machine of the server, and press Look again on the page ` +
  'Interpreters.';

/** How to use a Python package. */
const library = (name: string, packages: string): string =>
  `To use ${name}, add ${packages} to the dependencies of the setting python and use %python.`;

/** The table, by topic. `docs/interpreters/missing.md` shows it. */
export const knownMagics: readonly KnownMagic[] = [
  { magics: ['pyspark', 'spark.pyspark', 'spark.ipyspark'], advice: `For PySpark, ${pyspark}` },
  { magics: ['spark.sql', 'ssql'], advice: `For Spark SQL, ${pyspark}` },
  { magics: ['spark', 'livy'], advice: `For Spark in Scala, ${pyspark}` },
  {
    magics: ['spark.conf'],
    advice: `For Spark, ${pyspark} Then %spark.conf sets its properties.`,
  },
  {
    magics: ['r.shiny', 'spark.shiny'],
    advice:
      'Shiny apps are not shown here; run them with R, or in a Zeppelin, which this server can ' +
      'be the gateway for.',
  },
  {
    magics: ['flink'],
    advice:
      'Flink in Scala needs a Zeppelin, which this server can be the gateway for; for Flink from ' +
      'Python, use %python with apache-flink in the dependencies of its setting.',
  },
  {
    magics: ['flink.bsql', 'flink.ssql'],
    advice:
      'For Flink SQL, use %python with apache-flink in the dependencies of its setting; ' +
      'TableEnvironment.execute_sql("…") runs a statement.',
  },
  {
    magics: ['flink.pyflink', 'flink.ipyflink'],
    advice:
      'For PyFlink, use %python with apache-flink in the dependencies of its setting, and create ' +
      'its TableEnvironment.',
  },
  {
    magics: ['flink.conf'],
    advice: 'Set properties of Flink in its TableEnvironment: get_config().set("key", "value").',
  },
  {
    magics: ['pig', 'pig.query'],
    advice: 'Pig needs a Zeppelin, which this server can be the gateway for; %sql does the same.',
  },
  {
    magics: ['sparkMahout', 'flinkMahout'],
    advice: 'Mahout in Scala needs a Zeppelin, which this server can be the gateway for.',
  },
  { magics: ['beam'], advice: library('Beam', 'apache-beam') },
  {
    magics: ['r', 'ir', 'spark.r', 'spark.ir', 'knitr', 'sparkr'],
    advice: kernel('R', 'install its Jupyter kernel (Debian: r-cran-irkernel)'),
  },
  { magics: ['scala'], advice: kernel('Scala', 'install its Jupyter kernel (almond)') },
  {
    magics: ['kotlin', 'spark.kotlin'],
    advice: kernel('Kotlin', 'install its Jupyter kernel (PyPI: kotlin-jupyter-kernel)'),
  },
  { magics: ['java'], advice: kernel('Java', 'install its Jupyter kernel (JJava or IJava)') },
  { magics: ['groovy'], advice: kernel('Groovy', 'install its Jupyter kernel') },
  { magics: ['julia'], advice: kernel('Julia', 'install its Jupyter kernel (IJulia)') },
  {
    magics: ['jdbc'],
    advice:
      'To query a database, create a setting of the group postgresql or mysql on the page ' +
      'Interpreters, and use its name: %sales or %jdbc(sales).',
  },
  { magics: ['postgresql', 'psql', 'postgres'], advice: setting('PostgreSQL', 'postgresql') },
  { magics: ['mysql', 'mariadb'], advice: setting('MySQL or MariaDB', 'mysql') },
  { magics: ['sqlite'], advice: setting('SQLite', 'sqlite') },
  { magics: ['hive'], advice: connection('Hive', 'pyhive[hive]') },
  { magics: ['phoenix'], advice: database('Phoenix', 'phoenixdb') },
  { magics: ['redshift'], advice: connection('Redshift', 'sqlalchemy-redshift') },
  { magics: ['presto', 'trino'], advice: connection('Trino', 'trino[sqlalchemy]') },
  { magics: ['bigquery'], advice: connection('BigQuery', 'sqlalchemy-bigquery') },
  { magics: ['cassandra'], advice: library('Cassandra', 'cassandra-driver') },
  { magics: ['mongodb'], advice: library('MongoDB', 'pymongo') },
  { magics: ['elasticsearch'], advice: library('Elasticsearch', 'elasticsearch') },
  { magics: ['neo4j'], advice: library('Neo4j', 'neo4j') },
  { magics: ['influxdb'], advice: library('InfluxDB', 'influxdb-client') },
  { magics: ['hbase'], advice: library('HBase', 'happybase') },
  { magics: ['file', 'hdfs'], advice: library('HDFS', 'hdfs') },
  {
    magics: ['python.conda', 'python.docker'],
    advice:
      'Packages of %python are dependencies of its setting; the property python.path chooses ' +
      'another Python.',
  },
];

/** Returns the row of a magic; a row for its exact name comes before one for its first part. */
export function knownMagic(magic: string): KnownMagic | undefined {
  const name = magic.toLowerCase();
  const named = (wanted: string): KnownMagic | undefined =>
    knownMagics.find(({ magics }) => magics.some((each) => each.toLowerCase() === wanted));
  return named(name) ?? named(name.split('.')[0] ?? '');
}
