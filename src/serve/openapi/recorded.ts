/** What each report answers to its example. Made by `npx vitest run test/every-endpoint.test.ts -u`. */
export const recordedAnswers = (): Readonly<Record<string, unknown>> => ({})
