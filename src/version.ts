/** The version of Weir, as in package.json. */
export const version = '1.0.0'
