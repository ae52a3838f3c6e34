/** The keywords, types and functions of each SQL dialect, for completion, and the names that must be quoted. */

import type { DriverName } from '../../../src-shared/sql/dialect.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * The keywords of the standard, and those that most of the five kinds of databases share. Types are listed separately.
 */
export const KEYWORDS: readonly string[] = words(`
  all alter analyze and any array as asc asof at attach begin between by call cascade case cast check
  collate column commit conflict constraint copy create cross current current_date current_time current_timestamp
  database default delete desc describe distinct do drop else end escape except exclude exists explain extract fetch
  filter first following for foreign from full function group grouping having if ilike in index inner insert intersect
  interval into is join key last lateral left like limit materialized merge natural no not nothing null nulls offset on
  only or order ordinality outer over partition pivot positional pragma preceding primary procedure qualify range
  recursive references replace returning revoke right rollback row rows sample schema select semi set sets show similar
  summarize table tablesample temp temporary then to transaction trigger truncate unbounded union unique unnest unpivot
  update using values view when where window with within without`);

export const TYPES: readonly string[] = words(`
  bigint binary bit blob bool boolean bytea bytes char character date datetime decimal double float
  float64 geography hugeint int int64 integer json jsonb map nchar number numeric nvarchar real serial smallint string
  struct text time timestamp timestamp_ntz timestamp_tz timestamptz tinyint ubigint uinteger uuid varbinary varchar
  variant`);

export const CONSTANTS: readonly string[] = ['true', 'false', 'null'];

/** Keywords of every dialect: offered for any connection. */
const COMMON = words(`
  all and as asc between by case cast cross current_date current_timestamp desc distinct else end except exists from
  full group having in inner intersect is join left like limit not null nulls offset on or order outer over partition
  recursive right rows select then true false union using values when where window with
  avg coalesce count max min sum abs round upper lower nullif row_number rank dense_rank lag lead first_value last_value
  insert into update set delete create table view drop alter explain default primary key`);

/** What each database understands in addition: keywords, types and the functions that queries use most. */
const OWN: Readonly<Record<DriverName, readonly string[]>> = {
  duckdb: words(`
    asof positional semi anti pivot unpivot qualify sample exclude replace ilike summarize describe show columns
    lateral unnest tablesample filter materialized copy attach install load pragma returning
    bigint blob boolean date decimal double float hugeint integer interval json list map real smallint struct
    time timestamp timestamptz tinyint ubigint uinteger uuid varchar
    read_csv read_parquet read_json list_aggregate list_transform string_agg date_trunc date_part strftime strptime
    regexp_matches regexp_extract regexp_replace approx_count_distinct median quantile_cont arg_max arg_min range
    generate_series struct_pack try_cast epoch`),
  sqlite: words(`
    collate glob pragma returning conflict abort ignore replace rowid without indexed vacuum reindex analyze
    integer real text blob numeric
    date time datetime julianday strftime unixepoch ifnull iif instr substr replace trim printf group_concat json_extract
    json_each json_group_array json_object total changes last_insert_rowid typeof`),
  postgresql: words(`
    ilike similar lateral returning conflict materialized filter within grouping sets cube rollup tablesample fetch first
    only interval array extract
    bigint boolean bytea char date decimal double precision integer json jsonb numeric real serial smallint text
    time timestamp timestamptz uuid varchar
    array_agg string_agg jsonb_agg json_agg jsonb_build_object date_trunc date_part to_char to_date to_timestamp now
    generate_series unnest regexp_replace regexp_matches split_part greatest least concat percentile_cont mode age`),
  snowflake: words(`
    qualify ilike rlike lateral flatten pivot unpivot sample top minus merge matched clone at before match_recognize
    show describe use call exclude rename
    array binary boolean date float geography number object string timestamp_ltz timestamp_ntz timestamp_tz variant
    varchar
    array_agg listagg object_construct parse_json try_cast to_date to_timestamp to_number to_varchar date_trunc dateadd
    datediff iff nvl zeroifnull regexp_substr split_part approx_count_distinct median convert_timezone`),
  bigquery: words(`
    qualify unnest except replace struct array pivot unpivot tablesample system for system_time of merge matched
    lateral interval extract ordinal safe_offset
    bignumeric bool bytes date datetime float64 geography int64 json numeric string time timestamp
    array_agg string_agg any_value approx_count_distinct countif safe_cast safe_divide date_trunc date_add date_diff
    format_date format_timestamp parse_date parse_timestamp timestamp_trunc timestamp_diff generate_array
    generate_date_array regexp_contains regexp_extract regexp_replace json_value json_query if ifnull logical_or
    farm_fingerprint to_json_string`),
};

/** The words that this kind of database understands, without duplicates; for null, an unknown kind, the common ones. */
export function wordsOf(driver: DriverName | null): readonly string[] {
  return driver === null ? COMMON : WORDS_OF[driver];
}

const WORDS_OF = Object.fromEntries(
  Object.entries(OWN).map(([driver, own]) => [driver, [...new Set([...COMMON, ...own])]]),
) as unknown as Readonly<Record<DriverName, readonly string[]>>; // the keys of OWN

/** Names that must be quoted anywhere, in at least one of the databases. */
export const RESERVED: ReadonlySet<string> = new Set(
  words(`
  all analyse analyze and any array as asc between by case cast check collate column constraint create cross
  current_date current_time current_timestamp default delete desc distinct do drop else end except exists false fetch
  for foreign from full grant group having in index inner insert intersect interval into is join lateral left like
  limit natural not null offset on or order outer over partition primary qualify references right select set some
  table then to true union unique update user using values when where window with`),
);
