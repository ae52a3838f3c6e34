/** The refusals of the server's artifact store: a code, and a message for the client. */
/** Why the artifact store refuses a request. */
export type RegistryErrorCode = 'invalid' | 'not_found' | 'conflict' | 'forbidden' | 'unavailable';

/** An expected refusal of the artifact store. The message is shown to the client. */
export class RegistryError extends Error {
  readonly code: RegistryErrorCode;

  constructor(code: RegistryErrorCode, message: string) {
    super(message);
    this.name = 'RegistryError';
    this.code = code;
  }
}

/** The refusal when no ready version has the provenance; the answer carries a header that says so. */
export class ProvenanceMiss extends RegistryError {
  constructor() {
    super('not_found', 'Artifact not found');
    this.name = 'ProvenanceMiss';
  }
}
