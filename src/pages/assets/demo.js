/**
 * The slug of a share to show. `npm start` writes the slug of its demo website here.
 * @type {string | undefined}
 */
export const slug = undefined
