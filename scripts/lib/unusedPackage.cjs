// What packages ask for only where they are used in a way this program does not use them; see packageAliases.mjs.
throw new Error('The program was built without a package that something now asks for.');
