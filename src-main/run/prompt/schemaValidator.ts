import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

export type SchemaFault = Pick<ErrorObject, 'instancePath' | 'message' | 'params'>;

/** A check of one schema (JSON Schema 2020-12): what is wrong with a value. In words where it is no schema. */
export function compileSchema(
  schema: Readonly<Record<string, unknown>>,
): ((value: unknown) => readonly SchemaFault[]) | string {
  // Formats are remarks in this draft, and words of other drafts are nobody's fault.
  const validator = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  try {
    const isValid = validator.compile(schema);
    return (value) => (isValid(value) ? [] : (isValid.errors ?? []));
  } catch (error) {
    // Broken patterns, references that lead out of it: all the writer's to mend.
    if (error instanceof Error) return error.message;
    throw error;
  }
}
