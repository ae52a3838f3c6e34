/** Type declarations of anywidget for frames. */

declare module 'anywidget';
