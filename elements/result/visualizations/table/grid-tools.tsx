import { Search, Settings2 } from 'lucide-react';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';

/** The buttons of the table view in the bar above it. */
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
