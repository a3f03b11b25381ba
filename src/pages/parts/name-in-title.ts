const directions = /[\u2066-\u2069\u202a-\u202e]/g

/**
 * A name for use in a tab's title. It is isolated, so that its writing direction does not affect the surrounding text.
 */
export const nameInTitle = (name: string): string => `\u2068${name.replace(directions, '')}\u2069`
