/** How fresh an answer must be. */
export interface Need {
  /** The answer must include every event inserted before this time. */
  readonly minAsOf?: number
  /** The origin of the earlier page that the answer continues. */
  readonly origin?: Origin
}

/** Where a page came from: the replica and its watermark. */
export interface Origin {
  readonly replica?: string
  readonly asOf?: number
}

/** Whether the data that this replica has as of this time is sufficient. */
export function meets({ replica, asOf = Number.NEGATIVE_INFINITY }: Origin, need: Need | undefined): boolean {
  if (!need) return true
  const { minAsOf = Number.NEGATIVE_INFINITY, origin } = need
  const continues = !origin || replica === origin.replica || (origin.asOf !== undefined && asOf >= origin.asOf)
  return asOf >= minAsOf && continues
}
