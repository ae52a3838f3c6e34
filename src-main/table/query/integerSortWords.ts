/** Converts integers to the words by which a column is sorted, so that filters can compare them with its rows. */

import type { Column } from '../columns/column.ts';

/** The least and the greatest count that the order words of a column can represent. */
export function integerLimits(
  column: Column,
  words: number,
): { readonly least: bigint; readonly most: bigint } {
  const bits = BigInt(words * 32);
  const { type } = column;
  const signed = !(type.kind === 'bool' || (type.kind === 'int' && !type.signed));
  const least = signed ? -(1n << (bits - 1n)) : 0n;
  return { least, most: least + (1n << bits) - 1n };
}

/** A count in the form of `sortWords`, most significant word first; null beyond the limits. */
export function integerSortWords(column: Column, count: bigint, words: number): number[] | null {
  const { least, most } = integerLimits(column, words);
  return count < least || count > most ? null : keyWords(count - least, words);
}

/** The words of a distance from the least count. */
export function keyWords(distance: bigint, count: number): number[] {
  return Array.from({ length: count }, (_, at) =>
    Number(BigInt.asUintN(32, distance >> BigInt(32 * (count - 1 - at)))),
  );
}
