/** How a user enters a secret of a connection's `auth`; `variable` is an example of a variable's name. */
export function whereASecretGoes(key: string, variable: string): string {
  const reference = '$' + `{${variable}}`;
  return `Give it under Connections in the files panel: as a variable, like ${reference} (in notebook.toml: ${key} = "${reference}" under auth), whose value you add to the variables of this notebook (Environment panel) or of the server; or typed; then it stays only in memory and you enter it again after the next opening.`;
}
