import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { weir as command } from '../support/commands.ts'
import type { Ended } from '../support/run-command.ts'

/** Runs a command that must open neither D1 nor ClickHouse. */
const refused = (words: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  command(words.split(' ').filter(Boolean), {
    dataDir: '/proc/none/weir',
    env,
    openMetadata: () => Promise.reject(new Error('D1 was opened.')),
  })

const commands = [
  ...['serve', 'backup', 'restore', 'upgrade'],
  ...['migrate', 'access', 'check', 'rebuild', 'purge', 'engine', 'heartbeat', 'seal', 'cache purge', 'send'],
  ...['set-aside', 'damaged-log', 'dashboard rows'],
  ...['deploy', 'undeploy', 'compare umami', 'export umami', 'import umami'],
  ...[
    'website create',
    'website list',
    'website delete',
    'person export',
    'person erase',
    'key create',
    'key list',
    'key delete',
  ],
  ...['user create', 'user list', 'user password', 'user reset-two-factor', 'user delete'],
]

/** The beginning of a help line about a command. */
const listed = /^ {2}(?! )(?!--)([a-z-]+(?: [a-z-]+)?)/gm

describe('help', () => {
  it('lists all commands, and exits with an error only if it was not requested', async () => {
    const help = await refused('--help')
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect([...help.stdout.matchAll(listed)].map(([, name]) => name)).toEqual(commands)
    expect(help.stdout).toContain('--data-dir DIR')
    expect(await refused('')).toEqual({ code: 2, stdout: '', stderr: help.stdout })
    expect((await refused('key')).stderr).toMatch(/^Usage: npm run weir -- key COMMAND/)
  })

  it.each(commands)('begins with the usage, which includes all flags: %s', async (name) => {
    const { code, stdout, stderr } = await refused(`${name} --help`)
    expect([code, stderr]).toEqual([0, ''])
    const [usage = '', ...rest] = stdout.split('\n')
    expect(usage).toMatch(new RegExp(`^Usage: npm run weir -- ${name}( |$)`))
    const own = rest.join('\n').split('Flags of all commands:')[0]!
    const flags = [...own.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag!)
    expect(flags.filter((flag) => !usage.includes(flag))).toEqual(['--help'])
  })
})

describe('an invalid command line', () => {
  it.each(commands)('is refused before D1 or ClickHouse is opened: %s', async (name) => {
    for (const rest of ['--nonsense', 'one two three']) {
      const { code, stdout, stderr } = await refused(`${name} ${rest}`)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^(Unknown option|Too many arguments|--\w+ \w+ is missing|one is not a table)/)
    }
  })

  it.each([
    ['websit', 'Did you mean website?'],
    ['website creat', 'Did you mean create?'],
    ['chek', 'Did you mean check?'],
    ['check --wesbite x', "Unknown option '--wesbite'. Did you mean --website?"],
    ['website create --nmae x', 'Did you mean --name?'],
    ['website list --data-dri x', 'Did you mean --data-dir?'],
    ['website list --name x', "Unknown option '--name'."],
    [
      'website create --name --domain a.example',
      "Option --name NAME argument '--domain' is invalid. It needs a value.",
    ],
    ['website create --name', 'Option --name NAME has no value.'],
    ['website create --domain=', 'It is empty.'],
    ['website list extra', 'Expected 0 arguments but got 1.'],
    ['key delete', "Missing required argument 'ID'."],
    ['website delete', "Missing required argument 'ID'."],
    ['website delete nonsense', 'ID: Must be an id'],
    ['send --name x', '--website UUID is missing.'],
    ['check nonsense', 'nonsense is not a table to compare.'],
  ])('%s is explained', async (words, message) => {
    const { code, stdout, stderr } = await refused(words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it('gets advice about -- if npm has taken its flags for its own', async () => {
    const env = {
      ...{ npm_config_name: 'My website', npm_config_domain: 'true', npm_config_yes: '', npm_config_json: 'true' },
    }
    expect(await refused('website create a.example', env)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'npm took --name and --domain as its own. Put -- before everything that is for Weir: npm run weir -- … --name …\n',
    })
    expect((await refused('website create --name=a --domain', env)).stderr).not.toContain('npm took')
  })
})

describe('the data folder', () => {
  it('is reported with the reason if it cannot be created', async () => {
    const file = `${mkdtempSync(`${tmpdir()}/weir-file-`)}/file`
    writeFileSync(file, '')
    const made = (dataDir: string) =>
      command(['website', 'create', '--name', 'x', '--domain', 'x.example'], { dataDir })
    const below = `${file}/below`
    expect(await made(below)).toEqual({
      ...{ code: 1, stdout: '', stderr: `${below} cannot be created: part of the path is a file (ENOTDIR).\n` },
    })
    expect((await made(file)).stderr).toBe(`${file} cannot be created: a file is in its place (EEXIST).\n`)
  })

  it('is relative to the folder in which npm was called', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-here-`)
    const env = { INIT_CWD: folder }
    const made = await command(['website', 'create', '--name', 'x', '--domain', 'x.example'], {
      dataDir: 'in/here',
      env,
    })
    expect(made.code).toBe(0)
    expect(existsSync(`${folder}/in/here`)).toBe(true)
  })
})
