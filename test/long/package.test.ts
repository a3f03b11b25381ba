import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'
import { startBrowser } from '../support/browser.ts'
import { goNewcomersWay } from '../support/newcomer.ts'
import { started } from '../support/process.ts'

/** A folder like the one that `npx <tarball>` creates: Weir next to other packages, here those of this checkout. */
let installed: string
/** An empty folder in which Weir is started. */
let empty: string

beforeAll(() => {
  installed = mkdtempSync(`${tmpdir()}/weir-package-`)
  empty = mkdtempSync(`${tmpdir()}/weir-empty-`)
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', installed]
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim()
  mkdirSync(`${installed}/node_modules/weir`, { recursive: true })
  const into = ['-C', `${installed}/node_modules/weir`, '--strip-components', '1']
  execFileSync('tar', ['-xzf', `${installed}/${tarball}`, ...into])
  for (const name of readdirSync(`${root}/node_modules`).filter((one) => !/^(\.|@weir$)/.test(one))) {
    symlinkSync(`${root}/node_modules/${name}`, `${installed}/node_modules/${name}`)
  }
})

afterAll(() => {
  for (const folder of [installed, empty]) rmSync(folder, { recursive: true, force: true })
})

const weir = (...words: string[]) =>
  started(process.execPath, [`${installed}/node_modules/weir/src/local/bin.js`, ...words], process.env, empty)

it('weir runs from its tarball in an empty folder, keeps its data there, and leads a newcomer to a share', async () => {
  const running = weir('start', '--json', '--port', '0', '--clickhouse-port', '0', '--no-demo')
  const printed = JSON.parse(await running.firstLine) as Record<'url' | 'username' | 'password', string>
  const { url } = printed
  expect(await (await fetch(`${url}/ready`)).json()).toEqual({ ok: true })
  const pages = ['/', '/websites', '/docs/api.md', '/script.js', '/assets/swagger-ui-bundle.js']
  const answers = await Promise.all(pages.map((page) => fetch(url + page)))
  expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
  const made = await weir('website', 'create', '--name', 'Mine', '--domain', 'example.com').ended
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(`${url}/script.js`)])
  const browser = await startBrowser()
  await goNewcomersWay(browser, printed).finally(() => browser.close())
  running.child.kill('SIGTERM')
  await running.ended
  expect(existsSync(`${empty}/.weir/clickhouse`)).toBe(true)
})
