import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { weir as command, expectPrivateFile } from '../support/commands.ts'
import { metadata } from '../support/metadata.ts'
import { insert } from '../support/people.ts'
import type { Ended } from '../support/run-command.ts'
import { type Reply, send } from '../support/weir.ts'

const weir = (words: readonly string[], password?: string): Promise<Ended> =>
  command(words, { env: password === undefined ? {} : { WEIR_PASSWORD: password } })

const login = (username: string, password: string): Promise<Reply> =>
  send('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

describe('npm run weir -- user', () => {
  it('creates and lists a user, changes the password, and deletes the user', async () => {
    const username = `Ada "quoted" ${randomUUID()}`
    const created = await weir(['user', 'create', '--username', username, '--role', 'view-only'])
    const id = created.stdout.trim()
    const [password = ''] = created.stderr.split('\n')
    expect(password).toMatch(/^weir_[\w-]{24}$/)
    const { status, body } = await login(username, password)
    expect([status, body.user]).toMatchObject([200, { id, username, role: 'view-only' }])
    const again = await weir(['user', 'create', '--username', username.toUpperCase(), '--role', 'admin'])
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'A user with this username already exists.\n' })

    const listed = (await weir(['user', 'list'])).stdout
    expect(listed).toContain(`${id}  ${username}  view-only  created 2`)
    expect(listed).not.toMatch(/scrypt/)

    const changed = await weir(['user', 'password', username.toLowerCase()], 'from the environment')
    expect(changed).toMatchObject({ code: 0, stderr: '' })
    expect((await login(username, password)).status).toBe(401)
    expect((await login(username, 'from the environment')).status).toBe(200)

    const row = { user_id: id, secret: 'sealed', created_at: 1, confirmed_at: 1 }
    await insert('two_factors', row)
    expect((await login(username, 'from the environment')).body).toHaveProperty('partialToken')
    for (const said of ['Reset. The password alone is now enough to sign in.\n', 'This user has no second factor.\n']) {
      expect(await weir(['user', 'reset-two-factor', username])).toMatchObject({ code: 0, stdout: said })
    }
    expect((await login(username, 'from the environment')).status).toBe(200)

    expect((await weir(['user', 'delete', username])).stderr).toContain('Add --yes')
    expect((await weir(['user', 'delete', username, '--yes'])).code).toBe(0)
    const read = "SELECT action, fields, actor_kind AS kind FROM audit_entries WHERE subjects = json_object('id', ?1)"
    const { results } = await metadata.prepare(`${read} ORDER BY id`).bind(id).all()
    const entry = (action: string, ...fields: string[]) => ({
      action,
      fields: JSON.stringify(fields),
      kind: 'operator',
    })
    expect(results).toEqual([
      entry('weir user create', 'username', 'role'),
      ...['password', 'reset-two-factor'].map((word) => entry(`weir user ${word}`)),
      entry('weir user delete', 'yes'),
    ])
    expect((await weir(['user', 'list'])).stdout).not.toContain(id)
    expect((await login(username, 'from the environment')).status).toBe(401)
    for (const command of ['delete', 'password']) {
      const gone = await weir(['user', command, username])
      expect(gone).toMatchObject({
        ...{ code: 1, stdout: '', stderr: `There is no user ${username}. See: npm run weir -- user list\n` },
      })
    }
  })

  it('writes the statement for a remote D1 to a private file, without the password', async () => {
    const username = `it's ?1 ${randomUUID()}`
    const password = 'a chosen password'
    const words = ['user', 'create', '--username', username, '--role', 'admin', '--sql']
    const { stdout, stderr } = await weir(words, password)
    const file = expectPrivateFile(stdout)
    expect(stdout + stderr + file).not.toContain(password)
    expect(stdout + stderr).not.toContain('scrypt')
    expect(stderr).toContain('--file')
    expect((await weir(['user', 'list'])).stdout).not.toContain(username)
    await metadata.prepare(file).run()
    expect((await login(username, password)).body.user).toMatchObject({ username, role: 'admin' })
  })

  it('explains errors', async () => {
    const refused = await weir(['user', 'create', '--username', 'x', '--role', 'root', '--id', 'x'], 'short')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toBe('WEIR_PASSWORD: Must be a text of 8 to 256 characters.\n')
    const second = await weir(['user', 'create', '--username', 'x', '--role', 'root', '--id', 'x'], 'long enough')
    expect(second.stderr).toMatch(/^--id: Must be an id.*\n--role: Must be one of: admin, user, view-only\.\n$/)
    expect(await weir(['user', 'delete'])).toMatchObject({
      code: 2,
      stderr: "Missing required argument 'NAME'.\nUsage: npm run weir -- user delete NAME [--yes]\n",
    })
  })
})
