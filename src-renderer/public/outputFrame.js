/*
 * Runs inside the sandboxed frame of one active output (opaque origin, no network).
 * Waits for {kind: 'show', html, theme}, puts the html into this document with its scripts running, and reports
 * {kind: 'height', px} whenever it grows or shrinks. Later {kind: 'theme'} messages recolour it.
 */
(() => {
  // No policy of a page's forbids these a way to other hosts (`Connection-Allowlist` does, where it is known).
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name];
  let shown = false;
  let last = 0;
  const report = () => {
    const px = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (px === last) return;
    last = px;
    window.parent.postMessage({ kind: 'height', px }, '*');
  };
  const recolour = (theme) => {
    const style = document.documentElement.style;
    style.colorScheme = theme.scheme;
    document.documentElement.dataset.theme = theme.scheme;
    document.body.style.color = theme.ink;
    document.body.style.font = theme.font;
    style.setProperty('--cellar-ink', theme.ink);
    style.setProperty('--cellar-quiet', theme.quiet);
    style.setProperty('--cellar-line', theme.line);
    style.setProperty('--cellar-soft', theme.soft);
    style.setProperty('--cellar-accent', theme.accent);
  };
  const show = (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    // A refresh would only lead to an empty frame: the page's policy lets no frame go elsewhere.
    for (const meta of template.content.querySelectorAll('meta[http-equiv], base')) meta.remove();
    // Scripts that come by innerHTML never run: each is made anew, in order.
    for (const old of template.content.querySelectorAll('script')) {
      const script = document.createElement('script');
      for (const attribute of old.attributes) script.setAttribute(attribute.name, attribute.value);
      script.textContent = old.textContent;
      script.async = false;
      old.replaceWith(script);
    }
    document.body.append(template.content);
  };
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent) return;
    const message = event.data;
    if (message?.kind === 'theme') recolour(message.theme);
    if (message?.kind !== 'show' || shown) return;
    shown = true;
    recolour(message.theme);
    const style = document.createElement('style');
    style.textContent =
      'html{overflow-x:auto;overflow-y:hidden}body{margin:0;overflow-wrap:break-word}svg,img{max-width:100%;height:auto}' +
      // Only what a page of the output's own does not style: `:where` weighs nothing.
      ':where(table){border-collapse:collapse;border:0;font-size:12px;line-height:18px;font-variant-numeric:tabular-nums}' +
      ':where(th,td){padding:3px 14px 3px 0;border:0;border-bottom:1px solid var(--cellar-soft);text-align:left}' +
      ':where(th){font-weight:500;color:var(--cellar-quiet)}:where(thead th){border-bottom-color:var(--cellar-line)}' +
      ':where(table.dataframe) :where(th,td){text-align:right;white-space:nowrap}:where(table.dataframe) :where(th:first-child){text-align:left}' +
      ':where(tbody tr:last-child) :where(th,td){border-bottom:0}:where(.dataframe + p){margin:6px 0 0;font-size:11px;color:var(--cellar-quiet)}' +
      'a{color:var(--cellar-accent)}';
    document.head.append(style);
    new ResizeObserver(report).observe(document.documentElement);
    show(message.html);
    report();
  });
  document.addEventListener('DOMContentLoaded', () => window.parent.postMessage({ kind: 'ready' }, '*'));
})();
