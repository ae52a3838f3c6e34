/* Draws a Plotly figure inside the frame of an output, in the colours of the window. */
(() => {
  window.cellarDraw ??= {};

  /** Whether a template is the default of Plotly's Python library. */
  const isPlain = (template) =>
    template === undefined ||
    template.layout === undefined ||
    (template.layout.plot_bgcolor === '#E5ECF6' && template.layout.paper_bgcolor === 'white');

  const axis = (own, { line, soft }) => ({
    ...own,
    gridcolor: soft,
    linecolor: line,
    zerolinecolor: line,
  });
  const sceneAxis = (own, theme) => ({
    ...axis(own, theme),
    backgroundcolor: 'rgba(0,0,0,0)',
    gridcolor: theme.line,
  });

  const themedTemplate = (template, theme) => {
    const own = template?.layout ?? {};
    const none = 'rgba(0,0,0,0)';
    return {
      ...template,
      layout: {
        colorway: [
          '#636efa',
          '#EF553B',
          '#00cc96',
          '#ab63fa',
          '#FFA15A',
          '#19d3f3',
          '#FF6692',
          '#B6E880',
          '#FF97FF',
          '#FECB52',
        ],
        ...own,
        paper_bgcolor: none,
        plot_bgcolor: none,
        font: { ...own.font, color: theme.ink, family: theme.family },
        modebar: { bgcolor: none, color: theme.quiet, activecolor: theme.ink },
        hoverlabel: { align: 'left', ...own.hoverlabel },
        xaxis: axis(own.xaxis, theme),
        yaxis: axis(own.yaxis, theme),
        polar: {
          ...own.polar,
          bgcolor: none,
          angularaxis: axis(own.polar?.angularaxis, theme),
          radialaxis: axis(own.polar?.radialaxis, theme),
        },
        ternary: {
          ...own.ternary,
          bgcolor: none,
          aaxis: axis(own.ternary?.aaxis, theme),
          baxis: axis(own.ternary?.baxis, theme),
          caxis: axis(own.ternary?.caxis, theme),
        },
        scene: {
          ...own.scene,
          xaxis: sceneAxis(own.scene?.xaxis, theme),
          yaxis: sceneAxis(own.scene?.yaxis, theme),
          zaxis: sceneAxis(own.scene?.zaxis, theme),
        },
        geo: {
          ...own.geo,
          bgcolor: none,
          landcolor: theme.soft,
          lakecolor: none,
          oceancolor: none,
          subunitcolor: theme.line,
          countrycolor: theme.line,
          coastlinecolor: theme.line,
          framecolor: theme.line,
        },
      },
    };
  };

  const layoutFor = (layout, theme) => {
    const template = isPlain(layout.template) ? themedTemplate(layout.template, theme) : layout.template;
    return { uirevision: 'cellar', ...layout, template };
  };

  /** For figures that a widget draws (widgets/plotlyWidgets.ts). */
  window.cellarPlotly = { templateFor: (layout, theme) => layoutFor(layout, theme).template };

  /**
   * Provides the outlines of countries for a figure's maps, which the library would otherwise load from the network.
   */
  const loadMaps = async (data, layout) => {
    window.PlotlyGeoAssets ??= { topojson: {} };
    const scopes = Object.entries(layout).filter(([key]) => /^geo\d*$/.test(key));
    const geos = scopes.map(([, geo]) => geo ?? {});
    if (geos.length === 0 && data.some(({ type }) => /^(choropleth|scattergeo)$/.test(type))) geos.push({});
    for (const { scope = 'world', resolution = 110 } of geos) {
      const name = `${String(scope).replaceAll(' ', '-')}_${resolution}m`;
      const answer = await window.cellarWant(`https://cdn.plot.ly/un/${name}.json`);
      if (answer !== null) window.PlotlyGeoAssets.topojson[name] = JSON.parse(answer.text);
    }
  };

  window.cellarDraw.plotly = async (figure, { place, theme }) => {
    const { Plotly } = window;
    const data = figure.data ?? [];
    const layout = figure.layout ?? {};
    if (layout.height === undefined) place.style.height = '450px';
    await loadMaps(data, layout);
    const config = { responsive: true, displaylogo: false, ...figure.config };
    await Plotly.newPlot(place, data, layoutFor(structuredClone(layout), theme), config);
    if (Array.isArray(figure.frames) && figure.frames.length > 0)
      await Plotly.addFrames(place, figure.frames);
    let shown = theme;
    return {
      recolour(now) {
        if (now.ink === shown.ink && now.scheme === shown.scheme) return;
        shown = now;
        const { template } = layoutFor(structuredClone(layout), now);
        void Plotly.relayout(place, { template });
      },
      async picture(format) {
        return window.cellarBlobOf(await Plotly.toImage(place, { format, scale: format === 'png' ? 2 : 1 }));
      },
    };
  };
})();
