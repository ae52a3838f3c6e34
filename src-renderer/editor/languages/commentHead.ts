/**
 * The comment key in a prompt. Only the `#` lines before the text are not sent, so only there a line is made a remark
 * or, if it is one, text again: lines of the head, and the first line below them.
 * @param chosen first and last line of the selection, from 1
 * @returns the lines anew, or null where a remark cannot stand
 */
export function commentHead(
  lines: readonly string[],
  chosen: { readonly first: number; readonly last: number },
): readonly string[] | null {
  const above = lines.slice(0, chosen.first - 1);
  if (!above.every((line) => line.trim() === '' || isRemark(line))) return null;
  const asked = lines.slice(chosen.first - 1, chosen.last).filter((line) => line.trim() !== '');
  if (asked.length === 0) return null;
  const uncomment = asked.every(isRemark);
  return lines.map((line, at) => {
    if (at < chosen.first - 1 || at >= chosen.last || line.trim() === '') return line;
    return uncomment ? line.replace(/^(\s*)# ?/, '$1') : `# ${line}`;
  });
}

const isRemark = (line: string): boolean => line.trimStart().startsWith('#');
