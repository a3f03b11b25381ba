const directions = /[\u2066-\u2069\u202a-\u202e]/g

/** A name for the title of a tab. Its direction of writing turns nothing around it, whatever characters it has. */
export const nameInTitle = (name: string): string => `\u2068${name.replace(directions, '')}\u2069`
