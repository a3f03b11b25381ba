import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { post, put } from '../support/callers.ts'
import { codeAt, wrongCodes } from '../support/codes.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { insert, member, newPerson, newTeam, password, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs } from '../support/signed-in.ts'
import { get, running, send } from '../support/weir.ts'

const part = (page: Page, heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: heading, exact: true }) })

/** The status of a sign-in attempt. */
async function signInStatus(username: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password })
  return (await send('/api/auth/login', { method: 'POST', headers, body })).status
}

/** Shows the list items that contain this unique word. */
async function find(page: Page, heading: string, label: string, word: string) {
  const section = part(page, heading)
  const search = section.getByLabel(label, { exact: true })
  // A list with only one page has no search field.
  await section.getByRole('listitem').first().waitFor()
  if ((await search.count()) > 0) {
    await search.fill(word)
    await search.press('Enter')
    await expect.poll(() => section.getByRole('listitem').filter({ hasNotText: word }).count()).toBe(0)
  }
  return section.getByRole('listitem').filter({ hasText: word })
}

it('an admin creates a user, changes their role and password, and deletes them', async () => {
  const admin = await newPerson({ role: 'admin' })
  const username = `made-${randomUUID()}`
  const { page, faults, close } = await openAs(browser, admin, '/websites')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const users = part(page, 'Users')
  await users.getByRole('button', { name: 'New user' }).click()
  await users.locator('form').last().getByLabel('User name').fill(username)
  await users.getByLabel('Password').fill('first password')
  await users.getByLabel('Role').selectOption('View only')
  await users.getByRole('button', { name: 'Create' }).press('Enter')
  await users.getByRole('button', { name: 'New user' }).waitFor()
  expect(await signInStatus(username, 'first password')).toBe(200)
  const item = await find(page, 'Users', 'User name', username)
  await item.getByText('View only').waitFor()
  await item.getByRole('button', { name: `Edit ${username}` }).click()
  await item.getByLabel('New password').fill('second password')
  await item.getByLabel('Role').selectOption('Admin')
  await expectForEveryone(page, 'the change of a user')
  await item.getByRole('button', { name: 'Save' }).press('Enter')
  await item.locator('.mark-of', { hasText: 'Admin' }).waitFor()
  expect(await signInStatus(username, 'first password')).toBe(401)
  expect(await signInStatus(username, 'second password')).toBe(200)
  await item.getByRole('button', { name: 'Delete' }).press('Enter')
  await item.getByText('Their websites and keys are deleted, too').waitFor()
  await item.getByRole('button', { name: 'Delete' }).press('Enter')
  await item.waitFor({ state: 'detached' })
  expect((await get('/api/users', { search: username })).body.count).toBe(0)
  // Users cannot delete themselves.
  await page.reload()
  const own = await find(page, 'Users', 'User name', admin.username)
  await own.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await own.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

it('a user who needs a second factor sets it up, prints the codes, and signs in with them', async () => {
  const person = await newPerson()
  const rule = `/api/admin/users/${person.id}/2fa`
  expect((await post(rule, { required: true })).status).toBe(200)
  const { page, faults, close } = await openAs(browser, person, '/websites')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/account')
  const section = part(page, 'Second factor')
  await section.getByText('You must have a second factor').waitFor()
  await section.getByRole('button', { name: 'Set up' }).click()
  const code = section.getByLabel('Code', { exact: true })
  await expect.poll(() => page.evaluate('document.querySelector(".qr-code")?.naturalWidth')).toBeGreaterThan(100)
  const secret = (await section.locator('pre').textContent())!
  await expectForEveryone(page, 'the key of a second factor')
  await code.fill(wrongCodes(secret, Date.now())[0]!)
  await page.keyboard.press('Enter')
  await section.getByText('Code: Is wrong').waitFor()
  await code.fill(codeAt(secret, Date.now()))
  await page.keyboard.press('Enter')
  await section.getByText('They are not shown again.').waitFor()
  const [backup, another] = (await section.locator('pre').textContent())!.split('\n') as [string, string]
  await expectForEveryone(page, 'the backup codes')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Change password' }).isVisible()).toBe(false)
  expect(await page.getByText(backup).isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await section.getByRole('button', { name: 'I have kept them' }).click()

  const signIn = async (second: string) => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('User name').fill(person.username)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from your app').fill(second)
    await page.keyboard.press('Enter')
  }
  await signIn(codeAt(secret, Date.now() + 30_000))
  await part(page, 'Second factor').getByText('On', { exact: true }).waitFor()
  await signIn('wrong')
  await page.getByText('Code: Is wrong').waitFor()
  await expectForEveryone(page, 'the second step')
  await page.getByLabel('Code from your app').fill(backup)
  await page.keyboard.press('Enter')
  await section.getByLabel('Your password').fill(password)
  await code.fill(another)
  await section.getByRole('button', { name: 'Switch off' }).click()
  await section.getByRole('button', { name: 'Set up' }).waitFor()
  expect(faults.filter((fault) => !/40[013]/.test(fault))).toEqual([])
  await close()
})

it('a member joins a team with its access code', async () => {
  const [owner, person] = [await newPerson(), await newPerson()]
  const team = await newTeam(owner)
  const { page, close } = await openAs(browser, person, '/account')
  for (const [code, said] of [
    ['nothing', 'There is no team with this access code.'],
    [team.accessCode, 'You are in the team'],
  ] as const) {
    await page.getByLabel('Access code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByText(said).waitFor()
  }
  const after = await get('/api/admin/teams', { search: team.name })
  expect(after.body.data[0].members.map(({ userId }: { userId: string }) => userId)).toContain(person.id)
  await close()
})

it('an admin creates and renames a team, adds, changes and removes a member, and deletes the team', async () => {
  const [admin, person] = [await newPerson({ role: 'admin' }), await newPerson()]
  const [name, renamed] = [`Team ${randomUUID()}`, `Other ${randomUUID()}`]
  const { page, faults, close } = await openAs(browser, admin, '/users')
  const teams = part(page, 'Teams')
  await teams.getByRole('button', { name: 'New team' }).click()
  await teams.getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await teams.getByRole('button', { name: 'New team' }).waitFor()
  const made = await find(page, 'Teams', 'Name of the team', name)
  await made.getByRole('button', { name: 'Rename' }).click()
  await made.getByLabel('Name', { exact: true }).fill(renamed)
  await page.keyboard.press('Enter')
  const item = await find(page, 'Teams', 'Name of the team', renamed)
  await item.getByText('choose “Transfer website”').waitFor()
  await item.getByText('1 member').click()
  const add = async (username: string) => {
    await item.getByLabel('User name').fill(username)
    await page.keyboard.press('Enter')
  }
  await add('nobody')
  await item.getByText('There is no user with this name.').waitFor()
  await add(person.username)
  const member = item.getByRole('listitem').filter({ hasText: person.username })
  await member.locator('.mark-of', { hasText: 'Member' }).waitFor()
  await expectForEveryone(page, 'a team with members')
  const roles = async () => {
    const { body } = await get('/api/admin/teams', { search: renamed })
    return body.data[0].members.map(({ role }: { role: string }) => role).sort()
  }
  expect(await roles()).toEqual(['team-member', 'team-owner'])
  await member.getByRole('button', { name: 'Edit' }).click()
  await member.getByLabel('Role').selectOption('Manager')
  await member.getByRole('button', { name: 'Save' }).press('Enter')
  await member.locator('.mark-of', { hasText: 'Manager' }).waitFor()
  expect(await roles()).toEqual(['team-manager', 'team-owner'])
  await member.getByRole('button', { name: 'Remove' }).press('Enter')
  await member.getByRole('button', { name: /^Remove / }).press('Enter')
  await member.waitFor({ state: 'detached' })
  expect(await roles()).toEqual(['team-owner'])
  await item.getByRole('button', { name: `Delete… ${renamed}` }).press('Enter')
  await item.getByRole('button', { name: `Delete ${renamed}` }).press('Enter')
  await item.first().waitFor({ state: 'detached' })
  expect((await get('/api/admin/teams', { search: renamed })).body.count).toBe(0)
  expect(faults).toEqual([])
  await close()
})

it('after the only entry of the last page is deleted, the list shows the page before it', async () => {
  const admin = await newPerson({ role: 'admin' })
  const word = randomUUID()
  await Promise.all(
    Array.from({ length: 21 }, (_, at) => newTeam(admin, `Team ${word} ${String(at).padStart(2, '0')}`)),
  )
  const { page, faults, close } = await openAs(browser, admin, '/users')
  const teams = part(page, 'Teams')
  const items = await find(page, 'Teams', 'Name of the team', word)
  await expect.poll(() => items.count()).toBe(20)
  await teams.getByRole('button', { name: 'Next' }).press('Enter')
  await expect.poll(() => items.count()).toBe(1)
  await items.getByRole('button', { name: 'Delete' }).press('Enter')
  await items.getByRole('button', { name: /^Delete / }).press('Enter')
  await expect.poll(() => items.count()).toBe(20)
  expect(await items.last().textContent()).toContain(`${word} 19`)
  expect(faults).toEqual([])
  await close()
})

it('an admin requires a second factor from a user, from a team and from everybody, and resets one', async () => {
  const [admin, person] = [await newPerson({ role: 'admin' }), await newPerson()]
  const team = await newTeam(person)
  await insert('two_factors', { user_id: person.id, secret: 'sealed', created_at: 1, confirmed_at: 1 })
  const { page, faults, close } = await openAs(browser, admin, '/users')
  const press = (name: string) => page.getByRole('button', { name }).press('Enter')
  const confirm = async (name: string, warning: string) => {
    await press(name)
    await page.getByText(warning).waitFor()
    await press(name.replace('…', ''))
  }
  const rules = async () => {
    const read = 'SELECT two_factor_required AS required FROM users WHERE id = ?1'
    const ofTeam = read.replace('users', 'teams')
    const [one, other] = await metadata.batch<{ required: number }>([
      metadata.prepare(read).bind(person.id),
      metadata.prepare(ofTeam).bind(team.id),
    ])
    return [one!.results[0]!.required, other!.results[0]!.required]
  }
  const user = await find(page, 'Users', 'User name', person.username)
  const group = await find(page, 'Teams', 'Name of the team', team.name)
  const [ofUser, ofTeam] = [`of ${person.username}`, `of the members of ${team.name}`]
  await confirm(`Require second factor… ${ofUser}`, 'Users without one see nothing')
  await user.getByText('They must have a second factor').waitFor()
  // The focus has not moved.
  await page.keyboard.press('Enter')
  await user.getByText('A password alone is enough.').waitFor()
  await expectForEveryone(page, 'the rule of a user')
  await confirm(`Require second factor… ${ofTeam}`, 'Users without one see nothing')
  await group.getByText('Members must have a second factor').waitFor()
  expect(await rules()).toEqual([1, 1])
  await user.getByRole('button', { name: `No longer require second factor ${ofUser}` }).press('Enter')
  await user.getByText('They must have a second factor').waitFor({ state: 'detached' })
  await confirm(`No longer require second factor… ${ofTeam}`, 'A password alone is enough.')
  await group.getByText('Members must have a second factor').waitFor({ state: 'detached' })
  expect(await rules()).toEqual([0, 0])
  await confirm(`Reset second factor… ${ofUser}`, 'Their password alone signs in')
  await page.getByRole('button', { name: `Reset second factor… ${ofUser}` }).waitFor()
  expect((await get(`/api/admin/users/${person.id}/2fa`)).body).toEqual({ isEnabled: false })
  await confirm(`Reset second factor… ${ofUser}`, 'Their password alone signs in')
  await user.getByText('This user has no second factor.').waitFor()

  // All tests share the global rule, so this request is not sent to the server.
  const sent: unknown[] = []
  await page.route('**/api/2fa/status', (route) => route.fulfill({ json: { globalRequired: sent.length % 2 === 1 } }))
  await page.route('**/api/admin/2fa/global', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ json: { ok: true, required: sent.length % 2 === 1 } })
  })
  await confirm('Require second factor… of everybody', 'Users without one see nothing')
  await page.getByText('Everybody must have a second factor').waitFor()
  await expectForEveryone(page, 'the rule for everybody')
  await confirm('No longer require second factor… of everybody', 'A password alone is enough.')
  await page.getByText('Everybody must have a second factor').waitFor({ state: 'detached' })
  expect(sent).toEqual([{ required: true }, { required: false }])
  expect(faults).toEqual([])
  await close()
})

it('an admin reads the audit log, filters it, pages through it, and saves it', async () => {
  const [admin, person] = [await newPerson({ role: 'admin' }), await newPerson()]
  const name = `<b>${randomUUID()}</b>`
  const { body: made } = await post('/api/websites', { name, domain: 'a.example' }, person.headers)
  const at = Date.UTC(2001, 1, 3, 12)
  await metadata
    .prepare(
      `INSERT INTO audit_entries (created_at, actor_kind, actor_id, actor_name, action, subjects, fields, times)
       SELECT ?1, 'user', ?2, ?3, 'old ' || value, json_object('teamId', '<i>' || value), '["name"]', value
       FROM json_each(?4)`,
    )
    .bind(at, person.id, person.username, JSON.stringify([...Array(60).keys()]))
    .run()
  const { page, faults, close } = await openAs(browser, admin, '/users')
  await page.getByRole('link', { name: 'Audit log' }).click()
  const entries = part(page, 'Entries')
  await entries.getByRole('listitem').first().waitFor()
  const narrow = async (fields: Readonly<Record<string, string>>) => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel('User or operation').press('Enter')
  }
  await narrow({ 'User or operation': person.username.toUpperCase() })
  await entries.getByText('61 entries').waitFor()
  expect(await entries.getByRole('listitem').count()).toBe(50)
  await entries.getByRole('button', { name: 'Next' }).press('Enter')
  await entries.getByText('old 5, 5 times: name').waitFor()
  await entries.getByText('createWebsite: name, domain').waitFor()
  await entries.getByText('teamId <i>5', { exact: true }).waitFor()
  await expectForEveryone(page, 'the audit log')
  await narrow({ From: '2001-02-03', To: '2001-02-03' })
  await entries.getByText('60 entries').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as NDJSON' }).press('Enter')
  const file = readFileSync(await (await saved).path(), 'utf8')
  const [first, ...others] = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([first.action, others.length]).toEqual(['old 59', 59])
  await narrow({ From: '2001-02-04', To: '' })
  await entries.getByText('1 entry').waitFor()
  const id = 'Id of a user, a website or another object'
  await narrow({ 'User or operation': '', [id]: made.id })
  await entries.getByText('createWebsite: name, domain').waitFor()
  await narrow({ [id]: randomUUID() })
  await entries.getByText('0 entries').waitFor()
  expect(faults).toEqual([])
  await close()
})

/**
 * Opens a form with this button, cancels it, opens it again and submits it, all by keyboard. Expects the focus in the
 * form, and then on the button that may open the form next.
 */
async function expectFocusKept(
  place: Locator,
  opener: RegExp,
  submit: string,
  fields: Readonly<Record<string, string>>,
) {
  const focused = place.page().locator(':focus')
  for (const end of ['Cancel', submit]) {
    await place.getByRole('button', { name: opener }).press('Enter')
    await place.locator('form :is(input, select)').and(focused).waitFor()
    for (const [label, text] of Object.entries(fields)) await place.getByLabel(label).fill(text)
    await place.getByRole('button', { name: end, exact: true }).press('Enter')
    await place.getByRole('button', { name: opener }).and(focused).waitFor()
  }
}

it('by keyboard, the focus stays where something is created, changed, cancelled or negated', async () => {
  const [admin, username] = [await newPerson({ role: 'admin' }), `made-${randomUUID()}`]
  const [id, team] = [await websiteOf({ userId: admin.id }), await newTeam(admin)]
  const colleague = await member(team, 'team-member')
  const { page, faults, close } = await openAs(browser, admin, `/websites/${id}/settings`)
  await expectFocusKept(part(page, 'Share links'), /^New share link$/, 'Create', {})
  await expectFocusKept(part(page, 'Share links').getByRole('listitem'), /^Edit/, 'Save', {})
  await expectFocusKept(part(page, 'Public access'), /^(Make public…|Edit)$/, 'Make public', {})
  await expectFocusKept(part(page, 'Public access'), /^Edit$/, 'Save', {})
  await expectFocusKept(part(page, 'API keys'), /^New key$/, 'Create', { Name: 'Report' })

  await page.goto(`${running.url}/users`)
  const word = username.slice('made-'.length)
  const making = part(page, 'Users').locator('> div')
  await expectFocusKept(making, /^New user$/, 'Create', { 'User name': username, Password: 'a first password' })
  await expectFocusKept((await find(page, 'Users', 'User name', word)).first(), /^Edit/, 'Save', {})
  await expectFocusKept(part(page, 'Teams').locator('> div'), /^New team$/, 'Create', { Name: `Team ${word}` })
  const item = (await find(page, 'Teams', 'Name of the team', team.name)).first()
  await expectFocusKept(item, /^Rename/, 'Save', {})
  await item.locator('summary').press('Enter')
  const colleagueItem = item.getByRole('listitem').filter({ hasText: colleague.username })
  await expectFocusKept(colleagueItem, /^Edit/, 'Save', {})

  await page.goto(`${running.url}/websites/${id}?browser=chrome`)
  const chip = (text: string) => page.getByRole('button', { name: text, exact: true })
  await chip('Browser is Chrome').press('Enter')
  await chip('Browser is not Chrome').and(page.locator(':focus')).waitFor()
  expect(faults).toEqual([])
  await close()
})

it('a change that arrives late leaves the focus where the user has gone in the meantime', async () => {
  const [admin, word] = [await newPerson({ role: 'admin' }), randomUUID()]
  await Promise.all([0, 1].map((at) => newTeam(admin, `Team ${word} ${at}`)))
  const { page, faults, close } = await openAs(browser, admin, '/users')
  const teams = await find(page, 'Teams', 'Name of the team', word)
  const [first, second] = [teams.first(), teams.last()]
  await first.getByRole('button', { name: 'Rename' }).click()
  let arrive = () => {}
  const isIn = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/api/teams/*', async (route) => {
    await isIn
    await route.continue()
  })
  await first.getByRole('button', { name: 'Save' }).press('Enter')
  const elsewhere = second.getByRole('button', { name: 'Rename' })
  await elsewhere.focus()
  arrive()
  await first.getByRole('button', { name: 'Rename' }).waitFor()
  expect(await elsewhere.and(page.locator(':focus')).count()).toBe(1)
  expect(faults).toEqual([])
  await close()
})

it('users without the role admin see neither users nor the audit log', async () => {
  const { page, faults, close } = await openAs(browser, await newPerson(), '/users')
  await page.getByText('Only admins see this page.').waitFor()
  await page.goto(`${running.url}/audit`)
  await page.getByText('Only admins see this page.').waitFor()
  for (const name of ['Users', 'Audit log']) expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

it('an admin sees the import command for Umami, and an import’s progress or that it is silent', async () => {
  const [id, word, evil] = [randomUUID(), randomUUID(), '<img src=x onerror=alert(1)>']
  const progress = { source: 'clickhouse', rowsDone: 250, rowsTotal: 1000, rate: 50 }
  const tell = (change: object) =>
    put(`/api/admin/imports/${id}`, { ...progress, state: 'running', section: `${word} ${evil}`, ...change })
  expect((await tell({})).status).toBe(200)
  const { page, faults, close } = await openAs(browser, await newPerson({ role: 'admin' }), '/websites')
  // The page shows only the newest five, and other tests import meanwhile.
  await page.route('**/api/admin/imports', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { readonly id: string }[]
    await route.fulfill({ response, json: all.filter((one) => one.id === id) })
  })
  const moving = part(page, 'From Umami')
  const item = moving.getByRole('listitem').filter({ hasText: word })
  await item.getByText(`250 of 1,000 rows. 50 a second, 1 minute left. ${word} ${evil}`).waitFor()
  expect(await moving.locator('pre').textContent()).toMatch(
    `import umami --from postgres://user:password@host:5432/umami --api ${running.url}`,
  )
  expect(await item.getByRole('progressbar', { name: 'ClickHouse Running' }).getAttribute('value')).toBe('250')
  const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await tell({ state: 'failed', error: evil })
  await look()
  await item.getByText('Failed').waitFor()
  await item.locator('.message', { hasText: evil }).waitFor()
  await tell({})
  await metadata.prepare('UPDATE imports SET updated_at = updated_at - 61000 WHERE id = ?1').bind(id).run()
  await look()
  await item.getByText('The command has not reported since').waitFor()
  await expectForEveryone(page, 'an import')
  expect(faults).toEqual([])
  await page.route('**/api/admin/imports', (route) => route.abort())
  await look()
  await moving.getByText('Weir does not answer.').waitFor()
  await item.waitFor()
  await close()
  const other = await openAs(browser, await newPerson(), '/websites')
  await part(other.page, 'API keys').waitFor()
  expect(await part(other.page, 'From Umami').count()).toBe(0)
  await other.close()
})

it('a theme chosen on one page applies to all pages', async () => {
  const admin = await newPerson({ role: 'admin' })
  const id = await websiteOf({ userId: admin.id })
  const { page, faults, close } = await openAs(browser, admin, '/websites', { colorScheme: 'light' })
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const light = await ground()
  await page.getByLabel('Theme').selectOption('Dark')
  const dark = await ground()
  expect(dark).not.toBe(light)
  const own = `/websites/${id}`
  const paths = ['/account', '/users', own, `${own}/settings`, `/replays/${id}`, `/heatmaps/${id}`]
  for (const path of inTurn(paths, seed, 3)) {
    await page.goto(running.url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect([path, await ground()]).toEqual([path, dark])
    expect(await page.getByLabel('Theme').count()).toBe(1)
  }
  await expectForEveryone(page, 'the bar')
  await page.getByLabel('Theme').selectOption('Automatic')
  await page.emulateMedia({ colorScheme: 'light' })
  expect([await ground(), faults]).toEqual([light, []])
  await close()
})
