/** Icons of packages: an image, or a Font Awesome name as used by Zeppelin. */
import {
  AlignCenter,
  ChartArea,
  ChartBar,
  ChartColumn,
  ChartLine,
  ChartPie,
  Globe,
  LayoutGrid,
  type LucideIcon,
  MapPin,
  Network,
  Puzzle,
  Repeat,
  Table,
} from 'lucide-react';

const known: Readonly<Record<string, LucideIcon>> = {
  'align-center': AlignCenter,
  'area-chart': ChartArea,
  'bar-chart': ChartColumn,
  'bar-chart-o': ChartColumn,
  globe: Globe,
  'line-chart': ChartLine,
  'map-marker': MapPin,
  map: MapPin,
  'pie-chart': ChartPie,
  repeat: Repeat,
  'share-alt': Network,
  sitemap: Network,
  table: Table,
  tasks: ChartBar,
  th: LayoutGrid,
  'th-large': LayoutGrid,
};

const pictureFrom = (source: string): LucideIcon =>
  (({ className }: { className?: string }) => (
    <img className={className} src={source} alt="" width={16} height={16} />
  )) as unknown as LucideIcon;

/**
 * Returns the icon for a package's HTML snippet. The snippet is only rendered as an image source,
 * never as HTML of this page.
 */
export function packageIcon(markup: string | undefined): LucideIcon {
  const svg = /^\s*<svg\b[\s\S]*<\/svg>\s*$/i.test(markup ?? '') ? markup! : undefined;
  if (svg) {
    const source = /\sxmlns\s*=/.test(svg)
      ? svg
      : svg.replace(/<svg\b/i, '<svg xmlns="http://www.w3.org/2000/svg"');
    return pictureFrom(`data:image/svg+xml,${encodeURIComponent(source)}`);
  }
  const picture =
    /<img\b[^>]*\bsrc\s*=\s*["'](data:image\/(?:png|jpeg|gif|webp|svg\+xml)[^"']*)["']/i.exec(
      markup ?? '',
    )?.[1];
  if (picture) return pictureFrom(picture);
  const name = /\bfa-([\w-]+)/.exec(markup ?? '')?.[1] ?? '';
  return known[name] ?? Puzzle;
}
