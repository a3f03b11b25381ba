const directions = /[\u2066-\u2069\u202a-\u202e]/g

/** A name for the title of a tab. Isolated, so that its writing direction does not affect the text around it. */
export const nameInTitle = (name: string): string => `\u2068${name.replace(directions, '')}\u2069`
