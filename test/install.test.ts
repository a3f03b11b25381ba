import { readFileSync } from 'node:fs'
import { minVersion, subset } from 'semver'
import { describe, expect, it } from 'vitest'
import { root } from '../src/local/paths.ts'

interface Manifest {
  readonly engines?: { readonly node?: string }
}

interface Lock {
  readonly packages: Readonly<Record<string, Manifest>>
}

const textOf = (file: string): string => readFileSync(`${root}/${file}`, 'utf8')
const lockText = textOf('package-lock.json')
const { packages } = JSON.parse(lockText) as Lock
const manifest = JSON.parse(textOf('package.json')) as Manifest

describe('package-lock.json', () => {
  it('says the same as package.json, so that npm install changes neither', () => {
    const fields = Object.keys(packages['']!) as (keyof Manifest)[]
    expect(fields.length).toBeGreaterThan(4)
    expect(packages['']).toEqual(Object.fromEntries(fields.map((field) => [field, manifest[field]])))
  })

  it('is as npm 10 writes it, which npm 11 leaves alone: npx npm@10 install --package-lock-only makes it so', () => {
    expect(lockText.match(/"libc"/g)).toBeNull()
    // A workspace is resolved to its folder; nothing to an address.
    expect(lockText.match(/"resolved": "(?!src\/client")/g)).toBeNull()
  })

  it('holds no package that needs another Node than package.json says', () => {
    const node = manifest.engines!.node!
    expect(minVersion(node)?.version).toBe('20.19.0')
    const others = Object.entries(packages).filter(([, { engines }]) => engines?.node && !subset(node, engines.node))
    expect(others.map(([name, { engines }]) => `${name} ${engines!.node}`)).toEqual([])
  })
})
