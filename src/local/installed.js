// Runs before anything else, in any version of Node. If Weir cannot run, it explains why and exits. So it uses no
// package and no recent JavaScript feature.
import { existsSync, readFileSync } from 'node:fs'

const folder = new URL('../../', import.meta.url)
const { engines, dependencies } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))

/** `v20.19.1` as numbers. */
const numbersOf = (version) => /(\d+)\.(\d+)\.(\d+)/.exec(version).slice(1).map(Number)

const [major, minor, patch] = numbersOf(process.version)
const parts = engines.node.split(' || ').map((text) => ({ isCaret: text[0] === '^', least: numbersOf(text) }))
const isRight = parts.some(({ isCaret, least }) => {
  if (major !== least[0]) return !isCaret && major > least[0]
  return minor > least[1] || (minor === least[1] && patch >= least[2])
})
// `../` contains the packages beside Weir, if Weir itself is an installed package.
const isThere = (name) =>
  ['node_modules/', '../'].some((at) => existsSync(new URL(`${at}${name}/package.json`, folder)))
const missing = Object.keys(dependencies).filter((name) => !isThere(name))

if (!isRight) {
  const versions = parts.map(({ least }) => `${least[0]}.${least[1]}`).join(', ')
  console.error(`Weir needs Node ${versions} or newer. This is ${process.version}.`)
  process.exitCode = 1
} else if (missing.length > 0) {
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : ''
  console.error(`Packages are missing: ${missing[0]}${others}. Install them: npm ci`)
  process.exitCode = 1
}
