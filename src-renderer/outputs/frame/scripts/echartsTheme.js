/* ECharts in the colours of the window, for charts without a theme of their own. */
(() => {
  // Loaded by the loader that pyecharts expects (as a module), or as a global of the page.
  const library = typeof module === 'object' && module.exports?.init ? module.exports : window.echarts;
  const { init } = library;

  const axis = ({ quiet, line, soft }) => ({
    axisLine: { lineStyle: { color: line } },
    axisTick: { lineStyle: { color: line } },
    axisLabel: { color: quiet },
    nameTextStyle: { color: quiet },
    splitLine: { lineStyle: { color: soft } },
    splitArea: { areaStyle: { color: ['transparent', 'transparent'] } },
  });
  const themeFor = (theme) => {
    const { ink, quiet, line, scheme, family } = theme;
    const text = { color: ink };
    const axes = axis(theme);
    return {
      darkMode: scheme === 'dark',
      backgroundColor: 'transparent',
      textStyle: { color: ink, fontFamily: family },
      title: { textStyle: text, subtextStyle: { color: quiet } },
      legend: { textStyle: text, pageTextStyle: { color: quiet } },
      visualMap: { textStyle: text },
      timeline: { label: { color: quiet }, lineStyle: { color: line } },
      toolbox: { iconStyle: { borderColor: quiet } },
      dataZoom: { textStyle: { color: quiet } },
      categoryAxis: axes,
      valueAxis: axes,
      logAxis: axes,
      timeAxis: axes,
      radar: { axisName: { color: quiet }, splitLine: { lineStyle: { color: line } } },
    };
  };

  library.init = (place, theme, options) => {
    const isPlain =
      theme === undefined || theme === null || ['', 'white', 'light', 'default'].includes(theme);
    if (!isPlain || window.cellarTheme === undefined) return init(place, theme, options);
    // The width that pyecharts sets may exceed the output's.
    place.style.maxWidth = '100%';
    const chart = init(place, themeFor(window.cellarTheme), options);
    window.addEventListener('cellar-theme', ({ detail }) => {
      if (!chart.isDisposed()) chart.setTheme(themeFor(detail));
    });
    new ResizeObserver(() => chart.resize()).observe(place);
    return chart;
  };
})();
