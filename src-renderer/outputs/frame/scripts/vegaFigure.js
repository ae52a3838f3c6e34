/* Draws a Vega or Vega-Lite specification inside the frame of an output, in the colours of the window. */
(() => {
  window.cellarDraw ??= {};

  const titled = ({ ink, quiet, family }) => ({
    labelColor: quiet,
    titleColor: ink,
    labelFont: family,
    titleFont: family,
    titleFontWeight: 500,
  });
  /** A Vega configuration in the window's colours; settings in the specification take precedence. */
  const configFor = (theme) => ({
    background: 'transparent',
    font: theme.family,
    view: { stroke: theme.soft },
    title: { color: theme.ink, subtitleColor: theme.quiet, font: theme.family, fontWeight: 600 },
    axis: { ...titled(theme), gridColor: theme.soft, domainColor: theme.line, tickColor: theme.line },
    legend: titled(theme),
    header: titled(theme),
    mark: theme.scheme === 'dark' ? { color: '#7aa7e8' } : {},
    text: { color: theme.ink },
    rule: { color: theme.quiet },
  });

  window.cellarDraw.vega = async (spec, { place, theme }) => {
    let view = null;
    let shown = null;
    const draw = async (now) => {
      shown = now;
      const options = {
        ...spec.usermeta?.embedOptions,
        actions: false,
        config: configFor(now),
        tooltip: { theme: now.scheme },
        defaultStyle: true,
      };
      const { view: drawn, finalize } = await window.vegaEmbed(place, spec, options);
      view = { drawn, finalize };
    };
    await draw(theme);
    return {
      recolour(now) {
        if (now.ink === shown.ink && now.scheme === shown.scheme) return;
        view?.finalize();
        void draw(now);
      },
      async picture(format) {
        if (format === 'svg') return new Blob([await view.drawn.toSVG()], { type: 'image/svg+xml' });
        return window.cellarBlobOf(await view.drawn.toImageURL('png', 2));
      },
    };
  };
})();
