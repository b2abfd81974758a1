/** A stylesheet, as text; `sheet()` of the runtime turns it into a constructed sheet for a shadow root. */
declare module '*.css' {
  const text: string;
  export default text;
}
