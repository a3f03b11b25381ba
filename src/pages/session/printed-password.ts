/** What passwords begin with that Weir makes and prints. Whoever signs in with one is asked for one of their own. */
export const printedPrefix = 'weir_'
