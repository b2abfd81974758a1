interface ReadOnlyCodeProps {
  code: string;
  label: string;
  rows: number;
  /** Id of the element that explains the code. */
  describedBy?: string;
}

/** Code to read or copy in a dialog, in a field of some lines. */
export function ReadOnlyCode({ code, label, rows, describedBy }: ReadOnlyCodeProps) {
  return (
    <textarea
      className="share-code"
      aria-label={label}
      aria-describedby={describedBy}
      readOnly
      spellCheck={false}
      wrap="off"
      rows={rows}
      value={code}
    />
  );
}
