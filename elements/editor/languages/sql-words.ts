/*
 * Words of the SQL dialect. The dialects included with the parser highlight every unreserved word
 * of the standard ("name", "source", "value"), but these are column names far more often than
 * keywords.
 */

export const sqlKeywords =
  'add all alter analyze and anti any as asc asof at attach begin between by cascade case ' +
  'cast check cluster collate column commit constraint copy create cross cube current_date ' +
  'current_time current_timestamp database default delete desc describe detach distinct ' +
  'distribute drop else end escape except exclude exists explain extract false fetch ' +
  'filter first following for foreign format from full function glob grant group grouping ' +
  'having if ignore ilike in index inner insert install intersect interval into is isnull ' +
  'join key last lateral left like limit load macro materialized natural not notnull null ' +
  'nulls of offset on only or order outer over overwrite partition partitioned pivot ' +
  'positional preceding primary qualify range recursive references rename replace ' +
  'returning revoke right rollback rollup row rows sample schema select semi sequence set ' +
  'sets show similar some sort stored summarize table tablesample temp temporary then ties ' +
  'to transaction true truncate unbounded union unique unpivot update use using values ' +
  'view when where window with within without';

/** Type names. */
export const sqlTypes =
  'array bigint binary bit blob bool boolean bytea char character date datetime decimal ' +
  'double enum float hugeint int integer json list long map numeric real smallint string ' +
  'struct text time timestamp timestamptz tinyint ubigint uinteger usmallint utinyint uuid ' +
  'varbinary varchar';

/** Common functions. */
export const sqlFunctions =
  'abs age any_value approx_count_distinct arg_max arg_min array_agg avg bool_and bool_or ' +
  'ceil ceiling coalesce concat concat_ws contains corr count cume_dist date_add date_diff ' +
  'date_format date_part date_sub date_trunc datediff dayname dense_rank epoch exp explode ' +
  'first_value floor from_unixtime generate_series greatest group_concat hash ifnull ' +
  'initcap instr isfinite isnan json_extract lag last_value lead least len length ' +
  'list_value ln log log10 log2 lower lpad ltrim make_date max md5 median min mod mode ' +
  'monthname now nth_value ntile nullif percent_rank percentile_cont percentile_disc ' +
  'position pow power quantile quantile_cont random range_agg rank read_csv read_csv_auto ' +
  'read_json read_parquet regexp_extract regexp_matches regexp_replace reverse round ' +
  'row_number row_to_json rpad rtrim sign split split_part sqrt stddev stddev_pop ' +
  'stddev_samp strftime string_agg string_split strptime substr substring sum to_date ' +
  'to_json to_timestamp trim trunc try_cast typeof unnest upper var_pop var_samp variance ' +
  'width_bucket';
