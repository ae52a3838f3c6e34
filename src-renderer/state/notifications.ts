/** Notifications of the browser at the end of long runs. */

import { shellBridge } from './shellBridge.ts';

/** Shorter runs end before the user has turned to something else. */
const NOTIFY_FROM_SECONDS = 10;

/** `missing`: the browser has no notifications, or the page is not served securely. */
type Permission = NotificationPermission | 'missing';

/** Whether notifications may be shown. The desktop window shows its own and needs no permission. */
export function notificationPermission(): Permission {
  if (shellBridge() !== null) return 'granted';
  return 'Notification' in window ? window.Notification.permission : 'missing';
}

/** Requests the permission through the browser, which asks the user only once. */
export async function requestNotificationPermission(): Promise<Permission> {
  if (notificationPermission() !== 'default') return notificationPermission();
  return window.Notification.requestPermission();
}

/** Whether the end of a run of this length is announced. */
export function isAnnounced(run: {
  readonly seconds: number | null;
  readonly hidden: boolean;
  readonly wanted: boolean;
  readonly permission: Permission;
}): boolean {
  const { seconds, hidden, wanted, permission } = run;
  return wanted && hidden && permission === 'granted' && (seconds ?? 0) > NOTIFY_FROM_SECONDS;
}

/** Shows a notification; a click on it brings the window to the front. */
export function showNotification(title: string, body: string): void {
  const notification = new window.Notification(title, { body, tag: 'cellar-run' });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}
