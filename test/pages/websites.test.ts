import { randomUUID } from 'node:crypto'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import { boardShare } from '../support/boards.ts'
import { hold, look, openPage, routeFirst, stored, unreadable } from '../support/browser.ts'
import { weir as runCommand } from '../support/commands.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { metadata } from '../support/metadata.ts'
import { join, newPerson, newTeam, type Person, password, websiteOf } from '../support/people.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs, tokenOf } from '../support/signed-in.ts'
import { add, columnTime } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'

/** Fills in the sign-in form, and submits it by keyboard. */
async function signIn(page: Page, { username }: Pick<Person, 'username'>, secret = password): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(secret)
  await page.keyboard.press('Enter')
}

const form = (page: Page) => page.getByRole('heading', { name: 'Sign in to Weir' })

const part = (page: Page, heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })

const statusFor = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(running.url + path, { headers })).status

it('a sign-in applies to all tabs until the user signs out in one of them', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const id = await websiteOf({ userId: person.id }, { name: `Shop ${evil}` })
  const { context, page, faults, close } = await openPage(browser, running.url)
  const early = await context.newPage()
  for (const tab of [early, page]) {
    await tab.goto(`${running.url}/websites`)
    await form(tab).waitFor()
  }
  expect(await page.evaluate('document.activeElement.name')).toBe('username')
  await signIn(page, person, 'wrong')
  await page.getByText('Wrong user name or password.').waitFor()
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  await signIn(page, person)
  const link = page.getByRole('link', { name: `Shop ${evil}`, exact: true })
  expect(await link.getAttribute('href')).toBe(`/websites/${id}`)
  expect(await stored(page)).toEqual({ local: { 'weir.token': expect.any(String) }, session: {}, cookies: '' })
  expect(page.url()).toBe(`${running.url}/websites`)
  await page.reload()
  await link.waitFor()
  // A tab that showed the sign-in form is now signed in, and so is a new tab.
  await early.getByRole('link', { name: `Shop ${evil}`, exact: true }).waitFor()
  const opened = await context.newPage()
  await opened.goto(running.url + (await link.getAttribute('href')))
  await opened.getByRole('heading', { level: 1, name: `Shop ${evil}` }).waitFor()
  const elsewhere = await context.newPage()
  await elsewhere.goto(`${running.url}/docs/api.md`)

  const token = await page.evaluate('localStorage["weir.token"]')
  // Clicks on tabs in the background may wait for frames that do not come.
  await opened.bringToFront()
  await opened.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [opened, page, early]) await form(tab).waitFor()
  await elsewhere.goto(`${running.url}/replays/${id}`)
  await form(elsewhere).waitFor()
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  await expect.poll(() => statusFor('/api/me', { authorization: `Bearer ${token}` })).toBe(401)

  // Another user signs in, and no tab keeps the first user's data.
  await signIn(opened, other)
  for (const tab of [opened, page, early, elsewhere]) await tab.getByText(other.username).waitFor()
  await opened.getByRole('link', { name: 'All your websites' }).waitFor()
  for (const tab of [opened, page, early]) expect(await tab.content()).not.toContain(`Shop`)
  await page.bringToFront()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await form(early).waitFor()

  // A page that may read the storage, but not write to it, keeps its sign-in for itself.
  await page.reload()
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full") }')
  await signIn(page, person)
  await link.waitFor()
  await page.evaluate('dispatchEvent(new StorageEvent("storage"))')
  expect([await form(page).count(), await link.count()]).toEqual([0, 1])
  expect(faults.filter((fault) => !/401|403/.test(fault))).toEqual([])
  await close()
})

it('after a sign-in with a printed password, the page suggests a new one, and sets it', async () => {
  const printed = await runCommand(['user', 'create', '--username', `printed-${randomUUID()}`, '--role', 'user'])
  const [first] = printed.stderr.split('\n')
  const { username } = (await metadata
    .prepare('SELECT username FROM users WHERE id = ?')
    .bind(printed.stdout.trim())
    .first())!
  const { page, faults, close } = await openPage(browser, running.url)
  await page.goto(`${running.url}/websites`)
  await signIn(page, { username: String(username) }, first)
  const proposal = page.getByRole('complementary', { name: 'Password' })
  await proposal.waitFor()
  await expectForEveryone(page, 'the proposal')
  await proposal.getByRole('link', { name: 'Change password' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/account')
  const change = async (current: string, next: string, again = next) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: false }).first().fill(next)
    await page.getByLabel('New password again').fill(again)
    await page.keyboard.press('Enter')
  }
  await change(first!, 'one of my own', 'another one')
  await page.getByText('The two new passwords are not the same.').waitFor()
  await change('wrong', 'one of my own')
  await page.getByText('Current password is incorrect').waitFor()
  expect(await page.locator('.message').first().textContent()).not.toContain('Current password: ')
  await change(first!, 'one of my own')
  await page.getByText('The password is changed.').waitFor()
  await expectForEveryone(page, 'the account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, { username: String(username) }, 'one of my own')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByRole('link', { name: 'Websites' }).click()
  await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
  expect(await proposal.count()).toBe(0)
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})

it('after a sign-out elsewhere, the page asks for a new sign-in at the next request', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { page, close } = await openAs(browser, person, '/websites')
  await page.getByRole('button', { name: 'New website' }).press('Enter')
  expect(await page.evaluate('document.activeElement.name')).toBe('name')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New website' }).and(page.locator(':focus')).press('Enter')
  await send('/api/auth/logout', { method: 'POST', headers: person.headers })
  await page.getByLabel('Name', { exact: true }).fill('Too late')
  await page.getByLabel('Domain').fill('example.com')
  await page.getByRole('button', { name: 'Create' }).click()
  await form(page).waitFor()
  await page.getByText('Your sign-in has ended. Please sign in again.').waitFor()
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  const { page: dashboard, close: closeSecond } = await openAs(browser, person, `/websites/${id}`)
  await form(dashboard).waitFor()
  await closeSecond()
  await close()
})

it('while it is visible, the page checks for the first event, until a check is refused', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { context, page } = await openAs(browser, person, '/websites')
  await page.clock.install()
  let asked = 0
  page.on('request', (request) => request.url().includes('/daterange') && asked++)
  const afterMinutes = async (minutes: number) => {
    for (let step = 0; step < 10 * minutes; step++) await page.clock.runFor(6000)
    return asked
  }
  await page.goto(`${running.url}/websites/${id}/settings`)
  await page.getByText('Waiting for the first event.').waitFor()
  expect(await afterMinutes(0.2)).toBeGreaterThan(1)
  await look(page, false)
  const before = asked
  expect(await afterMinutes(1)).toBe(before)
  await look(page, true)
  await expect.poll(() => asked).toBe(before + 1)
  await send(`/api/websites/${id}`, { method: 'DELETE', headers: person.headers })
  const refused = page.waitForResponse((response) => response.url().includes('/daterange') && response.status() >= 400)
  await page.clock.runFor(6000)
  await refused
  await expect.poll(async () => (await afterMinutes(0.2)) - (await afterMinutes(0.2))).toBe(0)
  const last = asked
  expect(await afterMinutes(1)).toBe(last)
  await context.close()
})

it('the owner sees everything about a website, on the same dashboard as shares', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id }, { name: `Shop ${evil}` })
  await add(id, event({ event_type: 1, created_at: columnTime(Date.now() - 60_000), event_id: randomUUID() }))
  const { page, faults, close } = await openAs(browser, person, '/websites')
  await page.getByText('1 visitor in 24 hours').waitFor()
  await page.getByRole('link', { name: `Shop ${evil}`, exact: true }).click()
  await expect.poll(() => page.locator('[data-figure=visitors]').getAttribute('title')).toBe('1')
  for (const card of ['live', 'revenue', 'retention', 'events']) await page.locator(`[data-card=${card}]`).waitFor()
  await page.getByRole('heading', { level: 1, name: `Shop ${evil}` }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Receiving events.').waitFor()
  expect(faults).toEqual([])
  await close()
})

it('an admin sees all websites with their owners', async () => {
  const [owner, admin] = [await newPerson(), await newPerson({ role: 'admin' })]
  const [team, word] = [await newTeam(owner), randomUUID()]
  // If there is more than one page of websites, the list has a search field.
  const owners = { a: { userId: owner.id }, b: { teamId: team.id }, c: { userId: admin.id }, d: {} }
  await Promise.all([
    ...Array.from({ length: 20 }, (_, number) => websiteOf({ userId: admin.id }, { name: `Other ${number}` })),
    ...Object.entries(owners).map(([name, whose]) =>
      websiteOf(whose, { name: `${name} ${word}`, search: `${name} ${word}` }),
    ),
  ])
  const { page, faults, close } = await openAs(browser, admin, '/websites')
  await page.getByLabel('Name or domain').fill(word)
  await page.keyboard.press('Enter')
  const names = page.locator('.website-name')
  await expect.poll(() => names.count()).toBe(4)
  const domain = 'example.com'
  expect(await names.allTextContents()).toEqual([
    ...[`a ${word}${domain} · ${owner.username}`, `b ${word}${domain} · Team ${team.name}`],
    ...[`c ${word}${domain}`, `d ${word}${domain} · No owner`],
  ])
  expect(faults).toEqual([])
  await close()
  const own = await openAs(browser, owner, '/websites')
  await own.page.getByRole('link', { name: `b ${word}`, exact: true }).waitFor()
  expect(await own.page.locator('.website-name').allTextContents()).toEqual([
    `a ${word}${domain}`,
    `b ${word}${domain} · Team ${team.name}`,
  ])
  await own.close()
})

it('by keyboard, share links are created, changed and revoked, and a website made public and private', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id }, { name: `Shop ${evil}` })
  const filters = { browser: 'chrome' }
  const slug = randomUUID()
  const change = (path: string, body: object) =>
    send(path, {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await change('/api/share', {
    ...{ entityId: id, shareType: 1, name: `Locked ${evil}`, slug },
    parameters: { overview: true, filters, expiresAt: '2999-01-02T03:04:05.678Z' },
  })
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const shares = part(page, 'Share links')
  const locked = shares.getByRole('listitem').filter({ hasText: `Locked ${evil}` })
  expect(await locked.textContent()).toContain('Shows: Overview. Only some of the visits. Expires on ')
  await locked.getByRole('button', { name: 'Edit' }).press('Enter')
  await locked.getByLabel('Goals').press('Space')
  await locked.getByLabel('May be embedded by').fill('https://blog.example/post\n')
  await locked.getByRole('button', { name: 'Save' }).press('Enter')
  await locked.getByText('May be embedded by (entry 1): ').waitFor()
  await locked.getByLabel('May be embedded by').fill(' https://blog.example \n\nhttp://localhost:8000')
  await locked.getByRole('button', { name: 'Save' }).press('Enter')
  await locked.getByText('Shows: Overview, Goals.').waitFor()
  const { body } = await send(`/api/websites/${id}/shares`, { headers: person.headers })
  expect(body.data).toMatchObject([
    {
      slug,
      parameters: { overview: true, goals: true, events: false, filters, expiresAt: '2999-01-02T03:04:05.678Z' },
    },
  ])
  expect(body.data[0].parameters.frameAncestors).toEqual(['https://blog.example', 'http://localhost:8000'])
  const [, badge, frame] = await locked.locator('pre').allTextContents()
  expect([badge, frame]).toEqual([expect.stringContaining(`/badge/${slug}.svg`), expect.stringContaining('<iframe')])
  for (const text of [badge, frame]) expect(text).not.toContain('Locked')
  await locked.getByRole('button', { name: 'Edit' }).press('Enter')
  const isTooFar = await page.evaluate(`{
    const field = document.querySelector('input[name=ends]')
    field.value = '20000-01-01'
    field.validity.rangeOverflow
  }`)
  expect(isTooFar).toBe(true)
  await locked.getByLabel('Expires').fill('2999-06-15')
  await locked.getByLabel('May be embedded by').fill('nowhere')
  await locked.getByRole('button', { name: 'Save' }).press('Enter')
  await locked.getByText('May be embedded by (entry 1): ').waitFor()
  expect(await locked.getByLabel('Expires').inputValue()).toBe('2999-06-15')
  await locked.getByLabel('May be embedded by').fill('')
  await locked.getByRole('button', { name: 'Save' }).press('Enter')
  const frames = async () =>
    (await send(`/api/websites/${id}/shares`, { headers: person.headers })).body.data[0].parameters.frameAncestors
  await expect.poll(frames).toBeUndefined()

  // An expiry today is allowed. Images send no origin, so a share that is limited to origins has no badge.
  const soon = new Date(Date.now() + 600_000).toISOString()
  const narrowed = {
    slug,
    name: `Locked ${evil}`,
    parameters: { overview: true, expiresAt: soon, origins: ['https://a.example'] },
  }
  expect(await change(`/api/share/id/${body.data[0].id}`, narrowed)).toMatchObject({ status: 200 })
  await page.reload()
  await locked.getByText('Only for pages of https://a.example.').waitFor()
  expect(await locked.locator('pre').count()).toBe(1)
  await locked.getByRole('button', { name: 'Edit' }).press('Enter')
  await locked.getByLabel('Live').check()
  await locked.getByRole('button', { name: 'Save' }).press('Enter')
  await locked.getByText('Shows: Overview, Live.').waitFor()
  expect((await send(`/api/websites/${id}/shares`, { headers: person.headers })).body.data[0].parameters).toMatchObject(
    {
      ...{ realtime: true, expiresAt: soon, origins: ['https://a.example'] },
    },
  )

  await shares.getByRole('button', { name: 'New share link' }).press('Enter')
  await shares.locator('input[name=name]').fill('Nothing')
  expect(await shares.locator('fieldset').first().locator(':checked').count()).toBe(1)
  await shares.getByLabel('Overview', { exact: false }).first().uncheck()
  await page.keyboard.press('Enter')
  await shares.getByText('Choose at least one section.').waitFor()
  await shares.getByLabel('Returning visitors').check()
  await shares.getByRole('button', { name: 'Create' }).press('Enter')
  const made = shares.getByRole('listitem').filter({ hasText: 'Nothing' })
  const link = new URL((await made.locator('pre').textContent())!).pathname
  expect((await send(link.replace('/share/', '/api/share/'))).body).toMatchObject({ sections: ['retention'] })
  await made.getByRole('button', { name: 'Delete' }).press('Enter')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel for Nothing')
  await page.keyboard.press('Enter')
  expect(await statusFor(link)).toBe(200)
  await made.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await made.waitFor({ state: 'detached' })
  expect(await statusFor(link)).toBe(404)

  const everybody = part(page, 'Public access')
  expect(await statusFor(`/api/websites/${id}`)).toBe(401)
  // An expired share is closed. It keeps the values for which the form has no field.
  await change(`/api/websites/${id}`, { public: { overview: true, filters, expiresAt: '2001-02-03T04:05:06.789Z' } })
  const publicOf = async () => (await send(`/api/websites/${id}`, { headers: person.headers })).body.public
  await page.reload()
  await everybody.getByText('This website is private.').waitFor()
  expect(await everybody.locator('pre').count()).toBe(0)
  await everybody.getByRole('button', { name: 'Make public…' }).press('Enter')
  expect(await everybody.getByLabel('Expires').inputValue()).toBe('')
  await everybody.getByLabel('Live').check()
  await everybody.getByRole('button', { name: 'Make public' }).press('Enter')
  await everybody.getByText('Everybody may see: Overview, Live. Only some of the visits.').waitFor()
  expect(await statusFor(`/api/websites/${id}`)).toBe(200)
  expect(await statusFor(new URL((await everybody.locator('pre').textContent())!).pathname)).toBe(200)
  await everybody.getByRole('button', { name: 'Make private' }).press('Enter')
  await everybody.getByText('It is private within ten seconds.').waitFor()
  await everybody.getByRole('button', { name: 'Make private' }).press('Enter')
  await everybody.getByText('This website is private.').waitFor()
  expect(await statusFor(`/api/websites/${id}`)).toBe(401)
  expect((await publicOf()).filters).toEqual(filters)
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})

it('a new key is shown only once, and by default may only read one website', async () => {
  const person = await newPerson()
  const [id, other] = [await websiteOf({ userId: person.id }), await websiteOf({ userId: person.id })]
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const keys = part(page, 'API keys')
  await keys.getByRole('button', { name: 'New key' }).click()
  await keys.getByLabel('Name').fill(`Report ${evil}`)
  await page.keyboard.press('Enter')
  await keys.getByText('Copy it now: it is not shown again.').waitFor()
  const key = (await keys.locator('pre').textContent())!
  const headers = { authorization: `Bearer ${key}` }
  const statuses = await Promise.all([id, other].map((one) => statusFor(`/api/websites/${one}`, headers)))
  expect(statuses).toEqual([200, 403])
  const change = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"name":"x"}' }
  expect((await fetch(`${running.url}/api/websites/${id}`, change)).status).toBe(403)
  expect(await stored(page)).toEqual({ local: { 'weir.token': tokenOf(person) }, session: {}, cookies: '' })
  await page.reload()
  const item = keys.getByRole('listitem').filter({ hasText: `Report ${evil}` })
  await item.waitFor()
  expect(await page.content()).not.toContain(key)
  // A double click only opens the question.
  await item.getByRole('button', { name: 'Delete' }).dblclick()
  await item.getByText('Programs that use it are refused').waitFor()
  expect(await item.getByRole('button').allTextContents()).toEqual([
    `Cancel for Report ${evil}`,
    `Delete Report ${evil}`,
  ])
  expect(await statusFor(`/api/websites/${id}`, headers)).toBe(200)
  await item.getByRole('button', { name: 'Delete' }).click()
  await item.waitFor({ state: 'detached' })
  expect(await statusFor(`/api/websites/${id}`, headers)).toBe(401)

  // A key for one website stays one when the list above shows other websites.
  const names = Array.from({ length: 20 }, (_, number) => `Other ${number}`)
  await Promise.all(names.map((name) => websiteOf({ userId: person.id }, { name })))
  await page.goto(`${running.url}/websites`)
  await keys.getByRole('button', { name: 'New key' }).click()
  await keys.getByLabel('Access').selectOption(other)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('2 of 2').waitFor()
  await keys.getByLabel('Name').fill('Narrow')
  await page.keyboard.press('Enter')
  await keys.getByText(`Reads Website ${other}.`).waitFor()
  expect(faults).toEqual([])
  await close()
})

it('forbidden actions are not shown, and API refusals are explained', async () => {
  const [owner, viewer] = [await newPerson(), await newPerson({ role: 'view-only' })]
  const team = await newTeam(owner)
  await join(team, viewer, 'team-member')
  const [ofTeam, foreign] = [await websiteOf({ teamId: team.id }), await websiteOf({ userId: owner.id })]
  await boardShare([], { userId: viewer.id })
  const { page, close } = await openAs(browser, viewer, '/websites')
  await page.getByRole('link', { name: /^Website / }).waitFor()
  // Members who lost their role may not see their former boards' shares.
  await part(page, 'Boards').getByText('Shares of b').click()
  expect(await part(page, 'Boards').locator('.message').textContent()).toBe('You may not share this.')
  expect(await page.getByRole('button', { name: 'New share link' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New website' }).count()).toBe(0)
  await page.getByRole('button', { name: 'New key' }).click()
  expect(await page.getByLabel('Permissions').count()).toBe(0)
  await page.goto(`${running.url}/websites/${ofTeam}/settings`)
  await part(page, 'Tracking code').waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Tracking code', 'API keys'])
  await page.goto(`${running.url}/websites/${foreign}/settings`)
  await page.getByText('This website cannot be shown').waitFor()
  for (const path of [`${foreign}/settings`, foreign, 'nonsense', 'nonsense/settings']) {
    await page.goto(`${running.url}/websites/${path}`)
    await page.getByRole('link', { name: 'All your websites' }).waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      ...['There is no such website, or you may not see it.'],
    ])
  }
  // A proxy may refuse with a page of its own.
  const refuse = (route: Route) => route.fulfill({ status: 403, body: '<h1>Forbidden</h1>' })
  await routeFirst(page, `**/api/websites/${foreign}`, refuse)
  await page.goto(`${running.url}/websites/${foreign}/settings`)
  await page.getByText('There is no such website, or you may not see it.').waitFor()
  await close()
})

it('board shares are listed, including those of other users’ boards with this user’s website', async () => {
  const [owner, other] = [await newPerson(), await newPerson()]
  const team = await newTeam(other)
  await join(team, owner, 'team-member')
  const id = await websiteOf({ userId: owner.id })
  const own = await boardShare([{ id }], { userId: owner.id })
  const ofTeam = await websiteOf({ teamId: team.id })
  const foreign = await boardShare([{ id: ofTeam }], { userId: other.id })
  const { page, faults, close } = await openAs(browser, owner, '/websites')
  const boards = part(page, 'Boards')
  await boards.getByText('Shares of b').waitFor()
  for (const what of ['boards', 'teams']) await routeFirst(page, `**/api/${what}?*`, unreadable)
  await page.reload()
  await boards.getByRole('button', { name: 'Try again' }).click()
  await boards.getByText('Shares of b').click()
  await boards.getByText(`/share/${own.slug}`).waitFor()
  await page.getByRole('button', { name: 'New website' }).click()
  await page.locator('form').getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Owner').selectOption(team.name)
  await page.getByLabel('Name', { exact: true }).fill('Of the team')
  await page.getByLabel('Domain').fill('team.example')
  const sent: string[] = []
  page.on('request', (one) => one.method() === 'POST' && sent.push(new URL(one.url()).pathname))
  // Until the next page has loaded, another click creates nothing.
  const release = await hold(page, '**/settings')
  const { x, y } = (await page.getByRole('button', { name: 'Create' }).boundingBox())!
  const left = page.waitForRequest('**/settings')
  await page.mouse.click(x + 5, y + 5)
  await left
  await page.mouse.click(x + 5, y + 5)
  release()
  await page.waitForURL('**/settings')
  expect(sent.filter((path) => path === '/api/websites')).toHaveLength(1)
  const { body } = await send(new URL(page.url()).pathname.replace('/settings', '').replace('/', '/api/'), {
    headers: owner.headers,
  })
  expect(body).toMatchObject({ name: 'Of the team', teamId: team.id, userId: null })
  await page.goto(`${running.url}/websites`)
  await boards.getByText('Shares of b').click()
  await boards.getByRole('button', { name: 'New share link' }).click()
  await boards.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => boards.getByRole('listitem').count()).toBe(2)
  const link = new URL((await boards.locator('pre').first().textContent())!).pathname
  expect((await send(link.replace('/share/', '/api/share/'))).body).toMatchObject({ boardId: own.boardId })
  await page.goto(`${running.url}/websites/${id}/settings`)
  await expect.poll(() => part(page, 'Share links').getByText('of a board').count()).toBe(2)
  await page.goto(`${running.url}/websites/${ofTeam}/settings`)
  const hidden = part(page, 'Share links').getByRole('listitem')
  await hidden.getByText('The board is not yours, so its link is not shown.').waitFor()
  expect(await page.content()).not.toContain(foreign.slug)
  await hidden.getByRole('button', { name: 'Delete' }).click()
  await hidden.getByRole('button', { name: 'Delete' }).click()
  await hidden.waitFor({ state: 'detached' })
  expect(await statusFor(`/share/${foreign.slug}`)).toBe(404)
  expect(faults.filter((fault) => !fault.includes('503'))).toEqual([])
  await close()

  // A team's boards also appear in its owner's list.
  const shared = await boardShare([{ id: ofTeam }], { teamId: team.id })
  const theirs = await openAs(browser, other, '/websites')
  const both = part(theirs.page, 'Boards').getByText('Shares of b')
  await expect.poll(() => both.count()).toBe(2)
  // What one shows moves those below it, so the last is opened first.
  for (const one of (await both.all()).reverse()) await one.click()
  await theirs.page.getByText(`/share/${shared.slug}`).waitFor()
  await theirs.close()
})

it('the pages are accessible: axe finds no faults in any state, and nothing is wider than a phone', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id }, { name: `${'long'.repeat(20)} ${evil}`.slice(0, 100) })
  await boardShare([{ id }], { userId: person.id })
  const signedOut = await openPage(browser, running.url)
  await signedOut.page.goto(`${running.url}/websites`)
  await form(signedOut.page).waitFor()
  await expectForEveryone(signedOut.page, 'the form to sign in')
  await signedOut.close()
  const { page, close } = await openAs(browser, person, '/websites')
  await page.getByRole('link', { name: /^long/ }).waitFor()
  await page.getByRole('button', { name: 'New website' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByText('Shares of b').click()
  await expectForEveryone(page, 'all websites')
  await page.goto(`${running.url}/websites/${id}/settings`)
  await page.getByText('Waiting for the first event.').waitFor()
  await page.getByRole('button', { name: 'New share link' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Edit For everybody' }).click()
  await page.getByRole('button', { name: 'New share link' }).click()
  await page.getByRole('button', { name: 'Make public…' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await part(page, 'API keys').getByLabel('Name').fill('k')
  await page.keyboard.press('Enter')
  await page.getByText('Copy it now').waitFor()
  await expectForEveryone(page, 'settings with every form, a share and a key')
  await close()
})
