/** The version of Weir; that of package.json. */
export const version = '0.1.0'
