/** How fresh an answer must be. */
export interface Need {
  /** The reader wants every event inserted before this time. */
  readonly minAsOf?: number
  /** The answer continues an earlier page. */
  readonly origin?: Origin
}

/** Where a page came from: the replica and its watermark. */
export interface Origin {
  readonly replica?: string
  readonly asOf?: number
}

/** Whether this replica's data, as of this moment, is sufficient. */
export function meets({ replica, asOf = Number.NEGATIVE_INFINITY }: Origin, need: Need | undefined): boolean {
  if (!need) return true
  const { minAsOf = Number.NEGATIVE_INFINITY, origin } = need
  const continues = !origin || replica === origin.replica || (origin.asOf !== undefined && asOf >= origin.asOf)
  return asOf >= minAsOf && continues
}
