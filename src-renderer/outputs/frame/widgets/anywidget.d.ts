declare module 'anywidget';
