/** Checks whether a text can be the name of a new Python variable. */

/** Keywords of Python, and builtins that a variable should not hide. */
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
   import in is lambda nonlocal not or pass raise return try while with yield
   bool bytes dict dir file filter float format hash help id input int iter len list map max min next object open print
   range round set sorted str sum super tuple type vars zip pd pl np`.split(/\s+/),
);

/** Whether a variable may have this name. */
export function isPythonName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && !RESERVED.has(text);
}
