/** A mistake in the command line or in an environment variable. The exit code is 2. */
export class Misuse extends Error {}
