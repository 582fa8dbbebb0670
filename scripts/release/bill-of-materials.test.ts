import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inRoot } from '../lib/places.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'

const at = new Date('2026-11-27T10:00:00Z')
const bill = billOfMaterials('1.2.3', at)
const lock = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
const named = (group: string | undefined, name: string) =>
  bill.components.find((component) => component.group === group && component.name === name)

it('names a package with its version, licence, address and the digest of the lock', () => {
  const { version, integrity } = lock.packages['node_modules/@fastify/static']
  expect(named('@fastify', 'static')).toEqual({
    type: 'library',
    'bom-ref': `node_modules/@fastify/static@${version}`,
    group: '@fastify',
    name: 'static',
    version,
    purl: `pkg:npm/%40fastify/static@${version}`,
    licenses: [{ expression: 'MIT' }],
    hashes: [
      {
        alg: 'SHA-512',
        content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
      },
    ],
  })
})

it('has what the parts of the product use, and no tool', () => {
  for (const name of ['fastify', 'react', 'sharp', 'tedious'])
    expect(named(undefined, name)).toBeDefined()
  for (const name of ['vitest', 'typescript', 'vite', 'playwright-core', 'happy-dom'])
    expect(named(undefined, name)).toBeUndefined()
})

it('says what each package uses, and refers to nothing that is missing', () => {
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  expect(refs.size).toBe(bill.components.length)
  const used = bill.dependencies.flatMap(({ dependsOn }) => dependsOn)
  expect(used.filter((ref) => !refs.has(ref))).toEqual([])
  const [product, ...others] = bill.dependencies
  expect(product?.ref).toBe('gatehouse@1.2.3')
  expect(product?.dependsOn).toContain(named(undefined, 'fastify')?.['bom-ref'])
  expect(others.map(({ ref }) => ref)).toEqual([...refs])
  // Each is there because something uses it.
  expect([...refs].filter((ref) => !used.includes(ref))).toEqual([])
})

it('is the same for the same lock and time', () => {
  expect(billOfMaterials('1.2.3', at)).toEqual(bill)
  expect(billOfMaterials('1.2.4', at).serialNumber).not.toBe(bill.serialNumber)
})
