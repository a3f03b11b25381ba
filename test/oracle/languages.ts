import { lowerCase } from './text.ts'

/** `en` of `en-US` and of `EN_gb`. */
export function primarySubtag(tag: string): string {
  return lowerCase(tag.split(/[-_]/)[0]!)
}
