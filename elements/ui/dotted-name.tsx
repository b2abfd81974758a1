/** A dotted name that wraps at its dots first, and only then inside a part. */
export function DottedName({ children }: { children: string }) {
  return children.split(/(?<=\.)/).map((part, at) => (
    <span key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </span>
  ));
}
