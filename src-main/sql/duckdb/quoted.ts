/** A text as DuckDB writes one. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as DuckDB writes one that may hold anything. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
