import { isInBlocks } from '../../collect/visitor.ts'
import { aPublicUrl, isPublicUrl } from '../../serve/public-url.ts'
import { Misuse } from '../told/misuse.ts'

/** A token of HTTP: RFC 9110, 5.6.2. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/

const rotations: readonly string[] = ['day', 'week', 'month']

/**
 * Throws a `Misuse` for a variable of the Worker with a typo. The Worker itself would continue: it would know visitors
 * for a month, count the owner's own visits, trust no proxy, refuse every event, or print tags that count nothing.
 */
export function refuseTypos(env: Readonly<Record<string, string | undefined>>): void {
  const { SALT_ROTATION: rotation } = env
  if (rotation && !rotations.includes(rotation)) {
    throw new Misuse(`SALT_ROTATION: Must be one of: ${rotations.join(', ')}.`)
  }
  const { CLIENT_IP_HEADER: header, PUBLIC_URL: url } = env
  if (header && !headerName.test(header)) throw new Misuse('CLIENT_IP_HEADER: Must be the name of a header.')
  if (url && !isPublicUrl(url)) throw new Misuse(`PUBLIC_URL: Must be ${aPublicUrl}.`)
  for (const name of ['IGNORE_IP', 'TRUSTED_PROXIES']) {
    const wrong = (env[name] || undefined)?.split(',').find((one) => !isInBlocks(one.trim().split('/')[0]!, one))
    if (wrong !== undefined) throw new Misuse(`${name}: ${wrong.trim()} is neither an address nor a CIDR block.`)
  }
}
