import { startChartPage } from './chart-page.ts';

/** The library, which the page contains as a script of its own. */
declare const Plotly: {
  react(box: HTMLElement, data: unknown, layout: object, config: object): Promise<unknown>;
  addFrames(box: HTMLElement, frames: unknown): Promise<unknown>;
};

/** Rules that the library adds to the page when it loads; writing the output removes them. */
const sheet = [...document.styleSheets]
  .flatMap(({ cssRules }) => [...cssRules])
  .map(({ cssText }) => cssText)
  .join('');

startChartPage(async ({ data, layout, config, frames }, box) => {
  await Plotly.react(
    box,
    data,
    { autosize: true, ...(layout as object) },
    { responsive: true, displaylogo: false, ...(config as object) },
  );
  if (Array.isArray(frames)) await Plotly.addFrames(box, frames);
}, sheet);
