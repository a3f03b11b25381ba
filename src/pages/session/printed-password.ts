/** The prefix of passwords that Weir generates and prints. The pages ask users to replace such a password. */
export const printedPrefix = 'weir_'
