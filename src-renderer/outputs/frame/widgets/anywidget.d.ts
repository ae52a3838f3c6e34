/** Declares the package anywidget, which has no types; used by the script that draws widgets in frames. */

declare module 'anywidget';
