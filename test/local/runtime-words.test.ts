import { expect, it } from 'vitest'
import { runtimeWords } from '../../src/local/start/runtime-words.ts'

const uncaught = 'workerd/server/server.c++:5492: error: Uncaught exception: '
const wrongUrl = `${uncaught}kj/compat/url.c++:165: failed: expected tryParse(url) != nullptr; invalid URL; url = *`
const stack = 'stack: /opt/workerd@37c2334 /opt/workerd@1fd6e81'

it('workerd’s request errors become one sentence per minute, file errors become one; others are kept', () => {
  let now = 1_000_000
  const lines: string[] = []
  const hear = runtimeWords(
    (line) => lines.push(line),
    () => now,
  )
  const heard = (...said: string[]) => {
    for (const line of said) hear(line)
    return lines.splice(0)
  }
  const sentence = 'A request was refused because it is not valid HTTP (invalid URL).'
  expect(heard(wrongUrl, stack)).toEqual([sentence])
  expect(heard(wrongUrl, stack, wrongUrl, stack)).toEqual([])
  now += 59_999
  expect(heard(wrongUrl, stack)).toEqual([])
  now += 1
  expect(heard(wrongUrl, stack)).toEqual([`${sentence} 3 more occurred since the last such line.`])
  now += 60_000
  expect(
    heard(`${uncaught}kj/compat/http.c++:2330: failed: invalid Content-Length header value; cl = \x1b[2J`),
  ).toEqual(['A request was refused because it is not valid HTTP (invalid Content-Length header value).'])
  const failed = 'workerd/jsg/util.c++:405: error: e = workerd/util/sqlite.c++:842: failed: SENTRY_DO SQLite failed; '
  const notOne = `${failed}dbErrorMessage(prepareResult, db) = file is not a database: SQLITE_NOTADB`
  const told = 'SQLite failed: file is not a database: SQLITE_NOTADB. npm run weir -- check names the file.'
  expect(heard(notOne, stack, wrongUrl, stack, notOne, stack)).toEqual([told])
  const other = `${uncaught}workerd/jsg/value.h:1480: failed: remote.jsg.Error: The export was cut off.`
  expect(heard(other, stack, 'a line')).toEqual([other, stack, 'a line'])
})
