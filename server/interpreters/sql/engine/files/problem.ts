/** A file that can't be converted. The message continues the name of the file. */
export class FileProblem extends Error {}

/** A table that is left out. The message continues its name. */
export class TableProblem extends Error {}
