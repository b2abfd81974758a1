/** A name of parts with dots between them: it breaks at the dots before it breaks within a part. */
export function Dotted({ children }: { children: string }) {
  return children.split(/(?<=\.)/).map((part, at) => (
    <span key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </span>
  ));
}
