/** The product's mark. */
export function Mark() {
  return (
    <svg className="brand-mark" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8.1" />
      <path d="M1.9 10.6c2.2-2.3 5.2-2.5 8.1-.4s5.9 1.9 8.1-.4A8.1 8.1 0 0 1 10 18.1a8.1 8.1 0 0 1-8.1-7.5Z" />
    </svg>
  );
}
