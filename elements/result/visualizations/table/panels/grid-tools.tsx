import { Search, Settings2 } from 'lucide-react';
import { gridTexts } from '../../../../text/results/data-grid.ts';
import { Button } from '../../../../ui/button.tsx';

/** Toolbar buttons of the table view. */
export function GridTools({
  onSearch,
  onOptions,
  open,
}: {
  onSearch: () => void;
  onOptions: () => void;
  open: boolean;
}) {
  return (
    <>
      <Button size="sm" icon={Search} label={gridTexts.search} onClick={onSearch} />
      <Button
        size="sm"
        icon={Settings2}
        label={gridTexts.options}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={onOptions}
      />
    </>
  );
}
