import { lowerCase } from './text.ts'

/** The primary subtag, such as `en` for `en-US` and `EN_gb`. */
export function primarySubtag(tag: string): string {
  return lowerCase(tag.split(/[-_]/)[0]!)
}
