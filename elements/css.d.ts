/**
 * A stylesheet as text; `sheet()` of the runtime converts it to a constructed sheet for a shadow
 * root.
 */
declare module '*.css' {
  const text: string;
  export default text;
}
