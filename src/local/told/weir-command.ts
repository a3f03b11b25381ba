/**
 * The command that messages tell the user to run. The image and the script of `docs/one-server` set `WEIR_COMMAND`,
 * because nobody types `npm run` there.
 */
export const weirCommand = process.env.WEIR_COMMAND || 'npm run weir --'
