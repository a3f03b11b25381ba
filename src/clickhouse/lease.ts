/**
 * The lease of a turn or a place, in milliseconds. When a caller leaves, the runtime may drop the request's work, and
 * with it the code that would end the turn. So it expires soon, and the request renews it while it lives.
 */
export const lease = 3000
export const renewal = 1000
