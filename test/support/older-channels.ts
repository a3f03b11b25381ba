/**
 * The channel of an event by older lists, which have the number 0. They are simpler than any real lists: tests need
 * only channels that differ from those of the current lists. `test/oracle/channels.ts` repeats them.
 */
export const olderChannelRules = "multiIf(fbclid != '', 'paidAds', referrer_domain != '', 'referral', 'direct')"
