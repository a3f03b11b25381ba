/** A wrong command line or variable. The exit code is 2. */
export class Misuse extends Error {}
