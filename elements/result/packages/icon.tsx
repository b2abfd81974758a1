/** Icons of packages: a picture, or a name of the icon font that upstream's page has. */
import {
  ChartArea,
  ChartBar,
  ChartColumn,
  ChartLine,
  ChartPie,
  Globe,
  LayoutGrid,
  MapPin,
  Network,
  Puzzle,
  Repeat,
  Table,
  AlignCenter,
  type LucideIcon,
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

/** The icon of a package by its description, which is markup; it is shown as a picture, never as markup of this page. */
export function packageIcon(markup: string | undefined): LucideIcon {
  const svg = /^\s*<svg\b[^]*<\/svg>\s*$/i.test(markup ?? '') ? markup! : undefined;
  if (svg) {
    const source = /\sxmlns\s*=/.test(svg)
      ? svg
      : svg.replace(/<svg\b/i, '<svg xmlns="http://www.w3.org/2000/svg"');
    const address = `data:image/svg+xml,${encodeURIComponent(source)}`;
    const Picture = ({ className }: { className?: string }) => (
      <img className={className} src={address} alt="" width={16} height={16} />
    );
    return Picture as unknown as LucideIcon;
  }
  const picture =
    /<img\b[^>]*\bsrc\s*=\s*["'](data:image\/(?:png|jpeg|gif|webp|svg\+xml)[^"']*)["']/i.exec(
      markup ?? '',
    )?.[1];
  if (picture)
    return (({ className }: { className?: string }) => (
      <img className={className} src={picture} alt="" width={16} height={16} />
    )) as unknown as LucideIcon;
  const name = /\bfa-([\w-]+)/.exec(markup ?? '')?.[1] ?? '';
  return known[name] ?? Puzzle;
}
