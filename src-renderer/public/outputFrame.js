/*
 * Runs inside the sandboxed frame of one active output (opaque origin, no network).
 * Waits for {kind: 'show', html | draw, text, scripts, theme}, inserts the html into this document and runs its
 * scripts, or draws the figure. Then it sends {kind: 'drawn'}, and {kind: 'height', px} whenever the height changes.
 * Scripts and styles that the output loads from the network are requested from the page by {kind: 'want', id, address},
 * as it has copies of well-known ones. Missing ones are reported by {kind: 'lacks', address}, as are URLs that the
 * policy of this document refuses. {kind: 'comm'} carries messages between widgets and their cell's process,
 * {kind: 'theme'} changes the colours, {kind: 'picture', id, format} requests a picture of the content.
 */
(() => {
  // A content security policy does not stop WebRTC connections (`Connection-Allowlist` does, in browsers that have it).
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name];
  const page = window.parent;
  const post = (message) => page.postMessage(message, '*');
  const isRemote = (address) => /^(https?:)?\/\//i.test(String(address).trim());
  const whole = (address) => String(address).trim().replace(/^\/\//, 'https://');

  const lacking = new Set();
  const lacks = (address) => {
    const named = whole(address).slice(0, 300);
    if (lacking.has(named) || lacking.size >= 20) return;
    lacking.add(named);
    post({ kind: 'lacks', address: named });
  };
  window.cellarLacks = lacks;
  document.addEventListener('securitypolicyviolation', (event) => {
    if (isRemote(event.blockedURI)) lacks(event.blockedURI);
  });

  const answers = new Map();
  let asked = 0;
  /** The page's copy of a URL as {text, type}, or null. */
  const want = (address) => {
    asked += 1;
    const id = asked;
    return new Promise((resolve) => {
      answers.set(id, resolve);
      post({ kind: 'want', id, address: whole(address) });
    }).then((answer) => {
      if (answer === null) lacks(address);
      return answer;
    });
  };
  window.cellarWant = want;
  const scriptAddress = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const styleAddress = (text) => `data:text/css;charset=utf-8,${encodeURIComponent(text)}`;

  /** Requests URLs that scripts set on new elements from the page as well. */
  const intercept = (kind, property, addressOf) => {
    const native = Object.getOwnPropertyDescriptor(kind.prototype, property);
    const given = new WeakMap();
    const set = (element, address) => {
      given.set(element, address);
      want(address).then((answer) => {
        if (given.get(element) !== address) return;
        // The copy may differ from the file whose digest the output names.
        element.removeAttribute('integrity');
        if (answer === null) element.dispatchEvent(new Event('error'));
        else native.set.call(element, addressOf(answer.text));
      });
    };
    Object.defineProperty(kind.prototype, property, {
      configurable: true,
      enumerable: true,
      get() {
        return given.get(this) ?? native.get.call(this);
      },
      set(address) {
        if (isRemote(address)) set(this, String(address));
        else native.set.call(this, address);
      },
    });
    const attribute = kind.prototype.setAttribute;
    kind.prototype.setAttribute = function setAttribute(name, value) {
      if (String(name).toLowerCase() === property && isRemote(value)) set(this, String(value));
      else attribute.call(this, name, value);
    };
  };
  intercept(HTMLScriptElement, 'src', scriptAddress);
  intercept(HTMLLinkElement, 'href', styleAddress);

  /** Pictures that scripts load from the network (map tiles) are only reported as missing, never requested. */
  const nativePicture = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
  Object.defineProperty(HTMLImageElement.prototype, 'src', {
    ...nativePicture,
    set(address) {
      if (!isRemote(address)) return nativePicture.set.call(this, address);
      const url = new URL(whole(address));
      // For the tiles of a map, only their server is reported.
      lacks(/\/\d+\/\d+\/\d+(?:@\dx)?(?:\.\w+)?$/.test(url.pathname) ? `${url.origin}/` : url.href);
      setTimeout(() => this.dispatchEvent(new Event('error')));
    },
  });

  const nativeFetch = window.fetch;
  /** Data from the network (Vega) is requested from the page like scripts, and reported if it is missing. */
  window.fetch = async (input, options) => {
    const address = String(input?.url ?? input);
    if (!isRemote(address)) return nativeFetch(input, options);
    const answer = await want(address);
    if (answer === null) throw new TypeError('Failed to fetch');
    return new Response(answer.text);
  };

  const dispatch = (element, names) =>
    new Promise((resolve) => {
      for (const name of names) element.addEventListener(name, resolve, { once: true });
    });

  /** Scripts inserted by innerHTML do not run, so each is replaced by a new element, after those before it have run. */
  const runScripts = async (scripts) => {
    for (const old of scripts) {
      const script = document.createElement('script');
      for (const { name, value } of old.attributes) script.setAttribute(name, value);
      script.textContent = old.textContent;
      script.async = false;
      const waits = old.hasAttribute('src') && !old.hasAttribute('async');
      const ended = waits ? dispatch(script, ['load', 'error']) : null;
      old.replaceWith(script);
      if (ended !== null) await ended;
    }
  };

  /** Whether a pyvis network has the library's default white background, and so no text colour of its own. */
  const isPlainNetwork = (inner) =>
    inner.querySelector('#mynetwork') !== null &&
    [...inner.querySelectorAll('style')].some(({ textContent }) =>
      /#mynetwork\s*\{[^}]*background-color:\s*#ffffff/i.test(textContent),
    );

  const styleSheets = (root) => [...root.querySelectorAll('link[rel~=stylesheet][href]')];

  /**
   * Provides the module loader that displays of pyecharts expect in the page: it runs scripts by the URLs in its
   * configuration. Other outputs get none, because many check whether the page has a loader.
   */
  const provideLoader = () => {
    const paths = {};
    const load = (name) =>
      want(`${paths[name] ?? name}.js`).then((answer) => {
        if (answer === null) throw new Error(`${name} is not available offline`);
        const module = { exports: {} };
        const run = new Function('module', 'exports', 'define', 'require', answer.text);
        run.call(window, module, module.exports, undefined, undefined);
        return module.exports;
      });
    window.require = (names, ready) =>
      Promise.all(names.map(load)).then(
        (modules) => ready(...modules),
        (error) => console.warn(error.message),
      );
    window.require.config = (config) => Object.assign(paths, config.paths);
  };

  /** A document inside an output (folium's map) cannot send requests to the page, so its files are written into it. */
  const inlined = async (text) => {
    const inner = new DOMParser().parseFromString(text, 'text/html');
    const wanted = [];
    for (const script of inner.querySelectorAll('script[src]')) {
      const address = script.getAttribute('src');
      if (!isRemote(address)) continue;
      wanted.push(
        want(address).then((answer) => {
          script.removeAttribute('src');
          // Inside HTML, the script's text must neither close the script element nor begin a comment.
          script.textContent = (answer?.text ?? '')
            .replaceAll(/<\/(?=script)/gi, '<\\/')
            .replaceAll('<!--', '<\\!--');
        }),
      );
    }
    for (const link of styleSheets(inner)) {
      const address = link.getAttribute('href');
      if (!isRemote(address)) continue;
      const style = inner.createElement('style');
      wanted.push(
        want(address).then((answer) => {
          style.textContent = answer?.text ?? '';
          link.replaceWith(style);
        }),
      );
    }
    // A map without tiles at least shows coasts and borders.
    const isMap = inner.querySelector('.folium-map, [class*=leaflet]') !== null;
    const world = isMap ? await want('https://cdn.plot.ly/un/world_50m.json') : null;
    await Promise.all(wanted);
    inner.documentElement.dataset.cellarScheme = theme.scheme;
    if (isPlainNetwork(inner)) {
      const style = inner.createElement('style');
      style.textContent =
        'html[data-cellar-scheme=dark]{color-scheme:dark}html[data-cellar-scheme=dark] :is(body,.card,#mynetwork)' +
        '{background:transparent!important;border-color:#4a4843!important}';
      inner.head.append(style);
      const recolour = inner.createElement('script');
      recolour.textContent =
        '(()=>{const dark="#e6e4df",light="#343434";const set=()=>{const scheme=document.documentElement.dataset.cellarScheme;' +
        'if(typeof network!=="undefined"&&network)network.setOptions({nodes:{font:{color:scheme==="dark"?dark:light}}})};' +
        'set();new MutationObserver(set).observe(document.documentElement,{attributeFilter:["data-cellar-scheme"]})})()';
      inner.body.append(recolour);
    }
    const reporter = inner.createElement('script');
    reporter.textContent =
      (world === null ? '' : `window.cellarWorld=${world.text};`) +
      "window.addEventListener('message',(e)=>{if(e.source===window.parent&&e.data?.kind==='scheme')document.documentElement.dataset.cellarScheme=e.data.scheme});" +
      "window.cellarLacks=(a)=>window.parent.postMessage({kind:'lacks',address:String(a)},'*');" +
      "document.addEventListener('securitypolicyviolation',(e)=>{if(/^https?:/.test(e.blockedURI))window.cellarLacks(e.blockedURI)})";
    inner.head.prepend(reporter);
    return `<!doctype html>${inner.documentElement.outerHTML}`;
  };

  let last = 0;
  let formats = '';
  const report = () => {
    const now = pictures().join();
    if (now !== formats) {
      formats = now;
      post({ kind: 'pictures', formats: now === '' ? [] : now.split(',') });
    }
    const px = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (px === last) return;
    last = px;
    post({ kind: 'height', px });
  };

  let theme = null;
  let drawing = null;
  const recolour = (given) => {
    theme = given;
    const style = document.documentElement.style;
    // Important: an output's own colour scheme would otherwise give light text a white background.
    style.setProperty('color-scheme', theme.scheme, 'important');
    document.documentElement.dataset.theme = theme.scheme;
    // The class by which DataTables (itables) and other libraries recognise a dark page.
    document.documentElement.classList.toggle('dark', theme.scheme === 'dark');
    document.body.style.color = theme.ink;
    document.body.style.font = theme.font;
    style.setProperty('--cellar-ink', theme.ink);
    style.setProperty('--cellar-quiet', theme.quiet);
    style.setProperty('--cellar-line', theme.line);
    style.setProperty('--cellar-soft', theme.soft);
    style.setProperty('--cellar-accent', theme.accent);
    window.cellarTheme = theme;
    // scikit-learn's diagrams detect the theme only once, when they are shown.
    for (const diagram of document.querySelectorAll('.sk-top-container:is(.light, .dark)')) {
      diagram.classList.toggle('dark', theme.scheme === 'dark');
      diagram.classList.toggle('light', theme.scheme !== 'dark');
    }
    drawing?.recolour(theme);
    recolourBokeh();
    darkenTextOnLight();
    for (const frame of document.querySelectorAll('iframe')) {
      frame.contentWindow?.postMessage({ kind: 'scheme', scheme: theme.scheme }, '*');
    }
    window.dispatchEvent(new CustomEvent('cellar-theme', { detail: theme }));
  };

  const lightness = (color) => {
    const [red, green, blue, alpha = 1] = (color.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    return alpha < 0.5 ? null : 0.3 * red + 0.59 * green + 0.11 * blue;
  };
  /** Marks pygal charts that have the white background of the library's default style. */
  const markPlainCharts = () => {
    for (const chart of document.querySelectorAll('svg.pygal-chart')) {
      const ground = chart.querySelector('.background');
      const isWhite = ground !== null && (lightness(getComputedStyle(ground).fill) ?? 0) > 245;
      chart.classList.toggle('cellar-plain', isWhite || chart.classList.contains('cellar-plain'));
    }
  };
  const DARKENED = new Set();
  /** Darkens the text of table cells that have a light background but no text colour (highlights of pandas' Styler). */
  const darkenTextOnLight = () => {
    for (const cell of DARKENED) cell.style.color = '';
    DARKENED.clear();
    if (theme.scheme !== 'dark') return;
    for (const cell of [...document.querySelectorAll('td, th')].slice(0, 2_000)) {
      const { backgroundColor, color } = getComputedStyle(cell);
      const ground = lightness(backgroundColor);
      if (ground === null || ground < 140 || lightness(color) < 140) continue;
      cell.style.color = '#1a1a1a';
      DARKENED.add(cell);
    }
  };

  const OWN_COLORS = new WeakMap();
  const WHITE = ['#ffffff', 'white', '#fff'];
  const DARK = ['#444444', '#000000', 'black', '#5b5b5b', '#333333'];
  const PALE = ['#e5e5e5', '#e2e2e2', '#cccccc', '#bbbbbb', ...DARK];
  /** The window's colour for a property with the library's default. Null: transparent. Undefined: the value stays. */
  const colorFor = (type, name, value) => {
    const now = String(value).toLowerCase();
    if (/^(background|border)_fill_color$/.test(name)) return WHITE.includes(now) ? null : undefined;
    if (/text_color$/.test(name)) return DARK.includes(now) ? theme.ink : undefined;
    if (!/line_color$/.test(name) || !PALE.includes(now)) return undefined;
    return /Grid/.test(type) ? theme.soft : theme.line;
  };
  /** Gives Bokeh (and HoloViews) figures with default colours the window's colours. */
  const recolourBokeh = () => {
    for (const one of window.Bokeh?.documents ?? []) {
      for (const model of one._all_models?.values() ?? one.all_models ?? []) {
        const type = String(model.type ?? '');
        if (!/(Figure|Plot|Axis|Grid|Legend|Title|ColorBar)$/.test(type)) continue;
        const own = OWN_COLORS.get(model) ?? {};
        OWN_COLORS.set(model, own);
        const next = {};
        for (const { attr } of model) {
          if (!attr.endsWith('_color')) continue;
          own[attr] ??= model[attr]?.value ?? model[attr];
          const color = colorFor(type, attr, own[attr]);
          if (color !== undefined) next[attr] = color;
        }
        if (Object.keys(next).length > 0) model.setv(next);
      }
    }
  };
  /** Recolours repeatedly for a while, because Bokeh embeds its documents some time after its script ran. */
  const followBokeh = (left) => {
    if (window.Bokeh === undefined || left === 0) return;
    recolourBokeh();
    report();
    setTimeout(followBokeh, 200, left - 1);
  };

  const showHtml = async (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    // A refresh would only show an empty frame, because the page's policy forbids frames to navigate elsewhere.
    for (const meta of template.content.querySelectorAll('meta[http-equiv], base')) meta.remove();
    // Removed: page icons and manifests, and a polyfill that Panel loads by a path on its own server.
    const needless = 'link[rel*=icon], link[rel=manifest], script[src*=es-module-shims]';
    for (const one of template.content.querySelectorAll(needless)) one.remove();
    for (const link of styleSheets(template.content)) {
      const address = link.getAttribute('href');
      if (!isRemote(address)) continue;
      const style = document.createElement('style');
      link.replaceWith(style);
      want(address).then((answer) => {
        style.textContent = answer?.text ?? '';
      });
    }
    for (const frame of template.content.querySelectorAll('iframe[srcdoc]')) {
      const text = frame.getAttribute('srcdoc');
      frame.removeAttribute('srcdoc');
      inlined(text).then((inner) => {
        frame.setAttribute('srcdoc', inner);
      });
    }
    for (const script of template.content.querySelectorAll('svg script')) {
      const address = script.getAttribute('href') ?? script.getAttribute('xlink:href');
      if (address === null || !isRemote(address)) continue;
      script.remove();
      lacks(address);
    }
    const scripts = [...template.content.querySelectorAll('script')];
    if (scripts.some((script) => /\brequire\(\s*\[\s*['"]echarts['"]/.test(script.textContent)))
      provideLoader();
    document.body.append(template.content);
    await runScripts(scripts);
    // Scripts may wait for these events, which the document fired before they were inserted.
    document.dispatchEvent(new Event('DOMContentLoaded'));
    window.dispatchEvent(new Event('load'));
    markPlainCharts();
    darkenTextOnLight();
    followBokeh(15);
  };

  /**
   * Settles when the typeface has loaded: figures measure text only once, so it must be there before they are drawn.
   */
  let typeface = null;
  /** Messages of a cell's process that arrived before its widgets were drawn. */
  const early = [];
  const showFigure = async ({ draw, text: data, scripts, live = null }) => {
    for (const text of await Promise.all(scripts.map((blob) => blob.text()))) {
      const script = document.createElement('script');
      // Inline, not by a URL that differs per frame: Chromium then compiles the script once for all frames with
      // the same URL, and compiling takes most of the time in which a figure is drawn.
      script.textContent = text;
      document.head.append(script);
      script.remove();
    }
    await typeface;
    const place = document.createElement('div');
    place.id = 'figure';
    document.body.append(place);
    try {
      const drawn = await window.cellarDraw[draw](JSON.parse(data), {
        place,
        theme,
        lacks,
        live,
        send: (message) => post({ kind: 'comm', message }),
      });
      drawing = drawn;
      for (const message of early.splice(0)) drawing.receive(message);
      // The colours may have changed while drawing.
      drawing.recolour(theme);
    } catch (error) {
      post({ kind: 'failed', why: String(error?.message ?? error).slice(0, 500) });
    }
  };

  /** The elements that match a selector, including those in open shadow trees. */
  const deep = (root, selector) => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap((one) =>
      one.shadowRoot === null ? [] : deep(one.shadowRoot, selector),
    ),
  ];
  const area = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width * height;
  };
  const largest = (elements) =>
    elements.reduce((best, one) => (area(one) > (best === null ? 900 : area(best)) ? one : best), null);
  const plotlyPlace = () => (window.Plotly === undefined ? null : document.querySelector('.js-plotly-plot'));

  /** The picture formats in which this output can be saved. */
  function pictures() {
    if (drawing?.picture !== undefined || plotlyPlace() !== null) return ['png', 'svg'];
    if (largest(deep(document, 'canvas')) !== null) return ['png'];
    return largest(deep(document, 'svg')) === null ? [] : ['png', 'svg'];
  }

  const svgText = (svg) => {
    const { width, height } = svg.getBoundingClientRect();
    const copy = svg.cloneNode(true);
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('width', String(width));
    copy.setAttribute('height', String(height));
    copy.style.color = theme.ink;
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  };
  const pngOfSvg = async (svg) => {
    const { text, width, height } = svgText(svg);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * 2);
    canvas.height = Math.ceil(height * 2);
    const context = canvas.getContext('2d');
    context.scale(2, 2);
    context.drawImage(image, 0, 0, width, height);
    return pngOf(canvas);
  };
  const pngOf = (canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  /** Merges the stacked canvases of which a figure may consist. */
  const merged = (canvas) => {
    const box = canvas.getBoundingClientRect();
    const layers = deep(document, 'canvas').filter((one) => {
      const other = one.getBoundingClientRect();
      return Math.abs(other.left - box.left) < 2 && Math.abs(other.top - box.top) < 2 && area(one) > 0;
    });
    const whole = document.createElement('canvas');
    whole.width = canvas.width;
    whole.height = canvas.height;
    const context = whole.getContext('2d');
    for (const layer of layers) context.drawImage(layer, 0, 0, whole.width, whole.height);
    return whole;
  };

  /** The picture of this output as a Blob. */
  const pictureOf = async (format) => {
    if (drawing?.picture !== undefined) return drawing.picture(format);
    const plot = plotlyPlace();
    if (plot !== null) {
      const address = await window.Plotly.toImage(plot, { format, scale: format === 'png' ? 2 : 1 });
      return blobOf(address);
    }
    const canvas = largest(deep(document, 'canvas'));
    if (canvas !== null) return pngOf(merged(canvas));
    const svg = largest(deep(document, 'svg'));
    return format === 'png' ? pngOfSvg(svg) : new Blob([svgText(svg).text], { type: 'image/svg+xml' });
  };
  const blobOf = (address) => {
    const comma = address.indexOf(',');
    const head = address.slice(5, comma);
    const body = address.slice(comma + 1);
    const type = head.split(';')[0];
    if (!head.includes('base64')) return new Blob([decodeURIComponent(body)], { type });
    return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type });
  };
  window.cellarBlobOf = blobOf;

  /** Lighter replacements for the dark terminal colours that rich writes for a white background. */
  const DARK_TERMINAL = [
    ['800000', 'f2897f'],
    ['008000', '7fc97f'],
    ['808000', 'd6c56b'],
    ['000080', '86a8f5'],
    ['0000ff', '86a8f5'],
    ['800080', 'd79ae0'],
    ['008080', '5fc4c4'],
  ]
    .map(([now, next]) => `[data-theme=dark] pre [style*="color: #${now}"]{color:#${next}!important}`)
    .join('');

  const LETS_PLOT = '[data-theme=dark] .plt-container:has(>g>path:first-child[fill="rgb(255,255,255)"])';
  const LETS_PLOT_DARK =
    `${LETS_PLOT}>g>path:first-child{fill:transparent!important}` +
    // White rectangles of the legend; the data's own shapes are clipped, so they do not match.
    `${LETS_PLOT} rect[fill="rgb(255,255,255)"]:not([clip-path] *){fill:transparent!important;stroke:none!important}` +
    `${LETS_PLOT} [stroke="rgb(233,233,233)"]{stroke:var(--cellar-soft)!important}` +
    `${LETS_PLOT} line[stroke="rgb(71,71,71)"]{stroke:var(--cellar-quiet)!important}` +
    `${LETS_PLOT} :is([class^=plot-],[class^=axis-text],[class^=axis-title],[class^=legend-]){fill:var(--cellar-ink)!important}`;

  let shown = false;
  const begin = (message) => {
    shown = true;
    recolour(message.theme);
    const style = document.createElement('style');
    style.textContent =
      // The frame takes the height of its content; a page that fills its window (Bokeh) would never grow beyond it.
      'html,body{height:auto!important}html{overflow-x:auto;overflow-y:hidden}body{margin:0;overflow-wrap:break-word}svg,img{max-width:100%;height:auto}' +
      // Defaults only: `:where` has no specificity, so an output's own styles take precedence.
      ':where(table){border-collapse:collapse;border:0;font-size:12px;line-height:18px;font-variant-numeric:tabular-nums}' +
      ':where(th,td){padding:3px 14px 3px 0;border:0;border-bottom:1px solid var(--cellar-soft);text-align:left}' +
      ':where(th){font-weight:500;color:var(--cellar-quiet)}:where(thead th){border-bottom-color:var(--cellar-line)}' +
      ':where(table.dataframe) :where(th,td){text-align:right;white-space:nowrap}:where(table.dataframe) :where(th:first-child){text-align:left}' +
      ':where(tbody tr:last-child) :where(th,td){border-bottom:0}:where(.dataframe + p){margin:6px 0 0;font-size:11px;color:var(--cellar-quiet)}' +
      'a{color:var(--cellar-accent)}' +
      // great_tables sets a font, a background and colours for every part.
      '.gt_table{font-family:inherit!important}' +
      // pygal charts in the library's default style.
      '[data-theme=dark] .pygal-chart.cellar-plain :is(.background,.plot_background){fill:transparent!important}' +
      '[data-theme=dark] .pygal-chart.cellar-plain{background:transparent!important}' +
      '[data-theme=dark] .pygal-chart.cellar-plain text:not(.value){fill:var(--cellar-ink)!important}' +
      '[data-theme=dark] .pygal-chart.cellar-plain :is(.guide,.axis .line){stroke:var(--cellar-line)!important}' +
      // The bluish background of DataTables (itables).
      'html:root.dark{--dt-html-background:transparent!important}' +
      // Lets-Plot figures with the library's white background.
      LETS_PLOT_DARK +
      // bqplot's axes, which are dark on its dark background.
      '[data-theme=dark] .bqplot>svg .axis :is(.tick text,.axislabel){fill:var(--cellar-quiet)!important}' +
      '[data-theme=dark] .bqplot>svg .axis .domain{stroke:var(--cellar-quiet)!important}' +
      '[data-theme=dark] .bqplot>svg .plotarea_background{fill:transparent!important}' +
      '[data-theme=dark] :is(.gt_table,.gt_heading,.gt_title,.gt_subtitle,.gt_col_headings,.gt_col_heading,.gt_column_spanner,.gt_group_heading,.gt_stub,.gt_sourcenotes,.gt_footnotes){background-color:transparent!important;color:inherit!important}' +
      '[data-theme=dark] :is(.gt_table,.gt_heading,.gt_title,.gt_subtitle,.gt_col_headings,.gt_col_heading,.gt_group_heading,.gt_table_body,.gt_row,.gt_bottom_border){border-color:var(--cellar-line)!important}' +
      DARK_TERMINAL;
    document.head.append(style);
    const isFigure = message.draw !== undefined;
    const done = isFigure ? showFigure(message) : showHtml(message.html);
    const follow = () => {
      new ResizeObserver(report).observe(document.documentElement);
      report();
    };
    // Until a figure is drawn, its frame keeps the height that the page expects.
    if (!isFigure) follow();
    done.then(isFigure ? follow : report).finally(() => post({ kind: 'drawn' }));
  };

  window.addEventListener('message', (event) => {
    const message = event.data;
    if (event.source !== page) {
      // From a document inside this output.
      if (message?.kind === 'lacks' && isRemote(message.address)) lacks(message.address);
      return;
    }
    if (message?.kind === 'show' && !shown) begin(message);
    if (message?.kind === 'theme') recolour(message.theme);
    if (message?.kind === 'comm') {
      for (const one of message.messages) {
        if (drawing === null) early.push(one);
        else drawing.receive?.(one);
      }
    }
    if (message?.kind === 'got') {
      const { id, blob } = message;
      const resolve = answers.get(id);
      answers.delete(id);
      if (blob === null) resolve?.(null);
      else blob.text().then((text) => resolve?.({ text }));
    }
    if (message?.kind === 'font') {
      const face = new FontFace(message.family, message.bytes, { weight: '100 900' });
      typeface = face.load().then(
        () => document.fonts.add(face),
        () => undefined,
      );
    }
    if (message?.kind === 'picture') {
      const { id, format } = message;
      pictureOf(format).then(
        (blob) => post({ kind: 'picture', id, blob }),
        () => post({ kind: 'picture', id, blob: null }),
      );
    }
  });
  document.addEventListener('DOMContentLoaded', () => post({ kind: 'ready' }), { once: true });
})();
