/** UI texts of the components in `ui/`: the parts of a dialog, a menu or a field that are the same at every use. */
export const PRIMITIVE_WORDS = {
  close: 'Close',
  cancel: 'Cancel',
  clear: 'Clear',
  dismiss: 'Dismiss',
  working: 'Working…',
  noNumber: 'Not a number',
  outside: (min: number | null, max: number | null): string =>
    min === null ? `At most ${max}` : max === null ? `At least ${min}` : `From ${min} to ${max}`,
  notifications: 'Messages',
  newMessage: 'Message',
  keyNames: {
    Mod: 'Control',
    ModMac: 'Command',
    Shift: 'Shift',
    Alt: 'Alt',
    AltMac: 'Option',
    next: 'then',
  },
} as const;
