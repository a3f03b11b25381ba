/**
 * The slug of a share for the reader to look at. `npm start` writes that of its demo website here.
 * @type {string | undefined}
 */
export const slug = undefined
