/** The header of a table with a row for names. `actions` names a last column for screen readers. */
export function TableHead({ names, actions }: { names: readonly string[]; actions?: string }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {actions === undefined ? null : (
          <th scope="col">
            <span className="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
