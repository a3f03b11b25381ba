import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'

const readme = readFileSync(`${root}/README.md`, 'utf8')

it('the README marks each code block as one that start.test.ts runs, or says why it is not run', () => {
  const marks = [...readme.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, mark]) => mark!)
  expect(marks.filter((mark) => mark === 'sh run').length).toBeGreaterThan(3)
  expect(marks.filter((mark) => !/^(sh run|(sh|json|html) not run: \w+ .+)$/.test(mark))).toEqual([])
})

it('the README begins with the purpose and the audience, followed by a picture and the command', () => {
  const places = ['who visits your website', 'for owners of', '<picture>', 'npm start'].map((one) =>
    readme.indexOf(one),
  )
  expect(places).toEqual(places.filter((place) => place > 0).sort((one, other) => one - other))
})
