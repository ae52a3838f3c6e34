/** The help text about where a user enters a secret of a SQL connection. */

/** How a user enters a secret of a connection's `auth`; `variable` is an example of a variable's name. */
export function secretPlaceText(key: string, variable: string): string {
  const reference = `\${${variable}}`;
  return `Set it under Connections in the Files panel. To keep it, enter a variable such as ${reference} (in notebook.toml: ${key} = "${reference}" under auth) and define the variable in the Environment panel or on the server. A value that you type there is only kept in memory until the notebook is closed.`;
}
