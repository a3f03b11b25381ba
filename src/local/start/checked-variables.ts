import { isInBlocks } from '../../collect/visitor.ts'
import { Misuse } from '../told/misuse.ts'

const rotations: readonly string[] = ['day', 'week', 'month']

/**
 * Throws a `Misuse` for a variable of the Worker with a typo. The Worker itself would continue: it would know visitors
 * for a month, count the owner's own visits, or trust no proxy.
 */
export function refuseTypos(env: Readonly<Record<string, string | undefined>>): void {
  const { SALT_ROTATION: rotation } = env
  if (rotation && !rotations.includes(rotation)) {
    throw new Misuse(`SALT_ROTATION: Must be one of: ${rotations.join(', ')}.`)
  }
  for (const name of ['IGNORE_IP', 'TRUSTED_PROXIES']) {
    const wrong = (env[name] || undefined)?.split(',').find((one) => !isInBlocks(one.trim().split('/')[0]!, one))
    if (wrong !== undefined) throw new Misuse(`${name}: ${wrong.trim()} is neither an address nor a CIDR block.`)
  }
}
