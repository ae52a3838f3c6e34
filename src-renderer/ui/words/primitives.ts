/** What the primitives themselves say: the parts of a dialog, a menu, a field that every use shares. */
export const PRIMITIVE_WORDS = {
  close: 'Close',
  cancel: 'Cancel',
  clear: 'Clear',
  dismiss: 'Dismiss',
  working: 'Working…',
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
