/** Compiles the JSON Schema of a prompt cell to a function that validates the model's replies. */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

export type SchemaFault = Pick<ErrorObject, 'instancePath' | 'message' | 'params'>;

/**
 * Compiles a schema (JSON Schema 2020-12) to a function that returns the faults of a value. Returns a message if the
 * schema is invalid.
 */
export function compileSchema(
  schema: Readonly<Record<string, unknown>>,
): ((value: unknown) => readonly SchemaFault[]) | string {
  // Formats are only annotations in this draft, and keywords of other drafts are not an error.
  const validator = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  try {
    const isValid = validator.compile(schema);
    return (value) => (isValid(value) ? [] : (isValid.errors ?? []));
  } catch (error) {
    // Invalid patterns, references outside the schema: for the author to fix.
    if (error instanceof Error) return error.message;
    throw error;
  }
}
