/** Replaces packages that others load only for features this program does not use; see packageAliases.mjs. */

throw new Error('The program was built without a package that something now asks for.');
