import { startChartPage } from './chart-page.ts';

/** The library, which the page contains as a script of its own. */
declare const Plotly: {
  react(box: HTMLElement, data: unknown, layout: object, config: object): Promise<unknown>;
  addFrames(box: HTMLElement, frames: unknown): Promise<unknown>;
};

startChartPage(async ({ data, layout, config, frames }, box) => {
  await Plotly.react(
    box,
    data,
    { autosize: true, ...(layout as object) },
    { responsive: true, displaylogo: false, ...(config as object) },
  );
  if (Array.isArray(frames)) await Plotly.addFrames(box, frames);
});
