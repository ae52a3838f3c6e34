/** A configuration with which the program refuses to start. The message is for the administrator. */
export class ConfigError extends Error {
  /** The variable to change, if only one is wrong. */
  readonly variable: string | null;

  constructor(message: string, variable: string | null = null) {
    super(message);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}
