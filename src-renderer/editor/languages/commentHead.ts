/** Comments and uncomments the lines at the head of a prompt cell, for the comment key. */

/**
 * What the comment key does in a prompt. Only the `#` lines before the text are left out of the request, so only these
 * lines and the first line after them can be commented or uncommented.
 * @param selection first and last line of the selection, from 1
 * @returns the new lines, or null if a comment is not possible there
 */
export function commentHead(
  lines: readonly string[],
  selection: { readonly first: number; readonly last: number },
): readonly string[] | null {
  const above = lines.slice(0, selection.first - 1);
  if (!above.every((line) => line.trim() === '' || isRemark(line))) return null;
  const selected = lines.slice(selection.first - 1, selection.last).filter((line) => line.trim() !== '');
  if (selected.length === 0) return null;
  const uncomment = selected.every(isRemark);
  return lines.map((line, at) => {
    if (at < selection.first - 1 || at >= selection.last || line.trim() === '') return line;
    return uncomment ? line.replace(/^(\s*)# ?/, '$1') : `# ${line}`;
  });
}

const isRemark = (line: string): boolean => line.trimStart().startsWith('#');
