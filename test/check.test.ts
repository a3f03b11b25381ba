import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { root } from '../src/local/paths.ts'

/** The steps of `npm run check`. If they ran before all other tests, one core would be idle for half a minute. */
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> }
const stepsOf = (script: string): string[] => scripts[script]!.split(' && ')
const steps = stepsOf('check').flatMap((step) => (step === 'npm run types' ? stepsOf('types') : [step]))

it.each(steps.filter((step) => step !== 'npm run client'))('%s reports no problems', async (step) => {
  const [command, ...options] = step.split(' ')
  await promisify(execFile)(`${root}/node_modules/.bin/${command}`, options, { cwd: root }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(stdout + stderr)
    },
  )
})
