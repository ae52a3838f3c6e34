/** Finds the variable names in strings that a library or Python looks up, such as `df.query("price > @limit")`. */

/** The names in `price > @limit`, as `DataFrame.query` and `DataFrame.eval` read it. */
export function atNames(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?<![\p{L}\p{N}_@])@([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = '']) => name);
}

/** Every bare name of an expression such as `a + 2 * b`, as `pandas.eval`, numexpr and formulas read it. */
export function expressionNames(text: string): readonly string[] {
  const plain = text.replace(/"[^"]*"|'[^']*'/g, ' ');
  return Array.from(plain.matchAll(/(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = '']) => name);
}

/** The names in a format string: `{name}`, `{name.attribute}` and `{name[0]:>3}`. */
export function formatNames(text: string): readonly string[] {
  const plain = text.replaceAll('{{', '').replaceAll('}}', '');
  return Array.from(plain.matchAll(/\{([\p{L}_][\p{L}\p{N}_]*)/gu), ([, name = '']) => name);
}

/** The names in a %-format string: `%(name)s`. */
export function percentNames(text: string): readonly string[] {
  return Array.from(text.matchAll(/%\(([\p{L}_][\p{L}\p{N}_]*)\)/gu), ([, name = '']) => name);
}

/** The names in a `string.Template`: `$name` and `${name}`. */
export function templateNames(text: string): readonly string[] {
  return Array.from(text.replaceAll('$$', '').matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name = '']) => name);
}

/** Matches the words that may precede a table. */
const BEFORE_TABLE =
  /^(from|join|into|table|update|describe|desc|summarize|show|pivot|pivot_wider|pivot_longer|unpivot|using)$/i;
/** Words between such a word and the table. */
const SKIPPED = /^(lateral|only|if|not|exists|table|view)$/i;
/** Matches the words that end a list of tables. */
const AFTER_TABLES =
  /^(select|where|group|order|having|limit|offset|union|except|intersect|window|qualify|returning|values|set|sample)$/i;

/** Whether a text is probably a SQL statement. */
export function isLikelySql(text: string): boolean {
  return /^[\s(]*(--.*\n\s*)*(select|with|from|insert|update|delete|create|describe|summarize|pivot|unpivot|copy|table)\b/i.test(
    text,
  );
}

/** Names that SQL may use as tables. Libraries such as DuckDB also look them up as variables. */
export function sqlTableNames(text: string): readonly string[] {
  const plain = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').replace(/'(?:[^']|'')*'/g, "''");
  const tokens = plain.match(/"(?:[^"]|"")*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_$]*|[(),.;]|\S/gu) ?? [];
  const names = new Set<string>();
  const lists: boolean[] = [];
  let isExpected = false;
  let isInList = false;
  for (const [at, token] of tokens.entries()) {
    if (token === '(') {
      lists.push(isInList);
      isInList = false;
    } else if (token === ')') {
      isInList = lists.pop() ?? false;
      isExpected = false;
    } else if (token === ',') isExpected = isInList;
    else if (BEFORE_TABLE.test(token) && !(isExpected && tokens[at + 1] === ',')) {
      isExpected = true;
      isInList = true;
    } else if (AFTER_TABLES.test(token)) {
      isExpected = false;
      isInList = false;
    } else if (isExpected && !SKIPPED.test(token)) {
      isExpected = false;
      const next = tokens[at + 1];
      const name = /^["`]/.test(token) ? token.slice(1, -1) : token;
      if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && next !== '.' && next !== '(') names.add(name);
    }
  }
  return [...names];
}
