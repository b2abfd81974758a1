/* Page inside frames of charts: draws the description in the output with the page's library. */
import { failureOf, startFramePage } from './frame-page.ts';

/** Draws a chart into a box; called again when the colour scheme changes. */
type DrawChart = (
  description: Record<string, unknown>,
  box: HTMLElement,
  isDark: boolean,
) => Promise<unknown>;

const isDark = (): boolean => document.documentElement.style.colorScheme === 'dark';

/** Starts the page. If the chart can't be drawn, the output shows its fallback. */
export function startChartPage(draw: DrawChart, sheet = ''): void {
  startFramePage({
    sheet: `.chart{width:100%}${sheet}`,
    ready(_values, send) {
      const source = document.querySelector('tiding-chart > script');
      const chart = source?.parentElement;
      if (!source || !chart) return;
      const box = document.createElement('div');
      box.className = 'chart';
      const show = async (): Promise<void> => {
        try {
          await draw(JSON.parse(source.textContent ?? ''), box, isDark());
        } catch (error) {
          box.replaceWith(...fallback);
          observer.disconnect();
          send(failureOf(error));
        }
      };
      const fallback = [...chart.childNodes].filter((node) => node !== source);
      chart.replaceChildren(source, box);
      let before = isDark();
      const observer = new MutationObserver(() => {
        if (isDark() === before) return;
        before = !before;
        void show();
      });
      observer.observe(document.documentElement, { attributeFilter: ['style'] });
      void show();
    },
  });
}
