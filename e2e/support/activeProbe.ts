/**
 * An output that attempts everything active content must not do (network, storage, navigation and so on), for browser
 * tests.
 */

/** Things that an output may attempt; each attempt writes its outcome into its own element. */
export const ACTIVE_PROBE = `
class Active:
    def _repr_html_(self):
        return '''
          <p id="text">not run</p>
          <dl>
            <dd id="origin"></dd><dd id="parent"></dd><dd id="top"></dd><dd id="storage"></dd><dd id="eval"></dd>
            <dd id="fetch"></dd><dd id="socket"></dd><dd id="image"></dd><dd id="script"></dd>
          </dl>
          <script>document.getElementById('text').textContent = 'changed by its script';</script>
          <script>
            const say = (id, word) => { document.getElementById(id).textContent = word; };
            const attempt = (id, act) => { try { say(id, String(act())); } catch (error) { say(id, error.name); } };
            attempt('origin', () => self.origin);
            attempt('parent', () => parent.document.title);
            attempt('top', () => { top.location = 'about:blank'; return 'moved'; });
            attempt('storage', () => localStorage.length);
            attempt('eval', () => eval('6 * 7'));
            const address = new URL('/health', location.href).href;
            fetch(address, { mode: 'no-cors' }).then(() => say('fetch', 'open'), () => say('fetch', 'closed'));
            attempt('socket', () => {
              const socket = new WebSocket(address.replace('http', 'ws'));
              socket.onopen = () => say('socket', 'open');
              socket.onerror = () => say('socket', 'closed');
              return '';
            });
            const image = new Image();
            image.onload = () => say('image', 'open');
            image.onerror = () => say('image', 'closed');
            image.src = new URL('/icon.svg?probe', location.href).href;
            const script = document.createElement('script');
            script.onload = () => say('script', 'open');
            script.onerror = () => say('script', 'closed');
            script.src = new URL('/assets/probe.js', location.href).href;
            document.head.append(script);
          </script>'''

Active()
`;

/** The expected outcome of each attempt, in the order of the elements. */
export const PROBE_RESULTS: readonly string[] = [
  'origin null',
  'parent SecurityError',
  'top SecurityError',
  'storage SecurityError',
  'eval 42',
  'fetch closed',
  'socket closed',
  'image closed',
  'script closed',
];
