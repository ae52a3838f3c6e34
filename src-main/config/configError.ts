/** The program was configured in a way it refuses to start with. The message is for the person who did it. */
export class ConfigError extends Error {
  /** The variable to change, where one alone is wrong. */
  readonly variable: string | null;

  constructor(message: string, variable: string | null = null) {
    super(message);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}
