/** Recorded visits of a website. */
export interface Visits {
  readonly websiteId: string
  readonly visitIds: readonly string[]
}
