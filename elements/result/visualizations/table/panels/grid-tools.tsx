import { Search, Settings2 } from 'lucide-react';
import { texts } from '../../../../text/set-texts.ts';
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
      <Button size="sm" icon={Search} label={texts.grid.search} onClick={onSearch} />
      <Button
        size="sm"
        icon={Settings2}
        label={texts.grid.options}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={onOptions}
      />
    </>
  );
}
