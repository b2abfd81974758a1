/** `./program.py?raw` imports a file as text: a program in another language. */
declare module '*?raw' {
  const text: string;
  export default text;
}
