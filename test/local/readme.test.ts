import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'
import { npm } from '../support/process.ts'

/** Tests the README's code blocks. Those marked `sh run` run in a shell, after the `export …` line of `npm start`. */

const readme = readFileSync(`${root}/README.md`, 'utf8')
const blocks = [...readme.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, mark, text]) => ({
  mark: mark!,
  text: text!,
}))
const commands = blocks.filter(({ mark }) => mark === 'sh run').map(({ text }) => text)

it('the README marks each code block as run, or says why it is not', () => {
  expect(commands.length).toBeGreaterThan(3)
  const others = blocks.map(({ mark }) => mark).filter((mark) => mark !== 'sh run')
  expect(others.filter((mark) => !/^(sh|json|html) not run: \w+ .+/.test(mark))).toEqual([])
})

it('the README begins with the purpose and the audience, followed by a picture and the command', () => {
  const places = ['who visits your website', 'for owners of', '<picture>', 'npm start'].map((one) =>
    readme.indexOf(one),
  )
  expect(places).toEqual(places.filter((place) => place > 0).sort((one, other) => one - other))
})

describe('a command in the README', () => {
  // Commands find the data in their checkout. This test uses a separate one, so they need no options.
  const checkout = mkdtempSync(`${tmpdir()}/weir-readme-`)
  let printed = ''

  beforeAll(async () => {
    const names = ['package.json', 'package-lock.json', 'tsconfig.json', 'wrangler.toml', 'src', 'sql', 'docs']
    for (const name of names) {
      const filter = (path: string) => !path.endsWith('/node_modules')
      cpSync(`${root}/${name}`, `${checkout}/${name}`, { recursive: true, filter })
    }
    symlinkSync(`${root}/node_modules`, `${checkout}/node_modules`)
    // Other tests and developers use the default ports, so the commands below get the printed port.
    const words = ['start', '--', '--port', '0', '--clickhouse-port', '0', '--demo-events', '1000']
    const { child, ended } = npm(words, process.env, checkout)
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', (more) => {
        printed += more
        if (printed.includes('Ctrl-C stops everything.')) resolve()
      })
      void ended.then(({ stderr }) => reject(new Error(stderr)))
    })
  })
  afterAll(() => rmSync(checkout, { recursive: true, force: true, maxRetries: 20 }))

  /** The output of a shell that runs the line from `npm start` and then this text. */
  const shell = (text: string): string => {
    const [line] = /^ *export KEY=.*$/m.exec(printed)!
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/websites/.exec(printed)!
    const script = `${line}\n${text.replaceAll(':8787', `:${port}`)}`
    return execFileSync('sh', ['-ec', script], { cwd: checkout, encoding: 'utf8', stdio: 'pipe' })
  }

  /** The names of the fields in a JSON text. */
  const fieldsOf = (json: string): string[] => [...json.matchAll(/"(\w+)":/g)].map(([, name]) => name!)

  it.each(commands.map((text) => [text.slice(0, 40), text]))('works when pasted: %s', (_, text) => {
    const said = shell(text)
    const answer = blocks.find(({ mark }) => mark.startsWith('json'))!.text
    if (text.includes('/events/stats')) expect(fieldsOf(said)).toEqual(fieldsOf(answer))
    else if (text.includes('website create')) expect(said).toMatch(/^[\da-f-]{36}$/m)
    else if (text.includes('/api/send')) expect(JSON.parse(said)).toHaveProperty('cache')
    else expect([text.includes('$CLICKHOUSE'), said]).toEqual([true, ''])
  })

  it('has sent an event, which the API counts together with another command’s event', async () => {
    const events = () => JSON.parse(shell(commands[0]!.replace('/events/stats?', '/metrics?type=event&path=/join&')))
    await expect.poll(events, { timeout: 20_000 }).toEqual([{ x: 'signup', y: 2 }])
  })
})
