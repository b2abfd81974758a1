import { startChartPage } from './chart-page.ts';

/** The library, which the page contains as a script of its own. */
declare const mermaid: {
  initialize(config: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
};

/** Returns a custom property as `#rrggbb`, because the library computes with colours. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = getComputedStyle(probe).color;
  probe.remove();
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part!.toString(16).padStart(2, '0')).join('')}`;
}

/** Size of labels, in px. */
const FONT_SIZE = 13;

startChartPage(async ({ source }, box, isDark) => {
  const [text, surface, border] = [
    colour('--_text'),
    colour('--_surface-hover'),
    colour('--_border-control'),
  ];
  mermaid.initialize({
    startOnLoad: false,
    // Labels have no HTML of the source, and links no scripts.
    securityLevel: 'strict',
    // The page shows the source and the reason instead.
    suppressErrorRendering: true,
    theme: 'base',
    fontSize: FONT_SIZE,
    look: 'classic',
    themeVariables: {
      darkMode: isDark,
      background: colour('--_surface'),
      fontFamily: 'var(--_font-sans)',
      fontSize: `${FONT_SIZE}px`,
      edgeLabelBackground: colour('--_surface'),
      primaryColor: surface,
      primaryTextColor: text,
      primaryBorderColor: border,
      secondaryColor: colour('--_surface-sunken'),
      tertiaryColor: colour('--_surface-sunken'),
      lineColor: border,
      textColor: text,
    },
  });
  const { svg } = await mermaid.render('diagram', String(source));
  box.innerHTML = svg;
});
