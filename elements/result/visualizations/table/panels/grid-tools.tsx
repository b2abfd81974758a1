import { Search, Settings2 } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import { gridTexts } from '../texts.ts';

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
