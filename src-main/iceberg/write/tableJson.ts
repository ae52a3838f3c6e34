import { isObject } from '../metadata/avroRecord.ts';

/** The metadata of an Iceberg table or a part of it, as exact JSON: unknown members are preserved. */
export type Json = Readonly<Record<string, unknown>>;

/** A member that is an object; an empty one if it is missing. */
export function objectIn(json: Json, key: string): Json {
  const value = json[key];
  return isObject(value) ? value : {};
}

/** A member that is a list of objects; an empty one if it is missing. */
export function objectsIn(json: Json, key: string): readonly Json[] {
  const value = json[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A member that is a whole number in the safe range, else `fallback`. */
export function numberIn(json: Json, key: string, fallback: number): number {
  const value = json[key];
  return typeof value === 'number' ? value : fallback;
}
